package gambit.app.tool.play;

import gambit.app.tool.client.GameView;
import gambit.chess.rules.LongAlgebraic;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A command with the rest of its line, or without a word a move, that was typed. Immutable. */
record PlayerInput(Optional<Word> word, String text) {

  enum Word {
    DRAW("offer a draw, or accept the opponent's offer; after a move, as in \"e4 draw\", with it"),
    ACCEPT("accept the opponent's offer or request, or the invite you are asked about"),
    DECLINE("decline it"),
    CLAIM("claim a draw by threefold repetition or the fifty-move rule"),
    TAKEBACK("ask to take your last move back"),
    RESIGN("resign the game"),
    ABORT("end the game without a result, before your second move"),
    REMATCH("play the same opponent again, with the colours swapped"),
    SEARCH("search for an opponent"),
    NEXT("show your next game, if you have several"),
    FLIP("turn the board"),
    SAY("comment on the game, as in \"say hello\""),
    HELP("show this list"),
    QUIT("leave");

    private final String description;

    Word(String description) {
      this.description = description;
    }

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    String description() {
      return description;
    }
  }

  static PlayerInput parse(String line) {
    String[] parts = line.strip().split("\\s+", 2);
    for (Word word : Word.values()) {
      if (word.text().equals(parts[0].toLowerCase(Locale.ROOT))) {
        return new PlayerInput(Optional.of(word), parts.length > 1 ? parts[1] : "");
      }
    }
    return new PlayerInput(Optional.empty(), line.strip());
  }

  /** What may be typed first: the commands, and the legal moves while the player is to move. */
  static List<String> firstWords(@Nullable GameView game) {
    List<String> words = new ArrayList<>();
    if (game != null && game.isOurTurn()) {
      words.addAll(TypedMove.all(game.position()));
    }
    for (Word word : Word.values()) {
      words.add(word.text());
    }
    return words;
  }

  /** Reads moves as people type them, in SAN or in UCI. Pure. */
  static final class TypedMove {
    private TypedMove() {}

    /**
     * The legal move that a text means in SAN, with or without {@code x}, {@code =}, {@code +} and
     * {@code #}; UCI; or long algebraic notation. Empty if there is none or more than one.
     */
    static Optional<Move> in(Position position, String text) {
      String plain = plain(text);
      List<Move> fitting =
          position.legalMoves().stream()
              .filter(move -> plain(position.san(move)).equals(plain))
              .toList();
      if (fitting.size() == 1) {
        return Optional.of(fitting.get(0));
      }
      return Move.parse(text.toLowerCase(Locale.ROOT))
          .or(() -> LongAlgebraic.parse(text).flatMap(written -> written.in(position)))
          .filter(move -> position.play(move).isPresent());
    }

    private static String plain(String san) {
      return san.replaceAll("[x=+#!?]", "").replace('0', 'O');
    }

    static List<String> all(Position position) {
      List<String> all = new ArrayList<>();
      for (Move move : position.legalMoves()) {
        all.add(position.san(move));
        all.add(move.uci());
      }
      return all;
    }
  }
}
