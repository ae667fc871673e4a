package gambit.core;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.lane.Deadlines;
import gambit.core.metrics.Metrics;
import gambit.core.model.RelayUrls;
import gambit.core.net.OperatorToken;
import gambit.core.net.ServerTls;
import gambit.core.replication.ClusterMembership;
import gambit.core.store.EventStore;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The parts from which a relay is built; its features are those besides the standard NIPs.
 * Immutable.
 */
public record RelayComponents(
    ChangeableSettings settings,
    Identity identity,
    Port port,
    Storage storage,
    List<Feature> features,
    Environment environment) {
  public RelayComponents with(ChangeableSettings changed) {
    return new RelayComponents(changed, identity, port, storage, features, environment);
  }

  public record Identity(String version, RelayUrls urls, Signer signer) {}

  /** Where and how the relay listens; {@code tls} is null for a port without TLS. */
  public record Port(InetSocketAddress address, @Nullable ServerTls tls, OperatorToken operator) {}

  /**
   * Where and how events are stored.
   *
   * @param batchRequests the most requests that are committed together. With more of them, a commit
   *     takes less of each, since they share pages of the index, and later ones wait longer.
   * @param cluster null for a relay that has no cluster
   */
  public record Storage(EventStore store, int batchRequests, @Nullable ClusterMembership cluster) {
    private static final int BATCH_REQUESTS = 512;

    public Storage(EventStore store) {
      this(store, BATCH_REQUESTS, null);
    }

    public Storage(EventStore store, ClusterMembership cluster) {
      this(store, BATCH_REQUESTS, cluster);
    }
  }

  /** What the process provides; it should end when a thread has died of an error. */
  public record Environment(
      EventVerifier verifier,
      InstantSource time,
      Deadlines deadlines,
      Metrics metrics,
      Consumer<Throwable> onDeath) {}
}
