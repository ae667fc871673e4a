package gambit.app.games;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The starts of the relay, by {@link System#nanoTime} just before each. Any thread. */
final class Starts {
  private final List<Long> times = new CopyOnWriteArrayList<>();

  void add() {
    times.add(System.nanoTime());
  }

  /** How many there were; the number of the one that runs, from 1. */
  int count() {
    return times.size();
  }

  long time(int start) {
    return times.get(start - 1);
  }
}
