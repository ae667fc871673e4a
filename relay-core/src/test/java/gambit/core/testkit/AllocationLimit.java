package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/** Limits the heap memory that a task allocates, as the JVM counts it for the thread. */
public final class AllocationLimit {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationLimit() {}

  /**
   * Runs a task and asserts that it allocates at most that number of bytes. If it allocates more,
   * it is run once more, because the first run loads classes.
   */
  public static <T> T requireAtMost(long bytes, Supplier<T> task) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    T result = task.get();
    if (THREADS.getCurrentThreadAllocatedBytes() - before > bytes) {
      before = THREADS.getCurrentThreadAllocatedBytes();
      result = task.get();
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - before)
          .as("bytes allocated")
          .isLessThanOrEqualTo(bytes);
    }
    return result;
  }
}
