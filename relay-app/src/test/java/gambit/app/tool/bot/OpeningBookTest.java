package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.tool.bot.BotGame.OpeningBook;
import gambit.chess.engine.Level;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.util.HashSet;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OpeningBookTest {
  private final OpeningBook book = OpeningBook.BOOK;

  private static Position after(String... moves) {
    Position position = Position.initial();
    for (String uci : moves) {
      position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
    }
    return position;
  }

  @Test
  void everyLineIsLegalAndCommonFirstMovesAreFrequent() {
    assertThat(book.moves).hasSizeGreaterThan(300);
    Random random = new Random(1);
    int kingsPawn = 0;
    Set<String> others = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String first = book.move(Position.initial(), Level.ONE, random).orElseThrow().uci();
      if (first.equals("e2e4")) {
        kingsPawn++;
      } else {
        others.add(first);
      }
    }
    assertThat(kingsPawn).isBetween(450, 750);
    assertThat(others).contains("d2d4", "c2c4", "g1f3");
  }

  @Test
  void weakerLevelsLeaveTheBookEarlierAndTheStrongestDoesNotUseIt() {
    Random random = new Random(2);
    String[] line = {"e2e4", "c7c5", "g1f3", "d7d6", "d2d4", "c5d4", "f3d4", "g8f6", "b1c3"};
    assertThat(book.move(after("e2e4", "c7c5"), Level.ONE, random)).isPresent();
    assertThat(book.move(after("e2e4", "c7c5", "g1f3", "d7d6"), Level.ONE, random)).isEmpty();
    assertThat(book.move(after("e2e4", "c7c5", "g1f3", "d7d6"), Level.TWO, random))
        .isEqualTo(Optional.of(Move.parse("d2d4").orElseThrow()));
    assertThat(book.move(after(line), Level.THREE, random)).isEmpty();
    assertThat(book.move(after(line), Level.FOUR, random)).isPresent();
    assertThat(book.move(Position.initial(), Level.FIVE, random)).isEmpty();
  }

  @Test
  void otherOrdersOfTheMovesLeadToTheSamePosition() {
    Position position = after("g1f3", "d7d5", "d2d4", "c7c6", "c2c4");
    assertThat(book.move(position, Level.FOUR, new Random(3))).isPresent();
  }
}
