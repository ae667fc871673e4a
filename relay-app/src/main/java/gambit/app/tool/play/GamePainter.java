package gambit.app.tool.play;

import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.GameView.Presence;
import gambit.chess.game.Proposal;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jspecify.annotations.Nullable;

/**
 * Draws a game: board, players with clocks, and the moves beside them. One thread; it remembers the
 * moves of the last view in SAN.
 */
final class GamePainter {
  /** The lines of a game: two players, eight ranks, the files. */
  static final int LINES = 11;

  private static final long ALARM_MILLIS = 20_000;
  private static final int MOVE_LINES = LINES - 2;

  private final Palette palette;
  private final BoardPainter board;
  private List<Move> numbered = List.of();
  private List<String> sans = List.of();

  GamePainter(Palette palette) {
    this.palette = palette;
    this.board = new BoardPainter(palette);
  }

  List<AttributedString> draw(GameView game, Side bottom, int columns, long now) {
    List<AttributedString> lines = new ArrayList<>();
    List<Move> moves = game.moves();
    Move last = moves.isEmpty() ? null : moves.get(moves.size() - 1);
    List<AttributedString> ranks = board.draw(game.position(), last, bottom);
    List<String> side = columns > BoardPainter.COLUMNS + 20 ? moveLines(game) : List.of();
    lines.add(player(game, bottom.opponent(), now));
    for (int i = 0; i < ranks.size(); i++) {
      AttributedStringBuilder line = new AttributedStringBuilder().append(ranks.get(i));
      if (i < side.size()) {
        line.append(" ".repeat(BoardPainter.COLUMNS - ranks.get(i).columnLength()));
        line.append("  ").append(side.get(i));
      }
      lines.add(line.toAttributedString());
    }
    lines.add(player(game, bottom, now));
    return lines;
  }

  private AttributedString player(GameView game, Side side, long now) {
    AttributedStringBuilder line = new AttributedStringBuilder();
    boolean isToMove = game.isRunning() && game.position().turn() == side;
    line.append(isToMove ? (palette.unicode() ? "▶ " : "> ") : "  ");
    String who = game.terms().ours() == side ? "You" : Wording.player(game.terms().player(side));
    line.styled(palette.strong(), who).append(" (" + Wording.name(side) + ")");
    GameClocks clocks = game.clocks();
    if (clocks != null) {
      long left = clocks.left(side, now);
      boolean isAlarming = clocks.running() == side && left < ALARM_MILLIS;
      AttributedStyle style = isAlarming ? palette.alarm() : palette.strong();
      line.append("  ").styled(style, Wording.clock(left));
    }
    Presence presence = game.presence();
    Instant awaySince = presence == null ? null : presence.awaySince(side);
    if (awaySince != null && game.isRunning()) {
      long seconds = Math.max(0, now / 1000 - awaySince.getEpochSecond());
      line.append("  ").styled(palette.alarm(), "away for " + seconds + " s");
    }
    return line.toAttributedString();
  }

  private List<String> moveLines(GameView game) {
    List<String> lines = new ArrayList<>();
    if (!game.complete()) {
      lines.add("(earlier moves are unknown)");
    }
    List<String> played = sans(game);
    boolean blackBegins = game.terms().initial().turn() == Side.BLACK;
    int number = game.terms().initial().fullmoveNumber();
    List<String> all = new ArrayList<>();
    int at = 0;
    if (blackBegins && !played.isEmpty()) {
      all.add("%3d. ...     %s".formatted(number++, played.get(0)));
      at = 1;
    }
    while (at < played.size()) {
      String reply = at + 1 < played.size() ? played.get(at + 1) : "";
      all.add("%3d. %-7s %s".formatted(number++, played.get(at), reply));
      at += 2;
    }
    Presence presence = game.presence();
    int watching = presence == null ? 0 : presence.watching();
    int room = MOVE_LINES - lines.size() - (watching > 0 ? 1 : 0);
    lines.addAll(all.subList(Math.max(0, all.size() - room), all.size()));
    if (watching > 0) {
      lines.add(watching == 1 ? "1 spectator" : watching + " spectators");
    }
    return lines;
  }

  List<String> sans(GameView game) {
    if (!game.moves().equals(numbered)) {
      List<String> written = new ArrayList<>();
      Position position = game.terms().initial();
      for (Move move : game.moves()) {
        written.add(position.san(move));
        position = position.play(move).orElseThrow();
      }
      numbered = game.moves();
      sans = written;
    }
    return sans;
  }

  /** The state of a game in a sentence: the result, a standing proposal, or the side to move. */
  static String status(GameView game) {
    Side ours = game.terms().ours();
    if (game.ending() != null) {
      return Wording.ending(game.terms(), game.ending());
    }
    Proposal proposal = game.proposal();
    if (proposal != null) {
      String by = proposal.by() == ours ? "You" : ours == null ? Wording.name(proposal.by()) : null;
      String what = proposal.type() == Proposal.Type.DRAW ? "a draw" : "to take a move back";
      return by == null
          ? "Your opponent "
              + (proposal.type() == Proposal.Type.DRAW ? "offers " : "asks ")
              + what
              + ": accept or decline."
          : by + (proposal.type() == Proposal.Type.DRAW ? " offered " : " asked ") + what + ".";
    }
    String check = game.position().inCheck() ? " Check." : "";
    return turn(game.position().turn(), ours) + check;
  }

  private static String turn(Side turn, @Nullable Side ours) {
    if (ours == null) {
      return Wording.name(turn) + " is to move.";
    }
    return turn == ours ? "Your move." : "Your opponent is to move.";
  }
}
