package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.List;
import org.jline.utils.AttributedString;
import org.junit.jupiter.api.Test;

class BoardPainterTest {
  private static final Palette LETTERS = new Palette(false, false, false);
  private static final Palette SYMBOLS = new Palette(false, false, true);
  private static final Palette COLOURS = new Palette(true, true, true);
  private static final Move E4 = Move.parse("e2e4").orElseThrow();
  private static final Position AFTER_E4 = Position.initial().play(E4).orElseThrow();

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
    AttributedString rank = new BoardPainter(COLOURS).draw(AFTER_E4, E4, Side.WHITE).get(4);
    long marked = rank.styleAt(2 + 4 * 3).getStyle();
    for (int file = 0; file < 8; file++) {
      assertThat(rank.styleAt(2 + file * 3).getStyle() == marked).isEqualTo(file == 4);
    }
    assertThat(rank.toString()).isEqualTo("4 " + " ".repeat(12) + " ♟ " + " ".repeat(9));
  }

  private static List<String> text(Palette palette, Side bottom) {
    return new BoardPainter(palette)
        .draw(AFTER_E4, E4, bottom).stream().map(AttributedString::toString).toList();
  }
}
