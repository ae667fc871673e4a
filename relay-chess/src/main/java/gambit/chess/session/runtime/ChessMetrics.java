package gambit.chess.session.runtime;

import gambit.chess.game.Termination;
import gambit.core.metrics.Metrics;
import gambit.core.metrics.Metrics.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/** The metrics of chess. Written on the chess lane, read on any thread. */
public final class ChessMetrics {
  private final Counter moves;
  private final Map<Termination, Counter> endings = new EnumMap<>(Termination.class);
  private volatile int searching;
  private volatile int games;
  private volatile int invites;

  public ChessMetrics(Metrics metrics) {
    this.moves = metrics.counter("chess_moves", "Legal moves played");
    metrics.gauge("chess_searching", "Players who search for an opponent", () -> searching);
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

  /** Sets the gauges. */
  public void setGauges(int searching, int games, int invites) {
    this.searching = searching;
    this.games = games;
    this.invites = invites;
  }

  public void moved() {
    moves.increment();
  }

  public void ended(Termination termination) {
    Objects.requireNonNull(endings.get(termination)).increment();
  }
}
