package gambit.app.tool.bot;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.GameCommands;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.RefusedException;
import gambit.chess.engine.Level;
import gambit.chess.game.Proposal;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One game of a bot: it has each position in which the bot is to move thought about once, and sends
 * the answer if the position still stands. It has one task at a time for the thinking threads.
 * Every method runs with the lock of this object, and none waits.
 */
final class BotGame {
  private final GameCommands client;
  private final Thinking thinking;
  private final Duration moveTime;
  private final Level level;
  private final Bot.Observer observer;
  private final LimitedRefusals refusals;

  private GameView view;

  /** The position that is being thought about or was answered, in FEN; empty if there is none. */
  private String answered = "";

  private boolean isQueued;

  /** The number of events that the relay has not answered; the client sends them again itself. */
  private int unanswered;

  private boolean isRetryScheduled;

  /** The delays after answers to one position that the relay did not accept. */
  private final Backoff backoff;

  private final GameAssessment assessment = new GameAssessment();

  /** Counts the positions to move in; the answer to an earlier one is not sent. */
  private int turn;

  /** Times of {@link System#nanoTime}: when the turn began, and before which no move is sent. */
  private long turnSince;

  private long replyAt;

  /** The ply at which a proposal of the opponent was answered, or -1. */
  private int proposalAnsweredAt = -1;

  private int plies;

  BotGame(
      GameCommands client,
      Thinking thinking,
      Duration moveTime,
      Level level,
      Bot.Observer observer,
      LimitedRefusals refusals,
      Backoff backoff,
      GameView view) {
    this.client = client;
    this.thinking = thinking;
    this.moveTime = moveTime;
    this.level = level;
    this.observer = observer;
    this.refusals = refusals;
    this.backoff = backoff;
    this.view = view;
  }

  /** Acts again, unless an answer is under way: it will be repeated if the relay refuses it. */
  synchronized void thinkAgain() {
    if (view.isRunning() && unanswered == 0) {
      answered = "";
      proposalAnsweredAt = -1;
      act();
    }
  }

  synchronized void update(GameView changed) {
    view = changed;
    act();
  }

  private void act() {
    Position position = view.position();
    plies = 2 * position.fullmoveNumber() + position.turn().index();
    Proposal proposal = view.proposal();
    if (proposal == null || !view.hasProposalOfOpponent()) {
      proposalAnsweredAt = -1;
    } else if (proposalAnsweredAt != plies) {
      proposalAnsweredAt = plies;
      if (accepts(proposal)) {
        sent(client.acceptProposal(view));
        return;
      }
      sent(client.declineProposal(view));
    }
    if (!isToMove(view)) {
      answered = "";
      backoff.reset();
    } else if (!position.fen().equals(answered)) {
      think(position);
    }
  }

  /** A proposal is answered at once, also in its own turn: the move alone would not say so. */
  private boolean accepts(Proposal proposal) {
    boolean isTakeback = proposal.type() == Proposal.Type.TAKEBACK;
    if (isTakeback) {
      assessment.reset();
    }
    return isTakeback || assessment.agreesToDraw(view.position());
  }

  /** Submits a task, unless there is one, which uses the position of the time when it runs. */
  private void think(Position position) {
    answered = position.fen();
    turn++;
    turnSince = System.nanoTime();
    TimeControl control = view.terms().time();
    long left = left(view);
    double lot = ThreadLocalRandom.current().nextDouble();
    replyAt = turnSince + ThinkingTime.reply(level, control, left, moveTime, lot).toNanos();
    if (!isQueued) {
      Duration within =
          left < 0 ? moveTime : Duration.ofMillis(ThinkingTime.share(control, left) / 2);
      isQueued = thinking.submit(within, this::choose);
      if (!isQueued && !thinking.isClosed()) {
        scheduleRetry();
      }
    }
  }

  private void choose(MoveChooser chooser) {
    GameView from = current();
    boolean isAnswered = false;
    try {
      if (isToMove(from)) {
        answerInTime(from, choose(chooser, from));
        isAnswered = true;
      }
    } finally {
      thought(from, isAnswered);
    }
  }

  private Choice choose(MoveChooser chooser, GameView from) {
    long start = System.nanoTime();
    Choice choice =
        OpeningBook.BOOK
            .move(from.position(), level, ThreadLocalRandom.current())
            .map(move -> new Choice(move, 0, Choice.Source.BOOK))
            .orElseGet(() -> chooser.choose(request(from)));
    observer.moveChosen(
        choice.source().name().toLowerCase(Locale.ROOT),
        Duration.ofNanos(System.nanoTime() - start));
    return choice;
  }

  private MoveRequest request(GameView from) {
    ThinkingTime time = time(from);
    return new MoveRequest(
        from.id(),
        from.complete() ? from.terms().initial() : from.position(),
        from.moves(),
        from.position(),
        level,
        time.think(),
        time.patience());
  }

  private synchronized GameView current() {
    return view;
  }

  /** The task has ended: another follows if the position has changed, or the task has failed. */
  private synchronized void thought(GameView from, boolean isAnswered) {
    isQueued = false;
    if (isToMove(view) && !isCurrent(from)) {
      think(view.position());
    } else if (isToMove(view) && !isAnswered) {
      scheduleRetry();
    }
  }

  private static boolean isToMove(GameView game) {
    return game.isOurTurn() && game.position().outcome().isEmpty();
  }

  private synchronized ThinkingTime time(GameView from) {
    long waited = (System.nanoTime() - turnSince) / 1_000_000;
    return ThinkingTime.of(
        from.terms().time(),
        left(from),
        waited,
        from.position().fullmoveNumber(),
        moveTime,
        thinking.sharing());
  }

  /** The milliseconds on the clock of the side to move; -1 if they are not known. */
  private static long left(GameView from) {
    GameClocks clocks = from.clocks();
    return clocks == null ? -1 : clocks.left(from.position().turn(), System.currentTimeMillis());
  }

  private synchronized boolean isCurrent(GameView from) {
    return view.isOurTurn() && view.position().fen().equals(from.position().fen());
  }

  /** Answers at once, or by the client's timer if that would be sooner than a person could. */
  private synchronized void answerInTime(GameView from, Choice choice) {
    long rest = replyAt - System.nanoTime();
    int chosenIn = turn;
    if (!isCurrent(from)) {
      return; // taken back, or ended
    } else if (rest <= 0) {
      answer(choice);
    } else {
      unanswered++;
      client.later(Duration.ofNanos(rest), () -> answerAfterDelay(from, choice, chosenIn));
    }
  }

  private synchronized void answerAfterDelay(GameView from, Choice choice, int chosenIn) {
    unanswered--;
    if (isCurrent(from) && turn == chosenIn) {
      answer(choice);
    }
  }

  private void answer(Choice choice) {
    Position position = view.position();
    assessment.add(position, choice.score());
    boolean isClaimable = position.threefold() || position.fiftyMoves();
    if (isClaimable && client.hasDrawClaims() && choice.score() <= 0) {
      sent(client.claimDraw(view));
    } else if (assessment.resigns(level, position)) {
      sent(client.resign(view));
    } else {
      sent(client.move(view, choice.move(), assessment.offersDraw(position)));
    }
  }

  private void sent(CompletableFuture<String> answer) {
    unanswered++;
    answer.whenComplete((ok, failure) -> answered(failure));
  }

  private synchronized void answered(@Nullable Throwable failure) {
    unanswered--;
    if (failure == null) {
      return;
    }
    if (failure instanceof RefusedException refused && !refused.prefix().equals("invalid")) {
      refusals.refused("an event in a game", String.valueOf(refused.getMessage()));
    }
    scheduleRetry();
  }

  /** There is no accepted answer: the position is thought about again after a time. */
  private void scheduleRetry() {
    if (!isRetryScheduled && view.isRunning()) {
      isRetryScheduled = true;
      client.later(backoff.next(), this::retryNow);
    }
  }

  private synchronized void retryNow() {
    isRetryScheduled = false;
    if (unanswered > 0) {
      scheduleRetry();
    } else {
      thinkAgain();
    }
  }

  synchronized @Nullable GameView view() {
    return view.isRunning() ? view : null;
  }
}
