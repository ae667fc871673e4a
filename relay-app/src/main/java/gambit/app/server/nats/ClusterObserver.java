package gambit.app.server.nats;

import gambit.app.server.data.StartFailure;
import gambit.core.replication.NodeReport;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * A cluster as a command sees it that is not one of its nodes. It hears the nodes that run from its
 * beginning on. One thread.
 */
public final class ClusterObserver implements AutoCloseable {
  /** In this time, each running node reports at least twice. */
  private static final Duration REPORTS = Duration.ofMillis(2500);

  private final NatsConnection connection;
  private final NatsBus bus;
  private final NatsLog log;
  private final NatsSnapshots snapshots;
  private final Map<Long, NodeReport> reports = new ConcurrentHashMap<>();
  private final long start = System.nanoTime();

  public ClusterObserver(ClusterSettings settings) throws StartFailure {
    this.connection = new NatsConnection(settings, failure -> {});
    this.log = new NatsLog(connection, settings);
    this.bus = new NatsBus(connection, settings);
    this.snapshots = new NatsSnapshots(connection, settings);
    bus.listen(
        new SecureRandom().nextLong(1, Long.MAX_VALUE),
        message -> NodeReport.read(message).ifPresent(it -> reports.put(it.node(), it)));
  }

  public NatsLog log() {
    return log;
  }

  /** The replicas that the log should have. */
  public int replicas() {
    return connection.replicas();
  }

  /** The newest report of each node that runs, the most advanced first. Waits for them. */
  public List<NodeReport> nodes() throws InterruptedException {
    long waited = System.nanoTime() - start;
    TimeUnit.NANOSECONDS.sleep(Math.max(0, REPORTS.toNanos() - waited));
    return reports.values().stream()
        .sorted(
            Comparator.comparing(NodeReport::leads)
                .thenComparing(NodeReport::applied)
                .reversed()
                .thenComparing(NodeReport::name))
        .toList();
  }

  public NatsSnapshots snapshots() {
    return snapshots;
  }

  @Override
  public void close() {
    bus.close();
    log.close();
    connection.close();
  }
}
