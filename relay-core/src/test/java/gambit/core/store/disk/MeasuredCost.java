package gambit.core.store.disk;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * The cost of some work, in nanoseconds.
 *
 * @param wallNanos elapsed time
 * @param processCpuNanos CPU time of the process
 * @param threadCpuNanos CPU time of the thread
 */
record MeasuredCost(long wallNanos, long processCpuNanos, long threadCpuNanos) {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final OperatingSystemMXBean SYSTEM =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  /** The work to measure. */
  interface Work {
    void run() throws Exception;
  }

  static MeasuredCost of(Work work) throws Exception {
    long wall = System.nanoTime();
    long process = SYSTEM.getProcessCpuTime();
    long thread = THREADS.getCurrentThreadCpuTime();
    work.run();
    return new MeasuredCost(
        System.nanoTime() - wall,
        SYSTEM.getProcessCpuTime() - process,
        THREADS.getCurrentThreadCpuTime() - thread);
  }

  /** The number of bytes that this thread has allocated so far. */
  static long allocatedBytes() {
    return THREADS.getCurrentThreadAllocatedBytes();
  }

  /** The CPU time of this thread only, for short work. */
  static long threadCpuNanosOf(Work work) throws Exception {
    long before = THREADS.getCurrentThreadCpuTime();
    work.run();
    return THREADS.getCurrentThreadCpuTime() - before;
  }

  static double median(List<MeasuredCost> costs, ToLongFunction<MeasuredCost> of) {
    return median(costs.stream().mapToLong(of).toArray());
  }

  static double median(long[] values) {
    long[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0;
  }
}
