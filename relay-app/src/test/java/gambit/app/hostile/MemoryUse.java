package gambit.app.hostile;

import gambit.app.DiagnosticCommand;
import gambit.app.GambitProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * The memory of a relay after a garbage collection, in bytes.
 *
 * @param heap the live objects on the heap; 0 without {@code jcmd}, which requests the collection
 * @param resident the anonymous resident pages of the process; 0 without {@code /proc}
 */
record MemoryUse(long heap, long resident) {
  private static final long HEAP_TOLERANCE_BYTES = 8 << 20;
  private static final long RESIDENT_TOLERANCE_BYTES = 32 << 20;
  private static final String HEAP_METRIC_PREFIX = "jvm_memory_used_bytes{area=\"heap\",";

  static MemoryUse of(GambitProcess relay) throws IOException {
    long heap = 0;
    if (DiagnosticCommand.isAvailable()) {
      DiagnosticCommand.run(relay.pid(), "GC.run");
      for (Map.Entry<String, Double> metric : relay.metrics().entrySet()) {
        heap += metric.getKey().startsWith(HEAP_METRIC_PREFIX) ? metric.getValue().longValue() : 0;
      }
    } else {
      System.out.println("No jcmd: the live heap is not measured");
    }
    return new MemoryUse(heap, isAvailable() ? relay.status("RssAnon") << 10 : 0);
  }

  /** Whether the other value is no greater, within the accuracy of the measurement. */
  boolean covers(MemoryUse other) {
    return other.heap < heap + HEAP_TOLERANCE_BYTES
        && other.resident < resident + RESIDENT_TOLERANCE_BYTES;
  }

  /** Whether this system reports the memory of processes. */
  static boolean isAvailable() {
    boolean isAvailable = Files.exists(Path.of("/proc/self/status"));
    if (!isAvailable) {
      System.out.println("No /proc: resident memory is not measured");
    }
    return isAvailable;
  }

  @Override
  public String toString() {
    return (heap >> 20) + " MB of heap, " + (resident >> 20) + " MB resident";
  }
}
