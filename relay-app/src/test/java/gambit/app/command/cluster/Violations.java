package gambit.app.command.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** What was found that must not be. Thread-safe. */
final class Violations {
  private static final int MOST_SHOWN = 20;

  /** The longest time for a thread to finish what it does. */
  private static final Duration END = Duration.ofMinutes(2);

  private final List<String> found = new CopyOnWriteArrayList<>();

  void add(String text) {
    if (found.size() < MOST_SHOWN) {
      found.add(text);
      System.out.println("VIOLATION " + text);
    }
  }

  /** Starts a thread whose death by an exception is a violation. */
  Thread start(String name, Runnable task) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } catch (RuntimeException | Error e) {
                e.printStackTrace(System.out);
                add("a thread died: " + e);
              }
            },
            name);
    thread.start();
    return thread;
  }

  /** Waits until threads have ended; one that does not is a violation. */
  void join(Stream<Thread> threads) {
    threads.forEach(
        it -> {
          try {
            it.join(END.toMillis());
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
          if (it.isAlive()) {
            add(it.getName() + " does not end: " + List.of(it.getStackTrace()));
          }
        });
  }

  /** Asserts that there is none. */
  void check() {
    assertThat(found).isEmpty();
  }
}
