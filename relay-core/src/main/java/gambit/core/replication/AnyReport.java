package gambit.core.replication;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Combines the reports on the parts of an output: true with the first positive one, false when all
 * are negative. Later reports have no effect. Thread-safe.
 */
final class AnyReport implements Consumer<Boolean> {
  private final AtomicInteger left;
  private final Consumer<Boolean> whole;

  /**
   * Expects reports.
   *
   * @param parts the number of reports
   * @param whole called once, on the thread of the report that decides
   */
  AnyReport(int parts, Consumer<Boolean> whole) {
    this.left = new AtomicInteger(parts);
    this.whole = whole;
  }

  @Override
  public void accept(Boolean isSent) {
    int before = left.getAndUpdate(parts -> isSent ? 0 : Math.max(0, parts - 1));
    if (before > 0 && (isSent || before == 1)) {
      whole.accept(isSent);
    }
  }
}
