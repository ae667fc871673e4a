package gambit.app;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * The options for Java that the launch script gives a relay, for one that was started without a
 * size of the heap: Java's default is a quarter of the machine's memory.
 */
final class HeapAdvice {
  private static final long MEGABYTE = 1 << 20;

  private HeapAdvice() {}

  /** A sentence with the options; empty if a size of the heap was given. */
  static Optional<String> sentence() {
    boolean isGiven =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .anyMatch(it -> it.matches("-Xmx.*|-XX:Max(HeapSize|RAM).*"));
    return isGiven ? Optional.empty() : Optional.of(ofMachine());
  }

  private static String ofMachine() {
    var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long memory = machine.getTotalMemorySize() / MEGABYTE;
    long heap = Math.min(512, memory * 2 / 5);
    return String.format(
        "Java's heap may grow to %d of the %d MB of this machine. Start the relay with the launch"
            + " script gambit, or give java: -XX:+UseSerialGC -Xms%dm -XX:NewSize=%dm -XX:MaxNewSize=%dm"
            + " -XX:NewRatio=1 -Xmx%dm -XX:SurvivorRatio=6 -XX:MetaspaceSize=64m -XX:FreqInlineSize=150"
            + " -XX:InlineSmallCode=1200 -XX:+ExitOnOutOfMemoryError",
        Runtime.getRuntime().maxMemory() / MEGABYTE,
        memory,
        Math.min(64, heap),
        Math.min(32, heap / 2),
        Math.min(192, heap / 2),
        heap);
  }
}
