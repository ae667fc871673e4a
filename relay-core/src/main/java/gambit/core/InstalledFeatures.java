package gambit.core;

import gambit.core.crypto.Signer;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectedClient;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventHandler;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.RelayBuilder.EventGate;
import gambit.core.feature.StoredEvents;
import gambit.core.feature.SubscriptionListener;
import gambit.core.feature.WriteOutcome;
import gambit.core.ingest.EventChecks;
import gambit.core.ingest.Forwarding;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.net.PortExtensions;
import gambit.core.net.RelayServer;
import gambit.core.nip.RelayInformation;
import gambit.core.nip.StandardNips;
import gambit.core.rate.ClientAddress;
import gambit.core.replication.ClusterNode;
import gambit.core.session.ReadGuards;
import gambit.core.session.RelayCore.SessionFeatures;
import gambit.core.wire.MessageReader;
import gambit.core.wire.Reason;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** The features of a relay: the services for them, and what they add, as its parts take that. */
final class InstalledFeatures extends RelayBuilder {
  private final RelayComponents parts;
  private final SettingsInForce settings;
  private final Optional<ClusterNode> cluster;
  private final Forwarding forwarding;
  private final Writer writer;
  private final LiveLane live;
  private final StorageRules rules;
  private final PubKey self;
  private final Publisher publisher = new FeaturePublisher();
  private final List<Lane> lanes = new ArrayList<>();
  private volatile Optional<RelayServer> server = Optional.empty(); // once it listens
  private volatile Runnable renewInformation = () -> {};

  InstalledFeatures(
      RelayComponents parts,
      SettingsInForce settings,
      Optional<ClusterNode> cluster,
      Forwarding forwarding,
      Writer writer,
      LiveLane live,
      StorageRules rules) {
    this.cluster = cluster;
    this.forwarding = forwarding;
    this.parts = parts;
    this.settings = settings;
    this.writer = writer;
    this.live = live;
    this.rules = rules;
    this.self = parts.identity().signer().pubkey();
    StandardNips.always().forEach(this::supports);
    parts.settings().nips().ofStorage().forEach(this::supports);
    rules.keepForever(this::isKeptForever);
    List<EventGate> ofFields = EventChecks.ofFields(settings.limits());
    List<EventGate> ofRules = rules.gates(parts.identity().urls());
    gates.addAll(ofFields);
    gates.addAll(EventChecks.ofClientsFields(self));
    gates.addAll(ofRules);
    importChecks.addAll(ofFields);
    importChecks.addAll(ofRules);
  }

  void installAll() {
    cluster.ifPresent(
        it -> {
          listen(it.connectionListener());
          live.listen(it.subscriptionListener());
        });
    parts
        .settings()
        .nips()
        .features(() -> settings.now().nips())
        .forEach(feature -> feature.install(this));
    parts.features().forEach(feature -> feature.install(this));
  }

  // ---- what the features have added; for use once they are installed

  EventChecks checks() {
    return new EventChecks(
        parts.environment().verifier(),
        gates,
        importChecks,
        this::isRefusedNow,
        settings.rates(),
        this::isTrusted,
        Optional.ofNullable(asyncGate));
  }

  List<ConnectionListener> listeners() {
    return listeners;
  }

  List<EventHandler> eventHandlers() {
    return eventHandlers;
  }

  MessageReader messageReader() {
    CurrentLimits limits = settings.limits();
    return new MessageReader(
        limits.of(Limit.EVENT_TAGS),
        limits.of(Limit.FILTERS),
        tagsMayBeMissing,
        forms,
        search != null);
  }

  PortExtensions portExtensions() {
    return new PortExtensions(
        postHandlers,
        fileHandlers,
        this::isRefusedAddress,
        cluster.<BooleanSupplier>map(it -> it.state()::isCutOff).orElse(null));
  }

  ReadGuards guards() {
    return new ReadGuards(guards);
  }

  SessionFeatures forSessions() {
    return new SessionFeatures(
        List.copyOf(listeners),
        guards(),
        this::isTrusted,
        logins,
        greets,
        Map.copyOf(verbs),
        hintsCompleteness,
        search);
  }

  /** The relay information document (NIP-11) for the settings in force. */
  String information() {
    return new RelayInformation(self, parts.identity().version(), information)
        .json(settings.now().about(), settings.now().limits());
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** The relay listens: runs the tasks that features have deferred until then. */
  void open(RelayServer listening, Runnable renewInformation) {
    server = Optional.of(listening);
    this.renewInformation = renewInformation;
    whenOpen.forEach(Runnable::run);
  }

  // ---- services

  @Override
  public void informationChanged() {
    renewInformation.run();
  }

  @Override
  public void listenToSubscriptions(SubscriptionListener listener) {
    live.listen(listener);
    cluster.ifPresent(it -> it.listenToSubscriptions(listener));
  }

  @Override
  public void disconnect(Predicate<ClientAddress> addresses) {
    server.ifPresent(it -> it.disconnect(addresses));
  }

  @Override
  public List<ConnectedClient> clients() {
    return server.map(RelayServer::connectedClients).orElse(List.of());
  }

  @Override
  public boolean disconnect(String id, String reason) {
    return server.map(it -> it.disconnect(id, reason)).orElse(false);
  }

  /** Disconnects all clients, so that they come back at another node of the cluster. */
  void sendAway() {
    server.ifPresent(RelayServer::sendAway);
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    return parts.storage().store().rows(table);
  }

  @Override
  public Optional<byte[]> row(String table, byte[] key) {
    return parts.storage().store().row(table, key);
  }

  @Override
  public void keepEvidence(Predicate<Event> isEvidence) {
    rules.keepEvidence(isEvidence);
  }

  @Override
  public StoredEvents storedEvents() {
    return new ServedEvents(parts.storage().store(), rules, time());
  }

  @Override
  public void afterArrivals(Runnable then) {
    cluster.ifPresentOrElse(it -> it.afterArrivals(then), () -> afterArrivalsHere(then));
  }

  /** As {@link #afterArrivals}, for the messages that this node has read. */
  void afterArrivalsHere(Runnable then) {
    server.ifPresentOrElse(it -> it.afterArrivals(then), then);
  }

  @Override
  public void whenLeading(Runnable begin) {
    cluster.ifPresentOrElse(it -> it.whenLeading(begin), begin);
  }

  @Override
  public void afterStall(Runnable then) {
    cluster.ifPresent(it -> it.afterStall(then));
  }

  @Override
  public void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed) {
    cluster.ifPresent(it -> it.listenToRows(table, changed));
  }

  @Override
  public Publisher publisher() {
    return publisher;
  }

  @Override
  public Signer signer() {
    return parts.identity().signer();
  }

  @Override
  public InstantSource time() {
    return parts.environment().time();
  }

  @Override
  public Deadlines deadlines() {
    return parts.environment().deadlines();
  }

  @Override
  public Metrics metrics() {
    return parts.environment().metrics();
  }

  @Override
  public RelayUrls urls() {
    return parts.identity().urls();
  }

  @Override
  public Lane lane(String name, int capacity) {
    Lane lane = new Lane(name, capacity, metrics(), parts.environment().onDeath());
    lanes.add(lane);
    return lane;
  }

  private boolean isRefusedNow(Event event) {
    for (Function<Event, Optional<Reason>> check : lastingChecks) {
      if (check.apply(event).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /**
   * The writer as features use it: lasting checks are asked about clients' events again right
   * before they are stored. The relay's own events are exempt. Thread-safe.
   */
  private final class FeaturePublisher implements Publisher {
    @Override
    public boolean store(
        Commit commit,
        Function<WriteOutcome, List<Outgoing>> outcome,
        Consumer<WriteOutcome> settled) {
      return forwarding.forward(commit, outcome, settled)
          || writer.store(commit, () -> isRefused(commit), outcome, settled);
    }

    private boolean isRefused(Commit commit) {
      for (Event event : commit.events()) {
        if (!event.pubkey().equals(self) && isRefusedNow(event)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public void send(List<Outgoing> outgoing) {
      writer.send(outgoing);
    }
  }
}
