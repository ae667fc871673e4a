package gambit.app.hostile;

import gambit.app.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * What a relay has in memory, in bytes, once it has collected its garbage.
 *
 * @param heap what is alive on the heap; 0 where there is no {@code jcmd} to ask for the collection
 * @param resident all of the process' own pages; 0 where there is no {@code /proc}
 */
record Memory(long heap, long resident) {
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");
  private static final long HEAP_GROWTH = 8 << 20;
  private static final long RESIDENT_GROWTH = 32 << 20;
  private static final String HEAP = "jvm_memory_used_bytes{area=\"heap\",";

  static Memory of(Program relay) throws IOException, InterruptedException {
    long heap = 0;
    if (Files.isExecutable(JCMD)) {
      new ProcessBuilder(JCMD.toString(), Long.toString(relay.pid()), "GC.run")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      for (Map.Entry<String, Double> metric : relay.metrics().entrySet()) {
        heap += metric.getKey().startsWith(HEAP) ? metric.getValue().longValue() : 0;
      }
    } else {
      System.out.println("No jcmd: what is alive on the heap is not looked at");
    }
    return new Memory(heap, isTold() ? relay.status("RssAnon") << 10 : 0);
  }

  /** Whether the other one is no more than this one, but for what is told roughly. */
  boolean covers(Memory other) {
    return other.heap < heap + HEAP_GROWTH && other.resident < resident + RESIDENT_GROWTH;
  }

  /** Whether this system tells what processes have in memory. */
  static boolean isTold() {
    boolean told = Files.exists(Path.of("/proc/self/status"));
    if (!told) {
      System.out.println("No /proc: resident memory is not looked at");
    }
    return told;
  }

  @Override
  public String toString() {
    return (heap >> 20) + " MB of heap, " + (resident >> 20) + " MB resident";
  }
}
