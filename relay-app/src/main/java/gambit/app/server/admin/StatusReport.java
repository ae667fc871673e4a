package gambit.app.server.admin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.app.common.Amounts;
import gambit.app.server.metrics.MicrometerMetrics;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The state of the program in one look. Any thread.
 *
 * @param minFreeBytes the setting {@code store.min_free}
 * @param certificateProblem why there is no newer certificate, in a sentence
 */
record StatusReport(
    String version,
    Path data,
    MicrometerMetrics metrics,
    InstantSource time,
    LongSupplier minFreeBytes,
    Supplier<Optional<String>> certificateProblem) {
  /** Room for so many times {@code store.min_free} is little. */
  private static final int LITTLE = 4;

  ObjectNode json() {
    ObjectNode status = JsonNodeFactory.instance.objectNode();
    long free = data.toFile().getUsableSpace();
    status
        .put("version", version)
        .put("java", Runtime.version().toString())
        .put("started", ManagementFactory.getRuntimeMXBean().getStartTime() / 1000)
        .put("events", (long) metrics.gauge("stored_events"))
        .put("store_bytes", (long) metrics.gauge("stored_bytes"))
        .put("disk_free_bytes", free)
        .put("disk_bytes", data.toFile().getTotalSpace())
        .put("needs_room", needsRoom(free, minFreeBytes.getAsLong()).orElse(null));
    double until = metrics.gauge("tls_certificate_expiry_timestamp_seconds");
    if (Double.isNaN(until)) {
      status.putNull("certificate");
    } else {
      Optional<String> expired =
          until < time.instant().getEpochSecond()
              ? Optional.of("The certificate has expired: clients refuse it.")
              : Optional.empty();
      status
          .putObject("certificate")
          .put("until", (long) until)
          .put("problem", certificateProblem.get().or(() -> expired).orElse(null));
    }
    return status.put("peers", (long) metrics.gauge("mirrors"));
  }

  /** What to do about the disk, in a sentence; nothing while there is room. */
  static Optional<String> needsRoom(long free, long minFree) {
    if (free < minFree) {
      return Optional.of(
          "The store is full: "
              + Amounts.ofBytes(free)
              + " are free, store.min_free is "
              + Amounts.ofBytes(minFree)
              + ". Events of clients are refused until there is room.");
    } else if (free < LITTLE * minFree) {
      return Optional.of(
          "Only "
              + Amounts.ofBytes(free)
              + " are free; with less than "
              + Amounts.ofBytes(minFree)
              + " (store.min_free), events of clients are refused.");
    }
    return Optional.empty();
  }
}
