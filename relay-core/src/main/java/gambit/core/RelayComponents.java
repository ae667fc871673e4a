package gambit.core;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.ingest.Retention;
import gambit.core.lane.Deadlines;
import gambit.core.limit.Limits;
import gambit.core.metrics.Metrics;
import gambit.core.model.RelayUrls;
import gambit.core.net.OperatorToken;
import gambit.core.net.ServerTls;
import gambit.core.net.TransportSettings;
import gambit.core.net.WebPage;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import gambit.core.replication.ClusterParts;
import gambit.core.store.EventStore;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The parts from which a relay is built. Immutable. */
public record RelayComponents(
    Identity identity,
    Port port,
    Bounds bounds,
    Storage storage,
    Extensions extensions,
    Environment environment) {

  /** The settings with which the relay starts and that can change while it runs. */
  ChangeableSettings settings() {
    return new ChangeableSettings(
        identity.about(),
        port.page(),
        port.transport(),
        bounds.limits(),
        bounds.rates(),
        storage.retention(),
        extensions.nips());
  }

  /** The same parts with other settings. */
  public RelayComponents with(ChangeableSettings settings) {
    return new RelayComponents(
        new Identity(settings.about(), identity.version(), identity.urls(), identity.signer()),
        new Port(
            port.address(), settings.transport(), settings.page(), port.tls(), port.operator()),
        new Bounds(settings.limits(), settings.rates()),
        new Storage(
            storage.store(), settings.retention(), storage.batchRequests(), storage.cluster()),
        new Extensions(settings.nips(), extensions.features()),
        environment);
  }

  /**
   * The identity of the relay.
   *
   * @param about the operator's description of the relay, by field of NIP-11; empty ones are
   *     omitted
   * @param urls the relay's own URLs
   */
  public record Identity(
      Map<String, String> about, String version, RelayUrls urls, Signer signer) {}

  /**
   * Where and how the relay listens.
   *
   * @param page what browsers get
   * @param tls null for a port without TLS
   * @param operator identifies the operator's connections
   */
  public record Port(
      InetSocketAddress address,
      TransportSettings transport,
      WebPage page,
      @Nullable ServerTls tls,
      OperatorToken operator) {}

  /** The bounds on clients. */
  public record Bounds(Limits limits, RateLimits rates) {}

  /**
   * Where events are stored, how, and for how long.
   *
   * @param batchRequests the most requests that are committed together. With more of them, a commit
   *     takes less of each, since they share pages of the index, and later ones wait longer.
   * @param cluster null for a relay that has no cluster; otherwise the store must be a {@link
   *     gambit.core.store.ReplicatedStore}
   */
  public record Storage(
      EventStore store, Retention retention, int batchRequests, @Nullable ClusterParts cluster) {
    private static final int BATCH_REQUESTS = 512;

    /** Without a cluster, with batches for a relay whose clients wait for their answers. */
    public Storage(EventStore store, Retention retention) {
      this(store, retention, BATCH_REQUESTS, null);
    }

    /** In a cluster, with batches for a relay whose clients wait for their answers. */
    public Storage(EventStore store, Retention retention, ClusterParts cluster) {
      this(store, retention, BATCH_REQUESTS, cluster);
    }
  }

  /**
   * The extensions that are installed.
   *
   * @param nips the standard NIPs that are switched on
   * @param features further features
   */
  public record Extensions(StandardNips nips, List<Feature> features) {}

  /**
   * What the process provides.
   *
   * @param onDeath receives the error of a thread that died; the process should end
   */
  public record Environment(
      EventVerifier verifier,
      InstantSource time,
      Deadlines deadlines,
      Metrics metrics,
      Consumer<Throwable> onDeath) {}
}
