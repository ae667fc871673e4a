package gambit.app.server.nats;

import static gambit.app.server.nats.TestCluster.append;
import static gambit.app.server.nats.TestCluster.appendInTheEnd;
import static gambit.app.server.nats.TestCluster.assertReadsInTheEnd;
import static gambit.app.server.nats.TestCluster.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Overtaken;
import gambit.core.replication.SharedLog.Range;
import gambit.core.testkit.ThoroughOnly;
import io.nats.client.api.StreamInfo;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The shared log on three real servers, of which some are killed or stopped. */
class NatsClusterTest {
  private static final String NAME = "gambit";

  private NatsServers servers;
  private NatsConnection connection;
  private NatsLog log;

  @BeforeEach
  void start() throws Exception {
    servers = NatsServers.start(3);
    ClusterSettings settings = TestCluster.settings(servers.urls(), NAME);
    connection = TestCluster.connect(settings);
    log = new NatsLog(connection, settings);
    await().ignoreExceptions().until(() -> log.create(1, "aa", "cc"));
  }

  @AfterEach
  void close() {
    if (servers == null) {
      return; // skipped
    }
    if (log != null) {
      log.close();
      connection.close();
    }
    servers.close();
    TestCluster.assertNoFailures();
  }

  private StreamInfo info() throws Exception {
    return connection.library().jetStreamManagement().getStreamInfo(NAME);
  }

  private NatsServers.Server leader() throws Exception {
    return servers.named(info().getClusterInfo().getLeader());
  }

  @Test
  void aLogOnAClusterHasThreeReplicas() throws Exception {
    assertThat(info().getConfiguration().getReplicas()).isEqualTo(3);
    assertThat(log.open().orElseThrow().clusterId()).isEqualTo("aa");
    assertThat(TestCluster.range(log)).isEqualTo(new Range(1, 0));
  }

  @ThoroughOnly
  @Test
  void noAcknowledgedEntryIsLostWhenAnyServerIsKilled() throws Exception {
    long last = 0;
    AtomicBoolean isOver = new AtomicBoolean();
    CompletableFuture<Long> follower = CompletableFuture.supplyAsync(() -> follow(isOver));
    for (NatsServers.Server each : servers.all()) {
      for (int i = 0; i < 20; i++) {
        appendInTheEnd(log, last++);
      }
      each.kill();
      for (int i = 0; i < 20; i++) {
        appendInTheEnd(log, last++);
      }
      each.start();
      String name = each.name();
      await()
          .atMost(Duration.ofMinutes(2))
          .ignoreExceptions()
          .until(() -> isCurrent(name)); // before the next one is killed
    }
    assertThat(TestCluster.range(log)).isEqualTo(new Range(1, last));
    isOver.set(true);
    assertThat(follower.join()).isEqualTo(last);
    assertReadsInTheEnd(log, 1, last);
  }

  /** Reads from the first entry on, each exactly once and in order; returns the last number. */
  private long follow(AtomicBoolean isOver) {
    long next = 1;
    ClusterSettings settings = TestCluster.settings(servers.urls(), NAME);
    try (NatsConnection own = TestCluster.connect(settings);
        NatsLog copy = new NatsLog(own, settings)) {
      while (true) {
        boolean isLast = isOver.get();
        try {
          for (byte[] each : copy.read(next, Duration.ofMillis(500))) {
            assertThat(each).isEqualTo(entry(next++));
          }
          if (isLast && copy.range().last() < next) {
            return next - 1;
          }
        } catch (LogUnavailable e) {
          // until a server leads again
        }
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private boolean isCurrent(String name) throws Exception {
    var cluster = info().getClusterInfo();
    return name.equals(cluster.getLeader())
        || cluster.getReplicas().stream()
            .anyMatch(it -> it.getName().equals(name) && it.isCurrent() && !it.isOffline());
  }

  @ThoroughOnly
  @Test
  void withoutAMajorityTheLogIsUnavailableAndLaterContinues() throws Exception {
    appendInTheEnd(log, 0); // the servers may still choose a leader
    append(log, 1, 4);
    NatsServers.Server leader = leader();
    for (NatsServers.Server each : servers.all()) {
      if (each != leader) {
        each.kill();
      }
    }
    await().until(() -> fails(log::range));
    assertThatThrownBy(() -> log.append(5, entry(6))).isInstanceOf(LogUnavailable.class);
    assertThat(fails(() -> log.read(7, Duration.ofMillis(10)))).isTrue();
    servers.all().stream().filter(it -> it != leader).forEach(NatsServers.Server::start);
    appendInTheEnd(log, 5); // perhaps the leader had kept it
    assertThat(TestCluster.range(log)).isEqualTo(new Range(1, 6));
    assertReadsInTheEnd(log, 1, 6);
  }

  private static boolean fails(org.assertj.core.api.ThrowableAssert.ThrowingCallable call)
      throws Exception {
    try {
      call.call();
      return false;
    } catch (LogUnavailable e) {
      return true;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLeaderThatStoodStillHasNoSayWhenItContinues() throws Exception {
    appendInTheEnd(log, 0); // the servers may still choose a leader
    append(log, 1, 4);
    NatsServers.Server leader = leader();
    leader.suspend();
    try {
      appendInTheEnd(log, 5);
      appendInTheEnd(log, 6);
    } finally {
      leader.resume();
    }
    ClusterSettings there = TestCluster.settings(java.util.List.of(leader.url()), NAME);
    await().ignoreExceptions().until(() -> isCurrent(leader.name()));
    try (NatsConnection own = TestCluster.connect(there);
        NatsLog behind = new NatsLog(own, there)) {
      assertThatThrownBy(() -> behind.append(5, entry(0))).isInstanceOf(Overtaken.class);
      assertThat(TestCluster.range(behind)).isEqualTo(new Range(1, 7));
      assertReadsInTheEnd(behind, 1, 7);
    }
  }

  @ThoroughOnly
  @Test
  void aClusterThatRestartsAsAWholeHasItsEntries() throws Exception {
    appendInTheEnd(log, 0); // the servers may still choose a leader
    append(log, 1, 49);
    servers.all().forEach(NatsServers.Server::kill);
    servers.all().forEach(NatsServers.Server::start);
    assertThat(TestCluster.range(log)).isEqualTo(new Range(1, 50));
    appendInTheEnd(log, 50);
    assertReadsInTheEnd(log, 1, 51);
  }
}
