package gambit.app.games;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The times of the starts of the relay, by {@link System#nanoTime}. Thread-safe. */
final class RelayStarts {
  private final List<Long> times = new CopyOnWriteArrayList<>();

  void add() {
    times.add(System.nanoTime());
  }

  /** The number of starts, which is also the number of the current one. */
  int count() {
    return times.size();
  }

  long time(int start) {
    return times.get(start - 1);
  }
}
