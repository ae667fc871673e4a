package gambit.app.tool.bot;

import gambit.app.tool.bot.MoveChooser.Choice;
import gambit.app.tool.bot.MoveChooser.MoveRequest;
import gambit.app.tool.client.Backoff;
import gambit.app.tool.client.GameCommands;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameClocks;
import gambit.app.tool.client.RefusedException;
import gambit.chess.engine.Level;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnReader;
import gambit.chess.game.Proposal;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
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
  private final Bot.LimitedRefusals refusals;

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
      Bot.LimitedRefusals refusals,
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
        sent(client.act(view, Act.ACCEPT));
        return;
      }
      sent(client.act(view, Act.DECLINE));
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

  synchronized GameView current() {
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
      sent(client.act(view, Act.CLAIM_DRAW));
    } else if (assessment.resigns(level, position)) {
      sent(client.act(view, Act.RESIGN));
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

  /** The time for the search, and that after which any move must be sent: the clock may run out. */
  record ThinkingTime(Duration think, Duration patience) {
    private static final long LEAST_MILLIS = 10;
    private static final long PATIENCE_MILLIS = 3000;
    private static final int MOVES_TO_GO = 30;
    private static final int OPENING_MOVES = 5;
    private static final int OPENING_DIVISOR = 4;

    /** The time for a move to reach the relay and to be committed. */
    static final long COMMIT_MILLIS = 30;

    /** The least and the greatest time of an answer of each level, as parts of the longest time. */
    private static final double[][] REPLY = {
      {0.4, 0.8}, {0.5, 1.0}, {0.6, 1.2}, {0.7, 1.5}, {0.4, 0.6}
    };

    /** At most 1/4 of the rest: 1/30 and half of the increment, in ms, until the commit. */
    static long share(TimeControl control, long left) {
      return control.isPerMove()
          ? left / 4
          : Math.min(left / 4, left / MOVES_TO_GO + control.incrementMillis() / 2);
    }

    /**
     * Divides the time that is left among the moves to come, and the longest time for a move among
     * the games that wait for one thread. The first moves are played quickly. Milliseconds: left on
     * the clock, or -1 if there is none, and waited since the turn began.
     */
    static ThinkingTime of(
        TimeControl control, long left, long waited, int move, Duration longest, int sharing) {
      long most = longest.toMillis();
      if (move <= OPENING_MOVES) {
        most /= OPENING_DIVISOR;
      }
      long share = left < 0 ? Long.MAX_VALUE : share(control, left + waited);
      most = Math.min(most, share) / Math.max(1, sharing);
      long patience = Math.max(most, LEAST_MILLIS) + PATIENCE_MILLIS;
      if (left >= 0) {
        most = Math.min(most, share - waited - COMMIT_MILLIS);
        patience = Math.min(patience, left / 2);
      }
      long think = Math.max(LEAST_MILLIS, most);
      return new ThinkingTime(
          Duration.ofMillis(think), Duration.ofMillis(Math.max(think, patience)));
    }

    /**
     * The time from the beginning of the turn before which the move is not sent, although it has
     * been chosen: instant answers irritate people. It is at most half of the move's share of the
     * time left; the lot is from 0 to 1.
     */
    static Duration reply(
        Level level, TimeControl control, long left, Duration longest, double lot) {
      double[] range = REPLY[level.number() - 1];
      long millis = (long) (longest.toMillis() * (range[0] + lot * (range[1] - range[0])));
      return Duration.ofMillis(left < 0 ? millis : Math.min(millis, share(control, left) / 2));
    }
  }

  /** Whether a game is lost or a draw, by the scores of the bot's last turns. Owned by its game. */
  static final class GameAssessment {
    /** With such a score for so many moves, and so many pawns less, a game is lost. */
    private static final int LOST = -900;

    private static final int LOST_MOVES = 4;
    private static final int LOST_PAWNS = 5;

    /** Being mated is a score below this. */
    private static final int MATED = -29_000;

    /** With such a score, a draw is a gain. */
    private static final int LOSING = -150;

    /** With a score this close to 0 for so many moves, a late game is a draw. */
    private static final int EVEN = 30;

    private static final int EVEN_MOVES = 8;

    /** The value of all pieces other than pawns in a late game, in pawns: two rooks each. */
    private static final int LATE = 20;

    /** Without pawns, such an advantage does not win: rook against bishop, for instance. */
    private static final int DRAWN_PAWNS = 3;

    /** At least the plies that the relay requires between two offers of a player. */
    private static final int PLIES_BETWEEN_OFFERS = 40;

    private static final int[] VALUES = {1, 3, 3, 5, 9, 0};

    private int score;
    private int lostMoves;
    private int evenMoves;
    private int offeredAt = -PLIES_BETWEEN_OFFERS;

    /** Adds the score of a position for the bot, which is to move. */
    void add(Position position, int value) {
      score = value;
      lostMoves = value <= LOST ? lostMoves + 1 : 0;
      int pieces = pieces(position, Side.WHITE) + pieces(position, Side.BLACK);
      evenMoves = Math.abs(value) <= EVEN && pieces <= LATE ? evenMoves + 1 : 0;
    }

    void reset() {
      lostMoves = 0;
      evenMoves = 0;
    }

    /** Whether a bot of a level resigns; weak ones let their opponents practise the mate. */
    boolean resigns(Level level, Position position) {
      Side ours = position.turn();
      int behind = material(position, ours.opponent()) - material(position, ours);
      return level.number() >= Level.THREE.number()
          && lostMoves >= LOST_MOVES
          && (behind >= LOST_PAWNS || score < MATED);
    }

    boolean agreesToDraw(Position position) {
      return score <= LOSING || isDrawn(position);
    }

    /** Whether the bot offers a draw with its move, which is remembered. */
    boolean offersDraw(Position position) {
      int ply = 2 * position.fullmoveNumber() + position.turn().index();
      boolean isOffered = isDrawn(position) && ply - offeredAt >= PLIES_BETWEEN_OFFERS;
      offeredAt = isOffered ? ply : offeredAt;
      return isOffered;
    }

    private boolean isDrawn(Position position) {
      int difference = material(position, Side.WHITE) - material(position, Side.BLACK);
      return evenMoves >= EVEN_MOVES
          || (position.occurrences() >= 2 && Math.abs(score) <= EVEN)
          || (pawns(position) == 0 && Math.abs(difference) <= DRAWN_PAWNS);
    }

    private static int pawns(Position position) {
      return Long.bitCount(
          position.squares(Side.WHITE, PieceKind.PAWN)
              | position.squares(Side.BLACK, PieceKind.PAWN));
    }

    private static int pieces(Position position, Side side) {
      return material(position, side) - Long.bitCount(position.squares(side, PieceKind.PAWN));
    }

    private static int material(Position position, Side side) {
      int sum = 0;
      for (PieceKind kind : PieceKind.values()) {
        sum += VALUES[kind.index()] * Long.bitCount(position.squares(side, kind));
      }
      return sum;
    }
  }

  /** Openings of the lower levels: the more lines have a move, the likelier it is. Immutable. */
  static final class OpeningBook {
    private static final String RESOURCE = "openings.txt";

    /** The number of the last move that each level knows; the strongest finds its own. */
    private static final int[] LAST_MOVES = {2, 3, 4, 6, 0};

    static final OpeningBook BOOK = new OpeningBook();

    /** The continuations of each position, one for each line. */
    final Map<String, List<Move>> moves = new HashMap<>();

    private OpeningBook() {
      try (InputStream in = OpeningBook.class.getResourceAsStream(RESOURCE)) {
        byte[] all = Objects.requireNonNull(in, RESOURCE).readAllBytes();
        new String(all, StandardCharsets.US_ASCII).lines().forEach(this::add);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Adds a line: the name of the opening, a colon, and moves in SAN. */
    private void add(String line) {
      try {
        Position position = Position.initial();
        String san = line.substring(line.indexOf(':') + 1);
        for (Move move : PgnReader.read(san + " *").moves().toList()) {
          moves.computeIfAbsent(key(position), each -> new ArrayList<>()).add(move);
          position = position.play(move).orElseThrow();
        }
      } catch (PgnException e) {
        throw new IllegalStateException(line, e);
      }
    }

    /** The position without its counters, so that other orders of the moves lead to it, too. */
    private static String key(Position position) {
      String[] fields = position.fen().split(" ", 4);
      return fields[0] + fields[1] + fields[2];
    }

    Optional<Move> move(Position position, Level level, RandomGenerator random) {
      if (position.fullmoveNumber() > LAST_MOVES[level.number() - 1]) {
        return Optional.empty();
      }
      List<Move> known = moves.getOrDefault(key(position), List.of());
      return known.isEmpty()
          ? Optional.empty()
          : Optional.of(known.get(random.nextInt(known.size())));
    }
  }
}
