package gambit.chess.game;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.LegalMove;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.testkit.AllocationLimit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Limits the memory that a decision on a move allocates, however many moves were played before. */
class RefereeAllocationTest {
  private static final int DECISIONS = 1_000;
  private static final List<String> MOVES =
      List.of("e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 d2d3 f8c5 c2c3 d7d6 b1d2 a7a6 a2a4 c8e6".split(" "));

  @Test
  void decisionOnAMoveThatIsKnownToBeLegalAllocatesLittle() {
    OngoingGame game =
        OngoingGame.start(
            Position.initial(), TimeControl.parse("300+2").orElseThrow(), 30_000, 200, 0);
    List<OngoingGame> games = new ArrayList<>();
    List<Command> commands = new ArrayList<>();
    for (String uci : MOVES) {
      LegalMove legal = LegalMove.of(game.position(), Move.parse(uci).orElseThrow()).orElseThrow();
      Command play = new Command.Play(game.turn(), legal, false);
      games.add(game);
      commands.add(play);
      game = (OngoingGame) ((Step) Referee.decide(game, play, 1_000)).next();
    }
    int decided =
        AllocationLimit.requireAtMost(
            DECISIONS * 600L,
            () -> {
              int steps = 0;
              for (int i = 0; i < DECISIONS; i++) {
                int ply = i % MOVES.size();
                if (Referee.decide(games.get(ply), commands.get(ply), 1_000) instanceof Step) {
                  steps++;
                }
              }
              return steps;
            });
    assertThat(decided).isEqualTo(DECISIONS);
  }
}
