package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.replication.SharedLog.LogUnavailable;
import gambit.core.replication.SharedLog.Range;
import io.nats.client.api.StreamInfo;
import io.nats.client.support.JsonParseException;
import io.nats.client.support.JsonParser;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Whether the answer of a stream's leader counts, by what it has heard of the other replicas. A
 * real leader without a majority gives such answers for some seconds only.
 */
class LogMajorityTest {
  private static final Duration LATELY = Duration.ofSeconds(1);
  private static final Duration LONG_AGO = Duration.ofSeconds(4);

  /** The answer of a server while none leads: it is among the replicas itself. */
  private static StreamInfo withoutLeader() throws JsonParseException {
    String replica = "{\"name\": \"n\", \"current\": true, \"active\": 0}";
    return info(", \"cluster\": {\"replicas\": [%s, %s, %s]}".formatted(replica, replica, replica));
  }

  private static StreamInfo info(String cluster) throws JsonParseException {
    return new StreamInfo(
        JsonParser.parse(
            """
            {"config": {"name": "gambit", "subjects": ["gambit.log"]},
             "created": "2026-01-01T00:00:00Z",
             "state": {"messages": 3, "bytes": 9, "first_seq": 5, "last_seq": 7}
             %s}
            """
                .formatted(cluster)));
  }

  /** A leader, and replicas of which it has heard that long ago; null is offline. */
  private static StreamInfo cluster(Duration... active) throws JsonParseException {
    StringBuilder replicas = new StringBuilder();
    for (Duration each : active) {
      replicas.append(replicas.isEmpty() ? "" : ", ");
      replicas.append(
          "{\"name\": \"n\", \"current\": true, \"offline\": %s, \"active\": %s}"
              .formatted(each == null, each == null ? 0 : each.toNanos()));
    }
    return info(", \"cluster\": {\"leader\": \"n1\", \"replicas\": [" + replicas + "]}");
  }

  @Test
  void replicasThatAreSilentOrOfflineAreNotCountedAsCurrent() throws Exception {
    assertThat(NatsLog.LogServers.of(info("")).currentReplicas()).isEqualTo(1);
    assertThat(NatsLog.LogServers.of(cluster(LATELY, LATELY)).currentReplicas()).isEqualTo(3);
    assertThat(NatsLog.LogServers.of(cluster(LATELY, LONG_AGO)).currentReplicas()).isEqualTo(2);
    assertThat(NatsLog.LogServers.of(cluster(null, LONG_AGO)).currentReplicas()).isEqualTo(1);
  }

  private static void assertCounts(StreamInfo info) throws LogUnavailable {
    Range range = NatsLog.range(info);
    assertThat(new Range(range.first(), range.last())).isEqualTo(new Range(5, 7));
  }

  private static void assertAge(Duration age, StreamInfo info) throws LogUnavailable {
    assertThat(NatsLog.range(info).age()).isEqualTo(age);
  }

  @Test
  void anAnswerIsAsOldAsTheLastSignOfTheMajority() throws Exception {
    Duration just = Duration.ofMillis(3);
    assertAge(Duration.ZERO, info(""));
    assertAge(Duration.ZERO, cluster());
    assertAge(LATELY, cluster(LATELY));
    assertAge(just, cluster(LATELY, just));
    assertAge(LATELY, cluster(null, LATELY));
    assertAge(LATELY, cluster(just, LATELY, LONG_AGO, LATELY));
  }

  private static void assertDoesNotCount(StreamInfo info) {
    assertThatThrownBy(() -> NatsLog.range(info))
        .isInstanceOf(LogUnavailable.class)
        .hasMessageContaining("no majority");
  }

  @Test
  void theAnswerOfTheOnlyServerCounts() throws Exception {
    assertCounts(info(""));
    assertCounts(cluster());
  }

  @Test
  void theAnswerOfALeaderThatHasHeardOfAMajorityCounts() throws Exception {
    assertCounts(cluster(LATELY, LATELY));
    assertCounts(cluster(LATELY, LONG_AGO));
    assertCounts(cluster(null, LATELY));
    assertCounts(cluster(LATELY, null, LATELY, LONG_AGO));
  }

  @Test
  void theAnswerOfALeaderThatHasNotHeardOfAMajorityDoesNotCount() throws Exception {
    assertDoesNotCount(cluster(LONG_AGO, LONG_AGO));
    assertDoesNotCount(cluster(null, LONG_AGO));
    assertDoesNotCount(cluster(null, null));
    assertDoesNotCount(cluster(LATELY, null, LONG_AGO, LONG_AGO));
  }

  @Test
  void withoutALeaderNoAnswerCountsAndNoServerIsCountedTwice() throws Exception {
    assertThatThrownBy(() -> NatsLog.range(withoutLeader()))
        .isInstanceOf(LogUnavailable.class)
        .hasMessage("the log has no leader: its servers elect one");
    assertThat(NatsLog.LogServers.of(withoutLeader()).currentReplicas()).isEqualTo(3);
    assertThat(NatsLog.LogServers.of(withoutLeader()).leadership()).isEqualTo("no server leads");
    assertThat(NatsLog.LogServers.of(info("")).leadership()).isEqualTo("one server");
    assertThat(NatsLog.LogServers.of(cluster(LATELY)).leadership()).isEqualTo("n1 leads");
  }
}
