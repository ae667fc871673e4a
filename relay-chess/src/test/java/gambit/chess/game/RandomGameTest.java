package gambit.chess.game;

import static gambit.chess.game.SampleGames.START;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Command.Play;
import gambit.chess.game.GameEvent.Ended;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.game.GameEvent.TakenBack;
import gambit.chess.game.Ruling.Refusal;
import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Properties of every game, for any commands at any time. */
class RandomGameTest {

  private static final int COMMANDS = 400;
  private static final List<String> CONTROLS =
      List.of("-", "20", "60+2", "1/20", "1/600", "1/86400", "3600+3600");

  @Property(tries = 100)
  void gameFollowsFromItsEventsAndClocksEqualTheModel(@ForAll long seed) {
    new Run(seed).play();
  }

  @Test
  void gameFollowsFromItsEventsWithEveryKindOfCommand() {
    Set<Class<?>> happened = new HashSet<>();
    EnumSet<Termination> ends = EnumSet.noneOf(Termination.class);
    for (int seed = 0; seed < 200; seed++) {
      Run run = new Run(seed);
      run.play();
      happened.addAll(run.happened);
      if (run.game instanceof FinishedGame over) {
        ends.add(over.termination());
      }
    }
    assertThat(happened).containsExactlyInAnyOrder(GameEvent.class.getPermittedSubclasses());
    assertThat(ends)
        .contains(
            Termination.TIMEOUT,
            Termination.ABORTED,
            Termination.ABANDONED,
            Termination.AGREEMENT,
            Termination.ILLEGALMOVES,
            Termination.RESIGNATION);
  }

  @Property(tries = 50)
  void refusalChangesNothing(@ForAll long seed) {
    Run run = new Run(seed);
    for (int i = 0; i < COMMANDS; i++) {
      Command command = run.anyCommand();
      Ruling first = Referee.decide(run.game, command, run.now);
      Ruling again = Referee.decide(run.game, command, run.now);
      if (first instanceof Refusal) {
        assertThat(again).isEqualTo(first);
      } else {
        assertThat(((Step) again).events()).isEqualTo(((Step) first).events());
        run.game = ((Step) first).next();
      }
    }
  }

  /** One game, with the state derived from its events alone. */
  private static final class Run {
    final Random random;
    final TimeLimits limits;
    final ClockModel clocks;
    final List<Move> moves = new ArrayList<>();
    final Map<Side, Integer> illegal = new EnumMap<>(Map.of(Side.WHITE, 0, Side.BLACK, 0));
    final EnumSet<Side> haveAsked = EnumSet.noneOf(Side.class);
    final Set<Class<?>> happened = new HashSet<>();
    @Nullable Proposal standing;
    boolean ended;
    long changedAt = START;
    long now = START;
    Game game;

    Run(long seed) {
      random = new Random(seed);
      String control = CONTROLS.get(random.nextInt(CONTROLS.size()));
      limits =
          new TimeLimits(TimeControl.parse(control).orElseThrow(), 30_000, random.nextInt(501));
      clocks = new ClockModel(limits, START);
      game =
          OngoingGame.start(
              Position.initial(), limits.control(), 30_000, limits.lagMillis(), START);
    }

    void play() {
      for (int i = 0; i < COMMANDS; i++) {
        pass();
        Command command = anyCommand();
        Ruling decision = Referee.decide(game, command, now);
        if (game instanceof OngoingGame playing) {
          theTimeIsKept(playing, command, decision);
        }
        if (decision instanceof Step step) {
          take(step);
        }
        theGameIsAsItsEventsSay(
            game instanceof FinishedGame over ? over.last() : (OngoingGame) game);
      }
      assertThat(state().position().fen()).isEqualTo(replayed().fen());
    }

    OngoingGame state() {
      return game instanceof FinishedGame over ? over.last() : (OngoingGame) game;
    }

    /** Lets time pass, now and then to the last moment, or beyond it, or through a restart. */
    void pass() {
      long deadline = state().deadline();
      int kind = deadline == Long.MAX_VALUE ? 99 : random.nextInt(200);
      if (kind < 10) {
        now = Math.max(now, deadline - 1);
      } else if (kind == 10) {
        now = Math.max(now, deadline);
      } else if (random.nextInt(20) == 0 && game instanceof OngoingGame playing) {
        now += random.nextInt(1_000_000);
        game = playing.resumed(now);
        clocks.restarted(now);
        now++; // in the very millisecond of the restart the clocks show what they did before
      } else {
        now += random.nextInt(1_500);
      }
    }

    void theTimeIsKept(OngoingGame playing, Command command, Ruling decision) {
      boolean late = clocks.isLate(now);
      assertThat(now >= playing.deadline()).isEqualTo(late);
      if (command instanceof Command.TimeUp) {
        assertThat(decision instanceof Step).isEqualTo(late);
      } else {
        assertThat(decision == Referee.TOO_LATE).isEqualTo(late);
      }
      if (decision instanceof Step step && step.next() instanceof FinishedGame over && late) {
        assertThat(over.termination())
            .isEqualTo(clocks.isFirstMove() ? Termination.ABORTED : Termination.TIMEOUT);
        boolean mates = playing.position().canMate(playing.turn().opponent());
        Result loss = mates ? Result.winFor(playing.turn().opponent()) : Result.DRAW;
        assertThat(over.result()).isEqualTo(clocks.isFirstMove() ? Result.NONE : loss);
      }
      if (decision instanceof Step step && step.next() instanceof OngoingGame next) {
        noClockGainsButWhatItMay(playing, next, step.events().get(0));
      }
    }

    void noClockGainsButWhatItMay(OngoingGame before, OngoingGame after, GameEvent event) {
      boolean turned = event instanceof Moved || event instanceof TakenBack;
      long increment = event instanceof Moved ? limits.control().incrementMillis() : 0;
      for (Side side : Side.values()) {
        long shown = after.clock().at(side, now);
        long gain = shown - before.clock().at(side, now);
        if (!turned || side != before.clock().running()) {
          assertThat(gain).isZero();
        } else if (limits.control().isPerMove()) {
          assertThat(shown).isEqualTo(limits.control().baseMillis());
        } else {
          assertThat(gain).isBetween(increment, increment + limits.lagMillis());
        }
      }
    }

    void take(Step step) {
      assertThat(ended).as("events after the end").isFalse();
      assertThat(step.events()).isNotEmpty();
      game = step.next();
      for (GameEvent event : step.events()) {
        assertThat(ended).as("events after Ended").isFalse();
        happened.add(event.getClass());
        if (event instanceof IllegalMove counted) {
          assertThat(counted.count()).isEqualTo(illegal.merge(counted.by(), 1, Integer::sum));
        } else {
          changedAt = now;
          clocks.changed(now);
          change(event);
        }
      }
    }

    void change(GameEvent event) {
      if (event instanceof Moved moved) {
        moves.add(moved.move());
        clocks.turned(limits.control().incrementMillis(), moves.size(), now);
        haveAsked.clear();
        standing = standing != null && standing.by() == moved.by() ? standing : null;
      } else if (event instanceof TakenBack back) {
        assertThat(standing).isEqualTo(new Proposal(Proposal.Type.TAKEBACK, back.by()));
        moves.subList(moves.size() - back.plies(), moves.size()).clear();
        clocks.turned(0, moves.size(), now);
        assertThat(state().turn()).isEqualTo(back.by());
        haveAsked.clear();
        standing = null;
      } else if (event instanceof GameEvent.Proposed proposed) {
        assertThat(standing).isNull();
        if (proposed.type() == Proposal.Type.TAKEBACK) {
          assertThat(haveAsked.add(proposed.by())).isTrue();
        }
        standing = new Proposal(proposed.type(), proposed.by());
      } else if (event instanceof GameEvent.Declined declined) {
        assertThat(standing).isEqualTo(new Proposal(declined.type(), declined.by().opponent()));
        standing = null;
      } else {
        assertThat(event).isInstanceOf(Ended.class);
        ended = true;
        standing = null;
      }
    }

    void theGameIsAsItsEventsSay(OngoingGame state) {
      assertThat(ended).isEqualTo(game instanceof FinishedGame);
      assertThat(state.plies()).isEqualTo(moves.size());
      assertThat(state.proposal()).isEqualTo(standing);
      assertThat(state.changedAt()).isEqualTo(changedAt);
      for (Side side : Side.values()) {
        assertThat(state.history(side).illegalMoves()).isEqualTo(illegal.get(side));
        assertThat(state.history(side).illegalMoves()).isLessThanOrEqualTo(ended ? 2 : 1);
        assertThat(state.clock(side)).isEqualTo(clocks.shown(side));
      }
    }

    Position replayed() {
      assertThat(state().moves().toList()).isEqualTo(moves);
      Position position = Position.initial();
      for (Move move : moves) {
        position = position.play(move).orElseThrow();
      }
      return position;
    }

    /** Mostly legal moves in turn, so that games grow long; now and then anything at all. */
    Command anyCommand() {
      Side side = random.nextBoolean() ? Side.WHITE : Side.BLACK;
      if (game instanceof OngoingGame playing && random.nextInt(20) < 15) {
        List<Move> legal = playing.position().legalMoves();
        Move move = legal.get(random.nextInt(legal.size()));
        return new Play(playing.turn(), move, random.nextInt(20) == 0);
      }
      return switch (random.nextInt(100)) {
        case 0 -> new Command.Plain(Command.Type.RESIGN, side);
        case 1 -> new Command.Abandon(side);
        case 2, 3 -> new Command.Plain(Command.Type.ABORT, side);
        case 4, 5 -> new Command.Cancel(side);
        case 6, 7, 8 -> anyMove(side);
        default ->
            switch (random.nextInt(7)) {
              case 0 -> new Command.Plain(Command.Type.OFFER_DRAW, side);
              case 1 -> new Command.Plain(Command.Type.CLAIM_DRAW, side);
              case 2 -> new Command.Plain(Command.Type.DECLINE, side);
              case 3 -> new Command.TimeUp();
              case 4 -> acceptance(side);
              default -> new Command.Plain(Command.Type.TAKEBACK, side);
            };
      };
    }

    Play anyMove(Side side) {
      Move move = new Move(random.nextInt(64), random.nextInt(64), null);
      return new Play(side, move, random.nextInt(5) == 0);
    }

    /** Seldom of a draw, which would end most games early. */
    Command acceptance(Side side) {
      boolean draw = standing != null && standing.type() == Proposal.Type.DRAW;
      return draw && random.nextInt(8) > 0
          ? new Command.Plain(Command.Type.DECLINE, side)
          : new Command.Plain(Command.Type.ACCEPT, side);
    }
  }
}
