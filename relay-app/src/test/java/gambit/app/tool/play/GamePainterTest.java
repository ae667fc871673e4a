package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.GameView.GameEnding;
import gambit.app.tool.client.GameView.Presence;
import gambit.app.tool.play.GamePainter.Palette;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class GamePainterTest {
  private static final Palette LETTERS = new Palette(false, false, false);
  private static final Palette SYMBOLS = new Palette(false, false, true);
  private static final Palette COLOURS = new Palette(true, true, true);
  private static final Move E4 = Move.parse("e2e4").orElseThrow();
  private static final Position AFTER_E4 = Position.initial().play(E4).orElseThrow();
  private static final PubKey ALICE =
      PubKey.ofHex("3bf0c63fcb93463407af97a5e5ee64fa883d107ef9e558472c4eb9aaaefa459d");
  private static final PubKey BOB =
      PubKey.ofHex("7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e");
  private static final long NOW = 1_700_000_000_000L;
  private static final GameClocks CLOCKS = new GameClocks(65_000, 12_000, Side.BLACK, NOW);
  private final GamePainter painter = new GamePainter(new Palette(false, false, false));

  @Test
  void clocksRunBesideThePlayersAndTheSideToMoveIsMarked() {
    GameView game = game("e2e4 e7e5 g1f3", Side.WHITE, CLOCKS, null, null, null);
    List<String> lines = draw(game, 80, NOW + 3000);
    assertThat(lines).hasSize(GamePainter.LINES);
    assertThat(lines.get(0)).isEqualTo("> npub10elfc..jptg (Black)  0:09.0");
    assertThat(lines.get(10)).isEqualTo("  You (White)  1:05");
    assertThat(lines.get(1)).isEqualTo("8  r  n  b  q  k  b  n  r      1. e4      e5");
    assertThat(lines.get(2)).isEqualTo("7  p  p  p  p  .  p  p  p      2. Nf3     ");
  }

  @Test
  void theLastMovesOfALongGameAreShown() {
    String shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(20).strip();
    List<String> lines = draw(game(shuffle, Side.WHITE, null, null, null, null), 80, NOW);
    assertThat(lines.get(1)).endsWith(" 32. Ng1     Ng8");
    assertThat(lines.get(9)).endsWith(" 40. Ng1     Ng8");
  }

  @Test
  void aNarrowTerminalShowsTheBoardAlone() {
    assertThat(draw(game("e2e4", Side.WHITE, null, null, null, null), 40, NOW))
        .allMatch(line -> line.length() <= 40)
        .noneMatch(line -> line.contains("1. e4"));
  }

  @Test
  void anAbsentOpponentAndSpectatorsAreShown() {
    Presence presence = new Presence(null, Instant.ofEpochMilli(NOW - 12_000), 3);
    List<String> lines = draw(game("e2e4", Side.WHITE, CLOCKS, null, presence, null), 80, NOW);
    assertThat(lines.get(0)).endsWith("away for 12 s");
    assertThat(String.join("\n", lines)).contains("3 spectators");
  }

  @Test
  void theStateIsASentence() {
    Proposal draw = new Proposal(Proposal.Type.DRAW, Side.BLACK);
    Proposal takeback = new Proposal(Proposal.Type.TAKEBACK, Side.BLACK);
    assertThat(status("e2e4", Side.BLACK, null, null)).isEqualTo("Your move.");
    assertThat(status("e2e4", Side.WHITE, null, null)).isEqualTo("Your opponent is to move.");
    assertThat(status("e2e4", null, null, null)).isEqualTo("Black is to move.");
    assertThat(status("e2e4 f7f6 d1h5", Side.BLACK, null, null)).isEqualTo("Your move. Check.");
    assertThat(status("e2e4", Side.WHITE, draw, null))
        .isEqualTo("Your opponent offers a draw: accept or decline.");
    assertThat(status("e2e4", Side.BLACK, draw, null)).isEqualTo("You offered a draw.");
    assertThat(status("e2e4", null, takeback, null)).isEqualTo("Black asked to take a move back.");
    GameEnding mate = new GameEnding(Result.WHITE_WINS, "checkmate", null);
    assertThat(status("e2e4", Side.WHITE, null, mate)).isEqualTo("You win by checkmate (1-0).");
    assertThat(status("e2e4", Side.BLACK, null, mate)).isEqualTo("You lose by checkmate (1-0).");
    assertThat(status("e2e4", null, null, mate)).isEqualTo("White wins by checkmate (1-0).");
    assertThat(status("e2e4", null, null, new GameEnding(Result.NONE, "\u001b[2J", null)))
        .isEqualTo("The game was aborted, without a result.");
  }

  private static String status(
      String moves, @Nullable Side ours, @Nullable Proposal proposal, @Nullable GameEnding ending) {
    return GamePainter.status(game(moves, ours, null, proposal, null, ending));
  }

  private List<String> draw(GameView game, int columns, long now) {
    return painter.draw(game, Side.WHITE, columns, now).stream()
        .map(AttributedString::toString)
        .toList();
  }

  private static GameView game(
      String uci,
      @Nullable Side ours,
      @Nullable GameClocks clocks,
      @Nullable Proposal proposal,
      @Nullable Presence presence,
      @Nullable GameEnding ending) {
    Position position = Position.initial();
    List<Move> moves = new ArrayList<>();
    for (String each : uci.split(" ")) {
      moves.add(Move.parse(each).orElseThrow());
      position = position.play(moves.get(moves.size() - 1)).orElseThrow();
    }
    GameTerms terms =
        new GameTerms(
            new EventId(new byte[32]),
            ALICE,
            BOB,
            ours,
            TimeControl.parse("300").orElseThrow(),
            Position.initial(),
            0,
            0);
    return new GameView(terms, position, moves, true, clocks, proposal, presence, ending);
  }

  @Test
  void withoutColoursTheLastMoveIsInBrackets() {
    assertThat(text(LETTERS, Side.WHITE))
        .containsExactly(
            "8  r  n  b  q  k  b  n  r ",
            "7  p  p  p  p  p  p  p  p ",
            "6  .  .  .  .  .  .  .  . ",
            "5  .  .  .  .  .  .  .  . ",
            "4  .  .  .  . [P] .  .  . ",
            "3  .  .  .  .  .  .  .  . ",
            "2  P  P  P  P [.] P  P  P ",
            "1  R  N  B  Q  K  B  N  R ",
            "   a  b  c  d  e  f  g  h ");
  }

  @Test
  void theBoardIsShownFromBlacksSide() {
    assertThat(text(SYMBOLS, Side.BLACK))
        .startsWith("1  ♖  ♘  ♗  ♔  ♕  ♗  ♘  ♖ ")
        .contains("4  .  .  . [♙] .  .  .  . ")
        .endsWith("8  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜ ", "   h  g  f  e  d  c  b  a ");
  }

  @Test
  void withColoursTheSquaresOfTheLastMoveDifferFromAllOthers() {
    AttributedString rank = new GamePainter(COLOURS).board(AFTER_E4, E4, Side.WHITE).get(4);
    long marked = rank.styleAt(2 + 4 * 3).getStyle();
    for (int file = 0; file < 8; file++) {
      assertThat(rank.styleAt(2 + file * 3).getStyle() == marked).isEqualTo(file == 4);
    }
    assertThat(rank.toString()).isEqualTo("4 " + " ".repeat(12) + " ♟ " + " ".repeat(9));
  }

  private static List<String> text(Palette palette, Side bottom) {
    return new GamePainter(palette)
        .board(AFTER_E4, E4, bottom).stream().map(AttributedString::toString).toList();
  }
}
