package gambit.chess.game;

import static gambit.chess.game.Games.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Command.Play;
import gambit.chess.game.GameEvent.Ended;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What holds of every game, whatever the players ask for. */
class RandomGameTest {

  private static final int COMMANDS = 400;

  @Property(tries = 150)
  void theGameIsWhatItsEventsSay(@ForAll long seed) {
    Random random = new Random(seed);
    Game game = Games.start();
    List<Move> moves = new ArrayList<>();
    Map<Side, Integer> illegal = new EnumMap<>(Map.of(Side.WHITE, 0, Side.BLACK, 0));
    int ends = 0;
    for (int i = 0; i < COMMANDS; i++) {
      Command command = anyCommand(game, random);
      Decision decision = Referee.decide(game, command, NOW);
      if (decision instanceof Step step) {
        assertThat(ends).as("events after the end").isZero();
        assertThat(step.events()).isNotEmpty();
        for (GameEvent event : step.events()) {
          assertThat(ends).as("events after Ended").isZero();
          if (event instanceof Moved moved) {
            moves.add(moved.move());
          } else if (event instanceof IllegalMove counted) {
            assertThat(counted.count()).isEqualTo(illegal.merge(counted.by(), 1, Integer::sum));
          } else if (event instanceof Ended) {
            ends++;
          }
        }
        game = step.next();
      }
      assertThat(ends == 1).isEqualTo(game instanceof Over);
      Playing state = game instanceof Over over ? over.last() : (Playing) game;
      for (Side side : Side.values()) {
        assertThat(state.conduct(side).illegalMoves()).isEqualTo(illegal.get(side));
        assertThat(state.conduct(side).illegalMoves()).isLessThanOrEqualTo(ends == 1 ? 2 : 1);
      }
    }
    Playing state = game instanceof Over over ? over.last() : (Playing) game;
    assertThat(state.moves().toList()).isEqualTo(moves);
    assertThat(state.position().fen()).isEqualTo(replay(moves).fen());
  }

  @Property(tries = 150)
  void aRefusalLeavesNoTrace(@ForAll long seed) {
    Random random = new Random(seed);
    Game game = Games.start();
    for (int i = 0; i < COMMANDS; i++) {
      Command command = anyCommand(game, random);
      Decision first = Referee.decide(game, command, NOW);
      Decision again = Referee.decide(game, command, NOW);
      if (first instanceof Refused) {
        assertThat(again).isEqualTo(first);
      } else {
        assertThat(((Step) again).events()).isEqualTo(((Step) first).events());
        game = ((Step) first).next();
      }
    }
  }

  private static Position replay(List<Move> moves) {
    Position position = Games.start().position();
    for (Move move : moves) {
      position = position.play(move).orElseThrow();
    }
    return position;
  }

  /** Mostly legal moves in turn, so that games grow long; now and then anything at all. */
  private static Command anyCommand(Game game, Random random) {
    Side side = random.nextBoolean() ? Side.WHITE : Side.BLACK;
    if (game instanceof Playing playing && random.nextInt(20) < 18) {
      List<Move> legal = playing.position().legalMoves();
      return new Play(playing.turn(), legal.get(random.nextInt(legal.size())), false);
    }
    return switch (random.nextInt(60)) {
      case 0 -> new Command.Accept(side);
      case 1 -> new Command.Resign(side);
      case 2 -> new Command.Abandon(side);
      case 3, 4 -> new Command.Abort(side);
      case 5, 6 -> new Command.Cancel(side);
      case 7, 8, 9 -> new Play(side, new Move(random.nextInt(64), random.nextInt(64), null), false);
      default ->
          switch (random.nextInt(4)) {
            case 0 -> new Command.OfferDraw(side);
            case 1 -> new Command.ClaimDraw(side);
            case 2 -> new Command.Decline(side);
            default -> new Command.Cancel(side);
          };
    };
  }
}
