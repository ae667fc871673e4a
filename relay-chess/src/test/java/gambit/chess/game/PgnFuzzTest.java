package gambit.chess.game;

import static gambit.chess.game.SampleGames.START;
import static gambit.chess.game.SampleGames.next;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import gambit.chess.rules.Move;
import gambit.chess.rules.MoveText;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.testkit.MutatedInputs;
import io.github.wolfraam.chessgame.ChessGame;
import io.github.wolfraam.chessgame.notation.NotationType;
import io.github.wolfraam.chessgame.pgn.PGNImporter;
import io.github.wolfraam.chessgame.pgn.PgnTag;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Records of games out of any bytes, read again by a chess library of other people. The input is a
 * position in FEN or nothing, moves as {@link MoveText} reads them, the values of the tags and a
 * time control, a byte {@code ff} between two; before these is the ending of the game.
 */
class PgnFuzzTest {
  private static final int PLIES = 12;
  private static final Pattern BEYOND_ASCII = Pattern.compile("[^ -~]");

  @FuzzTest(maxDuration = "", maxExecutions = 10_000_000)
  void recordIsReadByAnIndependentLibraryAsTheSameGame(byte[] input) {
    List<String> parts = List.of(new String(input, StandardCharsets.ISO_8859_1).split("\u00ff", 8));
    TimeControl control = TimeControl.parse(text(parts, 7)).orElse(TimeControl.UNTIMED);
    FinishedGame game = played(part(parts, 0), part(parts, 1), part(parts, 2), control);
    PgnTags tags = new PgnTags(text(parts, 3), text(parts, 4), text(parts, 5), text(parts, 6));
    String pgn = Pgn.export(tags, game);
    ExportFormat.isKeptBy(pgn);
    ChessGame read = read(pgn);
    assertThat(read.getNotationList(NotationType.UCI))
        .isEqualTo(game.last().moves().toList().stream().map(Move::uci).toList());
    assertThat(read.getInitialFen()).isEqualTo(game.last().initial().fen());
    has(pgn, "Event", tags.event(), read.getPgnTagValue(PgnTag.EVENT));
    has(pgn, "Site", tags.site(), read.getPgnTagValue(PgnTag.SITE));
    has(pgn, "White", tags.white().name(), read.getPgnTagValue(PgnTag.WHITE));
    has(pgn, "Black", tags.black().name(), read.getPgnTagValue(PgnTag.BLACK));
    has(pgn, "TimeControl", control.text(), read.getPgnTagValue(PgnTag.TIME_CONTROL));
    assertThat(read.getPgnTagValue(PgnTag.RESULT)).isEqualTo(game.result().text());
    assertThat(read.getPgnTagValue(PgnTag.TERMINATION)).isEqualTo(game.termination().pgn());
    assertThat(pgn).endsWith(game.result().text() + "\n");
    PgnGame own = readByUs(pgn);
    assertThat(own.initial().fen()).isEqualTo(game.last().initial().fen());
    assertThat(own.moves()).isEqualTo(game.last().moves());
    assertThat(own.result()).isEqualTo(game.result());
  }

  private static String part(List<String> parts, int index) {
    return index < parts.size() ? parts.get(index) : "";
  }

  private static String text(List<String> parts, int index) {
    byte[] bytes = part(parts, index).getBytes(StandardCharsets.ISO_8859_1);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static FinishedGame played(String fen, String moves, String end, TimeControl control) {
    Position initial =
        Position.parseFen(fen).filter(it -> it.outcome().isEmpty()).orElse(Position.initial());
    MoveText text = new MoveText(moves);
    Game game = OngoingGame.start(initial, control, 30_000, 0, START);
    for (int ply = 0; ply < PLIES && game instanceof OngoingGame playing; ply++) {
      Position position = playing.position();
      Optional<Move> move = text.next(position).filter(it -> position.play(it).isPresent());
      if (move.isEmpty()) {
        break;
      }
      game = next(playing, new Command.Play(position.turn(), move.get(), false), START);
    }
    return game instanceof FinishedGame over
        ? over
        : (FinishedGame) next(game, lastWord(end, (OngoingGame) game), START);
  }

  private static Command lastWord(String end, OngoingGame game) {
    Side side = end.length() % 2 == 0 ? game.turn() : game.turn().opponent();
    return end.startsWith("a")
        ? new Command.Abandon(side)
        : new Command.Plain(Command.Type.RESIGN, side);
  }

  private static PgnGame readByUs(String pgn) {
    try {
      return PgnReader.read(pgn);
    } catch (PgnException e) {
      throw new AssertionError(pgn, e);
    }
  }

  private static ChessGame read(String pgn) {
    List<ChessGame> games = new ArrayList<>();
    List<String> complaints = new ArrayList<>();
    PGNImporter importer = new PGNImporter();
    importer.setOnGame(games::add);
    importer.setOnError(complaints::add);
    importer.setOnWarning(complaints::add);
    importer.run(new ByteArrayInputStream(pgn.getBytes(StandardCharsets.US_ASCII)));
    assertThat(complaints).as(pgn).isEmpty();
    assertThat(games).as(pgn).hasSize(1);
    return games.get(0);
  }

  /**
   * The tag is in the record, and is read as its value without white space around it. The library
   * loses its way where two escapes follow each other.
   */
  private static void has(String pgn, String tag, String value, String read) {
    String ascii = value.isEmpty() ? "?" : BEYOND_ASCII.matcher(value).replaceAll("?");
    String escaped = ascii.replace("\\", "\\\\").replace("\"", "\\\"");
    assertThat(pgn).contains("[" + tag + " \"" + escaped + "\"]\n");
    if (!ascii.contains("\\\\") && !ascii.contains("\\\"")) {
      assertThat(read).isEqualTo(ascii.strip());
    }
  }

  @Test
  void mutatedInputsGiveRecordsOfTheSameGame() {
    MutatedInputs.feed(getClass(), 1_000, this::recordIsReadByAnIndependentLibraryAsTheSameGame);
  }
}
