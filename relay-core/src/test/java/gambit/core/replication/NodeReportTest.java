package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is understood of the messages of other nodes, which may be of another version. */
class NodeReportTest {
  private static final byte[] HEARTBEAT =
      BusMessage.encode(
          77, new BusMessage.Heartbeat("machine", true, false, 5, 1234, 1, 2, Map.of(78L, 79L)));

  @Test
  void aHeartbeatIsAReport() {
    assertThat(NodeReport.read(HEARTBEAT)).contains(new NodeReport(77, "machine", true, 5, 1234));
  }

  @Test
  void anotherMessageIsNoReport() {
    assertThat(NodeReport.read(BusMessage.encode(77, new BusMessage.Goodbye()))).isEmpty();
  }

  /** The nodes of a rolling upgrade hear those that were upgraded before them. */
  @Test
  void aMessageOfANewerVersionIsIgnored() {
    byte[] newer = HEARTBEAT.clone();
    newer[0]++;
    assertThat(NodeReport.read(newer)).isEmpty();
    assertThat(ClusterNode.known(newer)).isEmpty();
    assertThat(ClusterNode.known(HEARTBEAT)).isPresent();
  }
}
