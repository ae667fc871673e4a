package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Supplier;

/** How much memory something takes out of the heap, as the JVM counts it for the thread. */
public final class AllocationLimit {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationLimit() {}

  /**
   * Does it, and sees that it takes no more bytes than these; once more when it does, since what is
   * done for the first time loads classes.
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
