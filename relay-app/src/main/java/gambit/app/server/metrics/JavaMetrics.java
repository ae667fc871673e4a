package gambit.app.server.metrics;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Micrometer's metrics of Java and the process, with texts in plain words: its own ones suppose
 * knowledge of Java's management interfaces. The pauses of garbage collection are a histogram, from
 * the first scrape on. Thread-safe.
 */
final class JavaMetrics implements MeterFilter, AutoCloseable {
  /**
   * The upper bounds of the buckets of a pause. One of more than a second has no bucket of its own.
   */
  private static final double[] PAUSE_BOUNDS_NANOS =
      LongStream.of(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
          .mapToDouble(millis -> Duration.ofMillis(millis).toNanos())
          .toArray();

  private static final Map<String, String> TEXTS =
      """
      jvm.buffer.count: Buffers outside the heap, by pool
      jvm.buffer.memory.used: Memory of buffers outside the heap, by pool
      jvm.buffer.total.capacity: Capacity of buffers outside the heap, by pool
      jvm.gc.concurrent.phase.time: Time of garbage collection during which the program continued
      jvm.gc.live.data.size: Bytes in the heap's old generation after its last collection
      jvm.gc.max.data.size: Largest size of the heap's old generation
      jvm.gc.memory.allocated: Bytes allocated on the heap, up to the last collection
      jvm.gc.memory.promoted: Bytes that collections have moved to the heap's old generation
      jvm.gc.pause: Pauses for garbage collection since the first scrape
      jvm.memory.committed: Memory that Java has from the system, by area and pool
      jvm.memory.max: Largest size of the memory, by area and pool; -1: no limit
      jvm.memory.used: Memory in use, by area and pool
      jvm.threads.daemon: Threads that do not keep the process alive
      jvm.threads.live: Threads
      jvm.threads.peak: Most threads at once since the start
      jvm.threads.started: Threads started since the start of the process
      jvm.threads.states: Threads, by state
      process.cpu.time: Processor time that the process has used, in nanoseconds
      process.cpu.usage: Part of all processors' time that the process uses, from 0 to 1
      process.files.max: Most files and sockets that the process may have open
      process.files.open: Files and sockets that the process has open
      process.start.time: When the process started, in seconds since 1970
      process.uptime: Time since the process started
      system.cpu.count: Processors that Java may use
      system.cpu.usage: Part of all processors' time that all programs use, from 0 to 1
      system.load.average.1m: Threads of all programs that ran or waited for a processor, average of a minute
      """
          .lines()
          .map(line -> line.split(": ", 2))
          .collect(Collectors.toMap(line -> line[0], line -> line[1]));

  private final MeterRegistry registry;

  @GuardedBy("this")
  private @Nullable JvmGcMetrics garbageCollection;

  JavaMetrics(MeterRegistry registry) {
    this.registry = registry;
    registry.config().meterFilter(this);
  }

  /** Called by each scrape; the first one registers the metrics, a part of a start otherwise. */
  synchronized void begin() {
    if (garbageCollection != null) {
      return;
    }
    garbageCollection = new JvmGcMetrics();
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbageCollection.bindTo(registry);
  }

  @Override
  public Meter.Id map(Meter.Id id) {
    String text = TEXTS.get(id.getName());
    return text == null
        ? id
        : new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), text, id.getType());
  }

  @Override
  public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
    return id.getName().equals("jvm.gc.pause")
        ? DistributionStatisticConfig.builder()
            .serviceLevelObjectives(PAUSE_BOUNDS_NANOS)
            .build()
            .merge(config)
        : config;
  }

  @Override
  public synchronized void close() {
    if (garbageCollection != null) {
      garbageCollection.close();
    }
  }
}
