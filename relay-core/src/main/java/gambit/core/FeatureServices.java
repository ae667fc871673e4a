package gambit.core;

import gambit.core.crypto.Signer;
import gambit.core.feature.EventCheck;
import gambit.core.feature.Publisher;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.StoredEvents;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.RelayUrls;
import gambit.core.net.RelayServer;
import gambit.core.rate.ClientAddress;
import gambit.core.replication.ClusterNode;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The services of the relay for its features: the half of {@link RelayBuilder} that they use. */
abstract class FeatureServices implements RelayBuilder {
  private final RelayComponents parts;
  private final @Nullable ClusterNode cluster;
  private final StorageRules rules;
  private final Publisher publisher;
  private final List<EventCheck> checksBeforeStoring = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Runnable> whenOpen = new ArrayList<>();
  private volatile @Nullable RelayServer server; // once it listens
  private volatile Runnable renewInformation = () -> {};

  FeatureServices(
      RelayComponents parts, @Nullable ClusterNode cluster, Writer writer, StorageRules rules) {
    this.parts = parts;
    this.cluster = cluster;
    this.rules = rules;
    this.publisher =
        new FeaturePublisher(
            writer,
            cluster,
            parts.identity().signer().pubkey(),
            checksBeforeStoring,
            parts.environment().time());
  }

  /** The checks that are repeated before an event is stored, also for events of features. */
  final List<EventCheck> checksBeforeStoring() {
    return checksBeforeStoring;
  }

  /** The lanes of the features, which end with the relay. */
  final List<Lane> lanes() {
    return lanes;
  }

  /**
   * The relay listens: runs the tasks that features have deferred until then.
   *
   * @param renewInformation makes the relay information document anew
   */
  final void open(RelayServer listening, Runnable renewInformation) {
    server = listening;
    this.renewInformation = renewInformation;
    whenOpen.forEach(Runnable::run);
  }

  @Override
  public final void informationChanged() {
    renewInformation.run();
  }

  @Override
  public final void disconnect(Predicate<ClientAddress> addresses) {
    RelayServer listening = server;
    if (listening != null) {
      listening.disconnect(addresses);
    }
  }

  /** Disconnects all clients, so that they come back at another node of the cluster. */
  final void sendAway() {
    RelayServer listening = server;
    if (listening != null) {
      listening.sendAway();
    }
  }

  @Override
  public final Map<String, byte[]> rows(String table) {
    return parts.storage().store().rows(table);
  }

  @Override
  public final void keepEvidence(Predicate<Event> isEvidence) {
    rules.keepEvidence(isEvidence);
  }

  @Override
  public final StoredEvents storedEvents() {
    return new ServedEvents(parts.storage().store(), rules, time());
  }

  @Override
  public final void afterArrivals(Runnable then) {
    if (cluster == null) {
      afterArrivalsHere(then);
    } else {
      cluster.afterArrivals(then);
    }
  }

  /** As {@link #afterArrivals}, for the messages that this node has read. */
  final void afterArrivalsHere(Runnable then) {
    RelayServer listening = server;
    if (listening == null) {
      then.run();
    } else {
      listening.afterArrivals(then);
    }
  }

  @Override
  public final void whenOpen(Runnable then) {
    whenOpen.add(then);
  }

  @Override
  public final boolean isInCluster() {
    return cluster != null;
  }

  @Override
  public final void whenLeading(Runnable begin) {
    if (cluster == null) {
      begin.run();
    } else {
      cluster.whenLeading(begin);
    }
  }

  @Override
  public final void afterStall(Runnable then) {
    if (cluster != null) {
      cluster.afterStall(then);
    }
  }

  @Override
  public final void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed) {
    if (cluster != null) {
      cluster.listenToRows(table, changed);
    }
  }

  @Override
  public final Publisher publisher() {
    return publisher;
  }

  @Override
  public final Signer signer() {
    return parts.identity().signer();
  }

  @Override
  public final InstantSource time() {
    return parts.environment().time();
  }

  @Override
  public final Deadlines deadlines() {
    return parts.environment().deadlines();
  }

  @Override
  public final Metrics metrics() {
    return parts.environment().metrics();
  }

  @Override
  public final RelayUrls urls() {
    return parts.identity().urls();
  }

  @Override
  public final Lane lane(String name, int capacity) {
    Lane lane = new Lane(name, capacity, metrics(), parts.environment().onDeath());
    lanes.add(lane);
    return lane;
  }
}
