package gambit.chess.game;

import static gambit.chess.game.SampleGames.move;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PlayedMovesTest {

  @Property(tries = 200)
  void holdsTheAppendedMovesAsAListDoes(@ForAll long seed, @ForAll @IntRange(max = 200) int size) {
    Random random = new Random(seed);
    PlayedMoves moves = PlayedMoves.NONE;
    List<Move> model = new ArrayList<>();
    List<Integer> clocks = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      if (random.nextInt(8) == 0) {
        int plies = Math.min(model.size(), random.nextInt(3));
        moves = moves.takeBack(plies);
        model.subList(model.size() - plies, model.size()).clear();
        clocks.subList(clocks.size() - plies, clocks.size()).clear();
      } else {
        Move move = anyMove(random);
        int tenths = random.nextInt(-1, Integer.MAX_VALUE);
        moves = moves.append(move, tenths);
        model.add(move);
        clocks.add(tenths);
        assertThat(moves.last()).isEqualTo(move);
      }
      assertThat(moves.size()).isEqualTo(model.size());
    }
    assertThat(moves.toList()).isEqualTo(model);
    assertThat(moves.clocks()).containsExactly(clocks.toArray(Integer[]::new));
  }

  @Test
  void appendingDoesNotChangeTheShorterList() {
    PlayedMoves one = PlayedMoves.NONE.append(move("e2e4"), 1);
    PlayedMoves open = one.append(move("e7e5"), 2);
    PlayedMoves sicilian = one.append(move("c7c5"), 2);
    assertThat(one).hasToString("e2e4");
    assertThat(open).hasToString("e2e4 e7e5");
    assertThat(sicilian).hasToString("e2e4 c7c5");
    assertThat(open).isNotEqualTo(sicilian);
  }

  @Test
  void listsWithTheSameMovesAreEqual() {
    PlayedMoves one = PlayedMoves.NONE;
    PlayedMoves two = PlayedMoves.NONE;
    for (int i = 0; i < 70; i++) {
      assertThat(one).isEqualTo(two).hasSameHashCodeAs(two);
      one = one.append(new Move(i % 64, 5, null), i);
      assertThat(one).isNotEqualTo(two);
      two = two.append(new Move(i % 64, 5, null), i);
    }
  }

  @Test
  void emptyListHasNoLastMove() {
    assertThat(PlayedMoves.NONE.toList()).isEmpty();
    assertThatThrownBy(PlayedMoves.NONE::last).isInstanceOf(NoSuchElementException.class);
  }

  private static Move anyMove(Random random) {
    PieceKind[] promotions = {PieceKind.KNIGHT, PieceKind.BISHOP, PieceKind.ROOK, PieceKind.QUEEN};
    return random.nextBoolean()
        ? new Move(random.nextInt(64), random.nextInt(64), null)
        : new Move(48 + random.nextInt(8), 56 + random.nextInt(8), promotions[random.nextInt(4)]);
  }
}
