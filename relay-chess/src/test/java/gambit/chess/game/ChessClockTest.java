package gambit.chess.game;

import static gambit.chess.game.SampleGames.START;
import static gambit.chess.game.SampleGames.next;
import static gambit.chess.game.SampleGames.play;
import static gambit.chess.game.SampleGames.position;
import static gambit.chess.game.SampleGames.timed;
import static gambit.chess.rules.Side.BLACK;
import static gambit.chess.rules.Side.WHITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.rules.Side;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The clocks of a game. First moves have 30 s, the allowance for lag is 200 ms, and times are given
 * in milliseconds since the start.
 */
class ChessClockTest {

  private static final long FIRST_MOVE = 30_000;
  private static final long LAG = 200;
  private static final long CREDIT = ChessClock.RESTART_CREDIT;

  @Test
  void noClockRunsBeforeTheFirstMoveOfEitherSide() {
    OngoingGame game = played(timed("60+5"), "e2e4", 20_000);
    assertClocks(game, 60_000, 60_000);
    game = played(game, "e7e5", 45_000);
    assertClocks(game, 60_000, 60_000);
    assertThat(game.moves().clocks()).containsExactly(600, 600);
    assertThat(game.clock().at(WHITE, START + 46_000)).isEqualTo(59_000);
    assertThat(game.clock().at(BLACK, START + 46_000)).isEqualTo(60_000);
  }

  @Test
  void firstMoveOfEitherSideHasItsOwnLimit() {
    OngoingGame start = timed("60+5");
    assertThat(start.deadline()).isEqualTo(START + FIRST_MOVE);
    OngoingGame moved = played(start, "e2e4", 29_999);
    assertThat(moved.deadline()).isEqualTo(START + 29_999 + FIRST_MOVE);
    FinishedGame over = (FinishedGame) next(moved, new Command.TimeUp(), moved.deadline());
    assertThat(over.termination()).isEqualTo(Termination.ABORTED);
  }

  @Test
  void moveIsChargedItsTimeLessTheLagAllowanceAndEarnsTheIncrement() {
    OngoingGame game = played(opened("60+5"), "g1f3", 10_000);
    assertClocks(game, 60_000 - (10_000 - LAG) + 5_000, 60_000);
    assertThat(game.moves().clocks()).endsWith((60_000 - 10_000 + 200 + 5_000) / 100);
    game = played(game, "b8c6", 10_150);
    assertClocks(game, 55_200, 65_000);
  }

  @Test
  void moveThatArrivedBeforeTheOpponentsMoveTakesNoTime() {
    OngoingGame game = played(opened("60"), "g1f3", 10_000);
    game = played(game, "b8c6", 9_000);
    assertClocks(game, 50_200, 60_000);
    assertThat(game.changedAt()).isEqualTo(START + 10_000);
    assertThat(game.deadline()).isEqualTo(START + 10_000 + 50_200 + LAG);
  }

  @Test
  void flagFallsWhenTimeAndLagAllowanceAreUsedUp() {
    OngoingGame game = opened("60");
    long flag = START + 60_000 + LAG;
    assertThat(game.deadline()).isEqualTo(flag);
    assertThat(((OngoingGame) next(game, play(WHITE, "g1f3"), flag - 1)).clock(WHITE)).isEqualTo(1);
    assertThat(Referee.decide(game, play(WHITE, "g1f3"), flag)).isSameAs(Referee.TOO_LATE);
    FinishedGame over = (FinishedGame) next(game, new Command.TimeUp(), flag);
    assertThat(over.result()).isEqualTo(Result.BLACK_WINS);
    assertThat(over.last().clock(WHITE)).isZero();
    assertThat(over.last().clock(BLACK)).isEqualTo(60_000);
  }

  @Test
  void timePerMoveIsResetEachTurn() {
    OngoingGame game = played(opened("1/20"), "g1f3", 12_200);
    assertClocks(game, 20_000, 20_000);
    assertThat(game.moves().clocks()).containsExactly(200, 200, 80);
    assertThat(game.deadline()).isEqualTo(START + 12_200 + 20_000 + LAG);
    assertThat(game.clock().at(BLACK, START + 13_200)).isEqualTo(19_000);
    assertThat(game.clock().at(WHITE, START + 13_200)).isEqualTo(20_000);
  }

  @Test
  void correspondenceClockRunsFromTheStart() {
    OngoingGame game = timed("1/86400");
    assertThat(game.deadline()).isEqualTo(START + 86_400_000 + LAG);
    assertThat(game.clock().at(WHITE, START + 1_000)).isEqualTo(86_399_000);
    game = played(game, "e2e4", 100_000);
    assertThat(game.deadline()).isEqualTo(START + 100_000 + 86_400_000 + LAG);
    OngoingGame fischer = played(timed("86400+3600"), "e2e4", 100_200);
    assertClocks(fischer, 86_400_000 - 100_000 + 3_600_000, 86_400_000);
    FinishedGame over =
        (FinishedGame) next(timed("1/3600"), new Command.TimeUp(), START + 3_600_000 + LAG);
    assertThat(over.termination()).isEqualTo(Termination.TIMEOUT);
  }

  @Test
  void untimedGameHasNeitherClocksNorADeadline() {
    OngoingGame game = played(timed("-"), "e2e4", 1_000_000_000_000L).resumed(START);
    assertThat(game.deadline()).isEqualTo(Long.MAX_VALUE);
    assertClocks(game, -1, -1);
    assertThat(game.moves().clocks()).containsExactly(-1);
  }

  @Test
  void tooLongClockIsStoredAsTheMaximum() {
    TimeControl control = TimeControl.parse("2592000+2592000").orElseThrow();
    long century = 3_155_760_000_000L;
    ChessClock clock =
        new ChessClock(new TimeLimits(control, FIRST_MOVE, LAG), century, century, WHITE, START, 0);
    assertThat(clock.tenthsAfterMove(WHITE, START)).isEqualTo(Integer.MAX_VALUE);
    assertThat(clock.tenthsAfterMove(BLACK, START)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void restartResumesClocksFromTheirLastValuesWithACredit() {
    OngoingGame game = opened("60");
    OngoingGame resumed = game.resumed(START + 40_000);
    assertThat(resumed.changedAt()).isEqualTo(game.changedAt());
    assertClocks(resumed, 60_000, 60_000);
    assertThat(resumed.clock().at(WHITE, START + 41_000)).isEqualTo(60_000 + CREDIT - 1_000);
    assertThat(resumed.clock().at(BLACK, START + 41_000)).isEqualTo(60_000 + CREDIT);
    assertThat(resumed.deadline()).isEqualTo(START + 40_000 + 60_000 + CREDIT + LAG);
    OngoingGame moved = played(resumed, "g1f3", 41_200);
    assertClocks(moved, 60_000 + CREDIT - 1_000, 60_000 + CREDIT);
    assertThat(moved.clock().resumedAt()).isZero();
  }

  @Test
  void twoRestartsWithoutAChangeBetweenGiveOneCredit() {
    OngoingGame once = opened("60").resumed(START + 40_000);
    OngoingGame twice = once.resumed(START + 90_000);
    assertThat(twice.clock()).isEqualTo(opened("60").resumed(START + 90_000).clock());
    assertThat(twice.deadline()).isEqualTo(START + 90_000 + 60_000 + CREDIT + LAG);
  }

  @Test
  void restartInTheMillisecondOfTheLastMoveGivesTheCredit() {
    OngoingGame resumed = opened("60").resumed(START);
    assertThat(resumed.deadline()).isEqualTo(START + 60_000 + CREDIT + LAG);
    assertClocks(played(resumed, "g1f3", 1_200), 60_000 + CREDIT - 1_000, 60_000 + CREDIT);
  }

  @Test
  void moveThatArrivedBeforeTheClocksWereResumedBeginsTheNextTurnThen() {
    OngoingGame moved = played(opened("60").resumed(START + 40_000), "g1f3", 30_000);
    assertThat(moved.changedAt()).isEqualTo(START + 40_000);
    assertClocks(moved, 60_000 + CREDIT, 60_000 + CREDIT);
    assertThat(moved.deadline()).isEqualTo(START + 40_000 + 60_000 + CREDIT + LAG);
  }

  @Test
  void offerRequestAndDeclineThatArrivedBeforeTheClocksWereResumedAreMadeThen() {
    OngoingGame resumed = opened("60").resumed(START + 40_000);
    for (Command proposal :
        List.of(
            new Command.Plain(Command.Type.OFFER_DRAW, BLACK),
            new Command.Plain(Command.Type.TAKEBACK, BLACK))) {
      OngoingGame proposed = (OngoingGame) next(resumed, proposal, START + 30_000);
      assertThat(proposed.changedAt()).isEqualTo(START + 40_000);
      assertClocks(proposed, 60_000 + CREDIT, 60_000 + CREDIT);
      assertThat(proposed.deadline()).isEqualTo(resumed.deadline());
      OngoingGame again = proposed.resumed(START + 50_000);
      OngoingGame declined =
          (OngoingGame) next(again, new Command.Plain(Command.Type.DECLINE, WHITE), START + 45_000);
      assertThat(declined.changedAt()).isEqualTo(START + 50_000);
    }
  }

  @Test
  void restartCreditIsStoredWithTheNextMove() {
    OngoingGame moved = played(opened("60+5").resumed(START + 40_000), "g1f3", 41_200);
    assertThat(moved.moves().clocks()).endsWith((60_000 - 1_000 + 5_000 + 15_000) / 100);
  }

  @Test
  void restartCreditPerMoveRemainsWithTheWaitingSide() {
    OngoingGame moved = played(opened("1/20").resumed(START + 40_000), "g1f3", 41_200);
    assertClocks(moved, 20_000, 20_000 + CREDIT);
    assertThat(moved.deadline()).isEqualTo(START + 41_200 + 20_000 + CREDIT + LAG);
    assertClocks(played(moved, "b8c6", 50_000), 20_000, 20_000);
  }

  @Test
  void takebackAfterARestartKeepsTheCredit() {
    OngoingGame asked =
        (OngoingGame)
            next(
                played(opened("60"), "g1f3", 200),
                new Command.Plain(Command.Type.TAKEBACK, WHITE),
                START + 200);
    OngoingGame resumed = asked.resumed(START + 40_000);
    OngoingGame back =
        (OngoingGame) next(resumed, new Command.Plain(Command.Type.ACCEPT, BLACK), START + 43_200);
    assertClocks(back, 60_000 + CREDIT, 60_000 + CREDIT - 3_000);
    assertThat(back.deadline()).isEqualTo(START + 43_200 + 60_000 + CREDIT + LAG);
  }

  @Test
  void limitOfTheFirstMoveStartsAgainAfterARestart() {
    OngoingGame resumed = timed("60").resumed(START + 1_000_000);
    assertThat(resumed.deadline()).isEqualTo(START + 1_000_000 + FIRST_MOVE);
    assertClocks(played(resumed, "e2e4", 1_000_001), 60_000 + CREDIT, 60_000 + CREDIT);
  }

  @Test
  void clocksAtTheLastChangeSurviveEveryRestart() {
    OngoingGame asked =
        (OngoingGame)
            next(opened("60"), new Command.Plain(Command.Type.OFFER_DRAW, BLACK), START + 7_000);
    assertClocks(asked, 53_000, 60_000);
    OngoingGame resumed = asked.resumed(START + 7_000);
    assertClocks(resumed, 53_000, 60_000);
    OngoingGame declined =
        (OngoingGame) next(resumed, new Command.Plain(Command.Type.DECLINE, WHITE), START + 9_000);
    assertClocks(declined, 60_000 + CREDIT - 2_000, 60_000 + CREDIT);
    assertClocks(declined.resumed(START + 90_000), 60_000 + CREDIT - 2_000, 60_000 + CREDIT);
    OngoingGame counted = (OngoingGame) next(resumed, play(WHITE, "a1a5"), START + 9_000);
    assertClocks(counted, 53_000, 60_000);
    assertThat(counted.deadline()).isEqualTo(resumed.deadline());
  }

  @Test
  void restartIsNeverEarlierThanTheLastChange() {
    OngoingGame asked =
        (OngoingGame)
            next(opened("60"), new Command.Plain(Command.Type.OFFER_DRAW, BLACK), START + 7_000);
    OngoingGame resumed = asked.resumed(START + 3_000);
    assertClocks(resumed, 53_000, 60_000);
    assertThat(resumed.deadline()).isEqualTo(START + 7_000 + 60_000 + CREDIT + LAG);
  }

  @Test
  void takebackChargesTheRunningSideWithoutIncrementAndRestartsTheTurn() {
    OngoingGame game = played(opened("60+5"), "g1f3", 10_200);
    game =
        (OngoingGame) next(game, new Command.Plain(Command.Type.TAKEBACK, WHITE), START + 11_000);
    game = (OngoingGame) next(game, new Command.Plain(Command.Type.ACCEPT, BLACK), START + 14_400);
    assertClocks(game, 55_000, 60_000 - 4_000);
    assertThat(game.turn()).isEqualTo(WHITE);
    assertThat(game.deadline()).isEqualTo(START + 14_400 + 55_000 + LAG);
  }

  @Test
  void takebackIsNeverEarlierThanTheLastChange() {
    OngoingGame game = played(opened("60"), "g1f3", 10_200);
    game =
        (OngoingGame) next(game, new Command.Plain(Command.Type.TAKEBACK, WHITE), START + 11_000);
    game = (OngoingGame) next(game, new Command.Plain(Command.Type.ACCEPT, BLACK), START + 10_500);
    assertThat(game.changedAt()).isEqualTo(START + 11_000);
  }

  @Test
  void takebackWithTimePerMoveGivesTheFullTime() {
    OngoingGame game = played(opened("1/20"), "g1f3", 15_000);
    game = played(game, "b8c6", 20_000);
    game =
        (OngoingGame) next(game, new Command.Plain(Command.Type.TAKEBACK, WHITE), START + 30_000);
    game = (OngoingGame) next(game, new Command.Plain(Command.Type.ACCEPT, BLACK), START + 39_000);
    assertClocks(game, 20_000, 20_000);
    assertThat(game.deadline()).isEqualTo(START + 39_000 + 20_000 + LAG);
  }

  @Test
  void firstMoveTakenBackIsAFirstMoveAgain() {
    OngoingGame game = played(timed("60"), "e2e4", 10_000);
    game =
        (OngoingGame) next(game, new Command.Plain(Command.Type.TAKEBACK, WHITE), START + 11_000);
    game = (OngoingGame) next(game, new Command.Plain(Command.Type.ACCEPT, BLACK), START + 12_000);
    assertClocks(game, 60_000, 60_000);
    assertThat(game.deadline()).isEqualTo(START + 12_000 + FIRST_MOVE);
  }

  @Test
  void sideToMoveInASetUpPositionMovesFirst() {
    OngoingGame game = timed(position("4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 12"), "60");
    game = played(game, "e7e5", 10_000);
    assertThat(game.deadline()).isEqualTo(START + 10_000 + FIRST_MOVE);
    game = played(game, "e2e4", 20_000);
    assertThat(game.deadline()).isEqualTo(START + 20_000 + 60_000 + LAG);
    assertThat(game.clock().running()).isEqualTo(BLACK);
  }

  @Test
  void lagAllowanceOfMoreThanHalfASecondIsRefused() {
    assertThatThrownBy(() -> new TimeLimits(TimeControl.UNTIMED, 0, 501))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A game after both first moves, which took no time. */
  private static OngoingGame opened(String control) {
    return played(played(timed(control), "e2e4", 0), "e7e5", 0);
  }

  private static OngoingGame played(OngoingGame game, String uci, long at) {
    Side side = game.turn();
    return (OngoingGame) next(game, play(side, uci), START + at);
  }

  private static void assertClocks(OngoingGame game, long white, long black) {
    assertThat(game.clock(WHITE)).isEqualTo(white);
    assertThat(game.clock(BLACK)).isEqualTo(black);
  }
}
