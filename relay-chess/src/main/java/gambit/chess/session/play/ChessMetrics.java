package gambit.chess.session.play;

import gambit.chess.game.Termination;
import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import gambit.core.metrics.Metrics.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The metrics of chess. Gauges are set on the chess lane; other methods may be called anywhere. */
public final class ChessMetrics {
  private final Counter moves;
  private final Counter reminders;
  private final Map<Termination, Counter> endings = new EnumMap<>(Termination.class);
  private final Timer wait;
  private final Timer decision;
  private final Timer moveDelivery;
  private final InstantSource time;
  private volatile int searching;
  private volatile int players;
  private volatile int games;
  private volatile int invites;

  public ChessMetrics(Metrics metrics, InstantSource time) {
    this.time = time;
    this.wait =
        metrics.timer(
            "chess_wait_seconds", "Time that a chess event of a player waits for the chess thread");
    this.decision =
        metrics.timer(
            "chess_decision_seconds",
            "Time of the chess thread to decide on an event of a player, the referee included");
    this.moveDelivery =
        metrics.timer(
            "chess_move_delivery_seconds",
            "Time from the arrival of a move until it is handed to the opponent's socket");
    this.moves = metrics.counter("chess_moves", "Legal moves played");
    this.reminders =
        metrics.counter("chess_reminders", "Private messages that remind players of slow games");
    metrics.gauge("chess_searching", "Players who search for an opponent", () -> searching);
    metrics.gauge(
        "chess_players", "Players of running games, without those of kind 30", () -> players);
    metrics.gauge("chess_games", "Running games", () -> games);
    metrics.gauge("chess_invites", "Pending invites", () -> invites);
    for (Termination termination : Termination.values()) {
      endings.put(
          termination,
          metrics.counter(
              "chess_endings",
              "Finished games, by termination",
              "termination",
              termination.word()));
    }
  }

  /** Measures the wait of a task for the chess lane, from now on, and its duration. */
  public Runnable measured(Runnable task) {
    long queued = System.nanoTime();
    return () -> {
      long begun = System.nanoTime();
      wait.record(begun - queued);
      task.run();
      decision.recordSince(begun);
    };
  }

  public void moveDelivered(Instant arrivedAt) {
    moveDelivery.record(Duration.between(arrivedAt, time.instant()).toNanos());
  }

  public void setGauges(int searching, int players, int games, int invites) {
    this.players = players;
    this.searching = searching;
    this.games = games;
    this.invites = invites;
  }

  public void moved() {
    moves.increment();
  }

  public void reminded() {
    reminders.increment();
  }

  public void ended(Termination termination) {
    Objects.requireNonNull(endings.get(termination)).increment();
  }
}
