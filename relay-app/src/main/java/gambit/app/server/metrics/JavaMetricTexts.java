package gambit.app.server.metrics;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.config.MeterFilter;
import java.util.Map;

/**
 * Says in plain words what Micrometer's metrics of Java and the process count; its own texts
 * suppose knowledge of Java's management interfaces. Immutable.
 */
final class JavaMetricTexts implements MeterFilter {
  private static final Map<String, String> TEXTS =
      Map.ofEntries(
          Map.entry("jvm.buffer.count", "Buffers outside the heap, by pool"),
          Map.entry("jvm.buffer.memory.used", "Memory of buffers outside the heap, by pool"),
          Map.entry("jvm.buffer.total.capacity", "Capacity of buffers outside the heap, by pool"),
          Map.entry(
              "jvm.gc.concurrent.phase.time",
              "Time of garbage collection during which the program continued"),
          Map.entry(
              "jvm.gc.live.data.size",
              "Bytes in the heap's old generation after its last collection"),
          Map.entry("jvm.gc.max.data.size", "Largest size of the heap's old generation"),
          Map.entry(
              "jvm.gc.memory.allocated", "Bytes allocated on the heap, up to the last collection"),
          Map.entry(
              "jvm.gc.memory.promoted",
              "Bytes that collections have moved to the heap's old generation"),
          Map.entry("jvm.gc.pause", "Time for which garbage collection has stopped the program"),
          Map.entry(
              "jvm.memory.committed", "Memory that Java has from the system, by area and pool"),
          Map.entry("jvm.memory.max", "Largest size of the memory, by area and pool; -1: no limit"),
          Map.entry("jvm.memory.used", "Memory in use, by area and pool"),
          Map.entry("jvm.threads.daemon", "Threads that do not keep the process alive"),
          Map.entry("jvm.threads.live", "Threads"),
          Map.entry("jvm.threads.peak", "Most threads at once since the start"),
          Map.entry("jvm.threads.started", "Threads started since the start of the process"),
          Map.entry("jvm.threads.states", "Threads, by state"),
          Map.entry("process.cpu.time", "Processor time that the process has used, in nanoseconds"),
          Map.entry(
              "process.cpu.usage",
              "Part of all processors' time that the process uses, from 0 to 1"),
          Map.entry("process.files.max", "Most files and sockets that the process may have open"),
          Map.entry("process.files.open", "Files and sockets that the process has open"),
          Map.entry("process.start.time", "When the process started, in seconds since 1970"),
          Map.entry("process.uptime", "Time since the process started"),
          Map.entry("system.cpu.count", "Processors that Java may use"),
          Map.entry(
              "system.cpu.usage",
              "Part of all processors' time that all programs use, from 0 to 1"),
          Map.entry(
              "system.load.average.1m",
              "Threads of all programs that ran or waited for a processor, average of a minute"));

  @Override
  public Meter.Id map(Meter.Id id) {
    String text = TEXTS.get(id.getName());
    return text == null
        ? id
        : new Meter.Id(id.getName(), Tags.of(id.getTags()), id.getBaseUnit(), text, id.getType());
  }
}
