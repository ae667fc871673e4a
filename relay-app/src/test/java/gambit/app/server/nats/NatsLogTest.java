package gambit.app.server.nats;

import static gambit.app.server.nats.TestCluster.append;
import static gambit.app.server.nats.TestCluster.appendInTheEnd;
import static gambit.app.server.nats.TestCluster.assertReads;
import static gambit.app.server.nats.TestCluster.assertReadsInTheEnd;
import static gambit.app.server.nats.TestCluster.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.replication.SharedLog.EntriesGone;
import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Overtaken;
import gambit.core.replication.SharedLog.Range;
import gambit.core.testkit.ClassLog;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The shared log on one real server. */
class NatsLogTest {
  @RegisterExtension private static final OneNatsServer NATS = new OneNatsServer();

  private String name;
  private NatsLog log;

  @BeforeEach
  void open() throws Exception {
    name = NATS.settings().name();
    log = logOf(NATS.connection());
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void aNewLogIsEmptyBeforeItsFirstNumberAndHasTheIdOfItsCluster() throws Exception {
    assertThat(log.open()).isEmpty();
    assertThat(log.create(1000, "0badcafe", "cc")).isTrue();
    assertThat(log.open()).contains(new NatsLog.Existing("0badcafe", "cc", new Range(1000, 999)));
    assertThat(log.read(1000, Duration.ofMillis(1))).isEmpty();
    log.append(999, entry(1000));
    assertThat(log.range()).isEqualTo(new Range(1000, 1000));
    assertReads(log, 1000, 1000);
  }

  @Test
  void aLogIsCreatedOnce() throws Exception {
    assertThat(log.create(7, "aa", "cc")).isTrue();
    append(log, 6, 1);
    assertThat(log.create(7, "bb", "cc")).isFalse();
    assertThat(log.create(9, "aa", "cc")).isFalse();
    assertThat(log.open()).contains(new NatsLog.Existing("aa", "cc", new Range(7, 7)));
  }

  @Test
  void aLogOfAnEarlierNumberBeginsAtOne() throws Exception {
    log.create(1, "aa", "cc");
    assertThat(log.range()).isEqualTo(new Range(1, 0));
    append(log, 0, 3);
    assertThat(log.range()).isEqualTo(new Range(1, 3));
    assertReads(log, 1, 3);
  }

  @Test
  void anAppendAfterAnotherEntryThanTheNewestIsOvertakenAndAppendsNothing() throws Exception {
    log.create(10, "aa", "cc");
    for (long wrong : new long[] {0, 8, 10, 11}) {
      assertThatThrownBy(() -> log.append(wrong, entry(1)))
          .as("after %s", wrong)
          .isInstanceOf(Overtaken.class);
    }
    append(log, 9, 5);
    for (long wrong : new long[] {0, 9, 13, 15}) {
      assertThatThrownBy(() -> log.append(wrong, entry(1)))
          .as("after %s", wrong)
          .isInstanceOf(Overtaken.class);
    }
    assertThat(log.range()).isEqualTo(new Range(10, 14));
  }

  @Test
  void ofTwoAppendsAfterTheSameEntryOneIsOvertaken() throws Exception {
    log.create(1, "aa", "cc");
    try (NatsConnection second = connectAgain();
        NatsLog other = logOf(second)) {
      int overtaken = 0;
      for (long last = 0; last < 50; last++) {
        long expected = last;
        CompletableFuture<Boolean> mine = appends(log, expected);
        CompletableFuture<Boolean> theirs = appends(other, expected);
        assertThat(mine.join() ^ theirs.join()).as("one of both after %s", expected).isTrue();
        overtaken++;
      }
      assertThat(overtaken).isEqualTo(50);
      assertThat(log.range()).isEqualTo(new Range(1, 50));
      assertReads(other, 1, 50);
    }
  }

  private static CompletableFuture<Boolean> appends(NatsLog log, long last) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            log.append(last, entry(last + 1));
            return true;
          } catch (Overtaken e) {
            return false;
          } catch (LogUnavailable e) {
            throw new AssertionError(e);
          }
        });
  }

  private NatsConnection connectAgain() throws Exception {
    return TestCluster.connect(NATS.settings());
  }

  private NatsLog logOf(NatsConnection connection) throws Exception {
    return new NatsLog(connection, NATS.settings());
  }

  @Test
  void aReaderThatWaitsGetsEntriesThatAnotherNodeAppends() throws Exception {
    log.create(1, "aa", "cc");
    try (NatsConnection second = connectAgain();
        NatsLog other = logOf(second)) {
      for (long number = 1; number <= 20; number++) {
        long next = number;
        CompletableFuture<List<byte[]>> read =
            CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return other.read(next, TestCluster.LONG);
                  } catch (EntriesGone | LogUnavailable e) {
                    throw new AssertionError(e);
                  }
                });
        append(log, number - 1, 1);
        assertThat(read.join()).containsExactly(entry(number));
      }
    }
  }

  @Test
  void readingMayBeginAnywhereAndGoBack() throws Exception {
    log.create(101, "aa", "cc");
    append(log, 100, 300);
    assertReads(log, 250, 400);
    assertReads(log, 101, 400);
    assertReads(log, 400, 400);
    assertThat(log.read(401, Duration.ofMillis(1))).isEmpty();
    assertThat(log.read(500, Duration.ofMillis(1))).isEmpty();
    assertReads(log, 399, 400);
  }

  @Test
  void theLargestEntryIsReadAsItWasAppended() throws Exception {
    log.create(1, "aa", "cc");
    assertThat(log.maxEntryBytes()).isGreaterThan(1_000_000);
    byte[] largest = new byte[log.maxEntryBytes()];
    largest[0] = 1;
    largest[largest.length - 1] = 2;
    for (int last = 0; last < 30; last++) { // more than is sent ahead
      log.append(last, largest);
    }
    assertThatThrownBy(() -> log.append(30, new byte[log.maxEntryBytes() + 1]))
        .isInstanceOf(IllegalArgumentException.class);
    long next = 1;
    while (next <= 30) {
      for (byte[] each : log.read(next, TestCluster.LONG)) {
        assertThat(each).isEqualTo(largest);
        next++;
      }
    }
  }

  @Test
  void whoeverAwaitsEntriesAsksTheServersForNothingMeanwhile() throws Exception {
    log.create(1, "aa", "cc");
    append(log, 0, 1);
    assertThat(log.await(1, TestCluster.LONG)).containsExactly(entry(1)); // the reader has begun
    long sent = NATS.connection().library().getStatistics().getOutMsgs();
    for (int i = 0; i < 20; i++) {
      assertThat(log.await(2, Duration.ofMillis(20))).isEmpty();
    }
    // pings are no messages, and the range was not asked for
    assertThat(NATS.connection().library().getStatistics().getOutMsgs()).isEqualTo(sent);
    append(log, 1, 1);
    assertThat(log.await(2, TestCluster.LONG)).containsExactly(entry(2));
  }

  @Test
  void aReaderFromWhichNobodyReadsAsksForNothing() throws Exception {
    log.create(1, "aa", "cc");
    assertThat(log.read(1, Duration.ofMillis(1))).isEmpty();
    byte[] large = new byte[log.maxEntryBytes()];
    try (NatsConnection second = connectAgain();
        NatsLog leader = logOf(second)) {
      for (int last = 0; last < 20; last++) { // more than is sent ahead
        leader.append(last, large);
      }
    }
    long sent = NATS.connection().library().getStatistics().getOutMsgs();
    await()
        .during(Duration.ofSeconds(1))
        .atMost(Duration.ofMinutes(2))
        .until(() -> NATS.connection().library().getStatistics().getOutMsgs() <= sent + 2);
    for (long next = 1; next <= 20; ) {
      next += log.read(next, TestCluster.LONG).size();
    }
  }

  @Test
  void entriesOlderThanTheLogKeepsAreGoneAndNumbersGoOn() throws Exception {
    NatsLog ageing = new NatsLog(NATS.connection(), NATS.settings(Duration.ofSeconds(1)));
    ageing.create(50, "aa", "cc");
    append(ageing, 49, 5);
    await().until(() -> ageing.range().equals(new Range(55, 54)));
    assertThatThrownBy(() -> ageing.read(50, TestCluster.LONG)).isInstanceOf(EntriesGone.class);
    assertThatThrownBy(() -> ageing.read(54, TestCluster.LONG)).isInstanceOf(EntriesGone.class);
    assertThat(ageing.read(55, Duration.ofMillis(1))).isEmpty();
    NATS.server().kill(); // nothing but the last number is left to be found again
    NATS.server().start();
    assertThat(TestCluster.range(ageing)).isEqualTo(new Range(55, 54));
    assertThatThrownBy(() -> ageing.append(0, entry(1))).isInstanceOf(Overtaken.class);
    ageing.append(54, entry(55));
    assertThat(ageing.range().last()).isEqualTo(55);
  }

  @Test
  void entriesSurviveKillingTheServerAndReadingContinues() throws Exception {
    log.create(1, "aa", "cc");
    append(log, 0, 10);
    assertReads(log, 1, 10);
    NATS.server().kill();
    assertThatThrownBy(() -> log.append(10, entry(11))).isInstanceOf(LogUnavailable.class);
    assertThatThrownBy(log::range).isInstanceOf(LogUnavailable.class);
    assertThatThrownBy(() -> log.read(11, Duration.ofMillis(10)))
        .isInstanceOf(LogUnavailable.class);
    NATS.server().start();
    appendInTheEnd(log, 10);
    assertReadsInTheEnd(log, 11, 11);
    assertReads(log, 1, 11);
  }

  @Test
  void aServerThatStandsStillMakesTheLogUnavailableUntilItContinues() throws Exception {
    log.create(1, "aa", "cc");
    append(log, 0, 2);
    assertReads(log, 1, 2);
    NATS.server().suspend();
    try {
      assertThatThrownBy(() -> log.append(2, entry(3))).isInstanceOf(LogUnavailable.class);
      assertThatThrownBy(() -> log.read(4, Duration.ofMillis(10)))
          .isInstanceOf(LogUnavailable.class);
    } finally {
      NATS.server().resume();
    }
    appendInTheEnd(log, 2); // perhaps the server had received it
    assertReadsInTheEnd(log, 3, 3);
  }

  @Test
  void aStreamThatIsNoLogIsNotUsed() throws Exception {
    NATS.connection()
        .library()
        .jetStreamManagement()
        .addStream(
            io.nats.client.api.StreamConfiguration.builder()
                .name(name)
                .subjects(name + ".other")
                .build());
    assertThatThrownBy(log::open)
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContaining("is not the log of a cluster");
  }

  /** What a node logs that opens the log with these settings. */
  private List<String> warningsOf(String url, int replicas, Duration keep) throws Exception {
    ClusterSettings settings =
        new ClusterSettings(
            List.of(url),
            name,
            replicas,
            keep,
            Duration.ofSeconds(10),
            Duration.ofMillis(2500),
            TestCluster.NO_CREDENTIALS);
    try (NatsConnection own = TestCluster.connect(settings);
        NatsLog opened = new NatsLog(own, settings);
        ClassLog warnings = new ClassLog(NatsLog.class)) {
      assertThat(opened.open()).isPresent();
      assertThat(opened.existing()).isPresent(); // without a warning
      return warnings.messages();
    }
  }

  @Test
  void aLogThatIsLessSafeThanTheSettingsSayIsOpenedWithAWarningThatNamesTheCommand()
      throws Exception {
    log.create(1, "aa", "cc");
    String url = NATS.url();
    assertThat(warningsOf(url, 0, Duration.ofHours(12)))
        .containsExactly("The cluster's log is on one NATS server only: its loss stops all nodes");
    assertThat(warningsOf(url, 3, Duration.ofHours(12)))
        .containsExactly(
            "The cluster's log has 1 instead of 3 replicas: nats stream edit "
                + name
                + " --replicas 3");
    assertThat(warningsOf(url, 1, Duration.ofHours(1)))
        .contains(
            "The cluster's log keeps entries for PT12H, and cluster.keep is PT1H: nats stream edit "
                + name
                + " --max-age 3600s");
  }

  @Test
  void aServerThatIsOlderThanTheDocumentedOneIsNamedInAWarning() throws Exception {
    log.create(1, "aa", "cc");
    try (OlderServer older = new OlderServer(URI.create(NATS.url()), "2.11.9")) {
      assertThat(warningsOf(older.url(), 0, Duration.ofHours(12)))
          .contains(
              "The NATS server has version 2.11.9; the cluster needs 2.12.0 at least, or"
                  + " acknowledged events can be lost");
    }
    try (OlderServer oldest = new OlderServer(URI.create(NATS.url()), "2.12.0")) {
      assertThat(warningsOf(oldest.url(), 0, Duration.ofHours(12)))
          .noneMatch(it -> it.contains("version"));
    }
  }
}
