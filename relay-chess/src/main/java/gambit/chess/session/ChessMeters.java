package gambit.chess.session;

import gambit.chess.game.Termination;
import gambit.core.meter.Meters;

/** What is measured about chess. Written on the chess lane, read anywhere. */
final class ChessMeters {
  private final Meters meters;
  private final Meters.Counter moves;
  private volatile int searching;
  private volatile int games;

  ChessMeters(Meters meters) {
    this.meters = meters;
    this.moves = meters.counter("chess_moves", "Legal moves played");
    meters.gauge("chess_searching", "Players who look for a game", () -> searching);
    meters.gauge("chess_games", "Games that run", () -> games);
    for (Termination termination : Termination.values()) {
      endings(termination);
    }
  }

  void now(int searching, int games) {
    this.searching = searching;
    this.games = games;
  }

  void moved() {
    moves.increment();
  }

  void ended(Termination termination) {
    endings(termination).increment();
  }

  private Meters.Counter endings(Termination termination) {
    return meters.counter(
        "chess_endings", "Games that ended, by how", "termination", termination.word());
  }
}
