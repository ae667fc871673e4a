package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Overtaken;
import gambit.core.replication.SharedLog.Range;
import io.nats.client.JetStreamManagement;
import io.nats.client.api.StreamConfiguration;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Settings, connections and entries for tests with real servers. */
final class TestCluster {
  static final NatsAccess NO_CREDENTIALS =
      new NatsAccess(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          "",
          "",
          Optional.empty(),
          Optional.empty());

  static final Duration LONG = Duration.ofMinutes(2);

  /** Failures after which a node would end, of the test that runs. */
  static final List<Throwable> FAILURES = new CopyOnWriteArrayList<>();

  private TestCluster() {}

  static ClusterSettings settings(List<String> servers, String name) {
    return settings(servers, name, Duration.ofHours(12), NO_CREDENTIALS);
  }

  static ClusterSettings settings(
      List<String> servers, String name, Duration keep, NatsAccess access) {
    return new ClusterSettings(
        servers, name, 0, keep, Duration.ofSeconds(10), Duration.ofMillis(2500), access);
  }

  static NatsConnection connect(ClusterSettings settings) throws Exception {
    return new NatsConnection(settings, FAILURES::add);
  }

  /** Asserts that the test had no failure after which a node would end; for the end of each. */
  static void assertNoFailures() {
    List<Throwable> found = List.copyOf(FAILURES);
    FAILURES.clear();
    assertThat(found).isEmpty();
  }

  /** Has a log remove all entries that it has, as if time had passed. */
  static void trim(NatsConnection connection, String stream) throws Exception {
    JetStreamManagement management = connection.library().jetStreamManagement();
    StreamConfiguration configuration = management.getStreamInfo(stream).getConfiguration();
    management.updateStream(
        StreamConfiguration.builder(configuration)
            .duplicateWindow(Duration.ofMillis(100))
            .maxAge(Duration.ofMillis(100))
            .build());
    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> management.getStreamInfo(stream).getStreamState().getMsgCount() == 0);
    management.updateStream(configuration);
  }

  static byte[] entry(long number) {
    return ("entry " + number).getBytes(StandardCharsets.US_ASCII);
  }

  /** Appends entries with the numbers after the last one. */
  static void append(NatsLog log, long last, int count) throws Exception {
    for (long number = last + 1; number <= last + count; number++) {
      log.append(number - 1, entry(number));
    }
  }

  /** Reads entries until that number, and asserts that they are those of {@link #append}. */
  static void assertReads(NatsLog log, long from, long last) throws Exception {
    long next = from;
    while (next <= last) {
      List<byte[]> entries = log.read(next, LONG);
      assertThat(entries).as("entries from %s", next).isNotEmpty();
      for (byte[] each : entries) {
        assertThat(each).isEqualTo(entry(next++));
      }
    }
    assertThat(next).isEqualTo(last + 1);
  }

  /** Like {@link #assertReads}, of servers that have just started. */
  static void assertReadsInTheEnd(NatsLog log, long from, long last) {
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(LogUnavailable.class)
        .untilAsserted(() -> assertReads(log, from, last));
  }

  /**
   * Appends an entry for as long as it takes, as a leader does that does not know whether it has
   * been appended.
   */
  static void appendInTheEnd(NatsLog log, long last) {
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(LogUnavailable.class)
        .until(
            () -> {
              try {
                log.append(last, entry(last + 1));
                return true;
              } catch (Overtaken e) {
                return log.range().last() == last + 1;
              }
            });
  }

  /** The range of a log, without the age of the answer, as soon as it is available. */
  static Range range(NatsLog log) {
    List<Range> found = new ArrayList<>();
    await()
        .atMost(Duration.ofMinutes(2))
        .ignoreExceptionsInstanceOf(LogUnavailable.class)
        .until(() -> found.add(log.range()));
    return new Range(found.get(0).first(), found.get(0).last());
  }
}
