package gambit.core;

import gambit.core.crypto.Signer;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.Commit;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventCheck;
import gambit.core.feature.EventGate;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventSearch;
import gambit.core.feature.FeatureVerb;
import gambit.core.feature.InformationFields;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.Outgoing;
import gambit.core.feature.PostHandler;
import gambit.core.feature.Publisher;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
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
import gambit.core.nip.StandardGates;
import gambit.core.nip.StandardNips;
import gambit.core.rate.ClientAddress;
import gambit.core.replication.ClusterNode;
import gambit.core.session.ReadGuards;
import gambit.core.session.SessionFeatures;
import gambit.core.session.SessionFeatures.HandledVerb;
import gambit.core.session.SessionFeatures.InstalledSearch;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageReader;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The features of a relay: the services for them, and what they add to its parts, which take that
 * from here. Long, since a relay builder has that many methods.
 */
final class InstalledFeatures implements RelayBuilder {
  private final RelayComponents parts;
  private final SettingsInForce settings;
  private final @Nullable ClusterNode cluster;
  private final LiveLane live;
  private final StorageRules rules;
  private final Publisher publisher;
  private final List<EventCheck> checksBeforeStoring = new ArrayList<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Runnable> whenOpen = new ArrayList<>();
  private volatile @Nullable RelayServer server; // once it listens
  private volatile Runnable renewInformation = () -> {};
  private final RelayInformation information;
  private final List<EventGate> gates = new ArrayList<>();
  private final List<EventCheck> importChecks = new ArrayList<>();
  private final Map<String, PostHandler> postHandlers = new HashMap<>();
  private final List<Predicate<ClientAddress>> refusedAddresses = new CopyOnWriteArrayList<>();
  private final List<EventHandler> eventHandlers = new ArrayList<>();
  private final List<ConnectionListener> listeners = new ArrayList<>();
  private final List<ReadGuard> guards = new ArrayList<>();
  private final List<MessageForm> forms = new ArrayList<>();
  private final Map<String, HandledVerb> verbs = new HashMap<>();
  private final List<Predicate<PubKey>> trusted = new CopyOnWriteArrayList<>();
  private final List<Predicate<PubKey>> refused = new CopyOnWriteArrayList<>();
  private IntPredicate tagsMayBeMissing = kind -> false;
  private @Nullable AsyncEventGate asyncGate;
  private @Nullable LoginCheck logins;
  private BooleanSupplier greets = () -> false;
  private boolean hintsCompleteness;
  private @Nullable InstalledSearch search;

  InstalledFeatures(
      RelayComponents parts,
      SettingsInForce settings,
      @Nullable ClusterNode cluster,
      Writer writer,
      LiveLane live,
      StorageRules rules) {
    this.cluster = cluster;
    this.parts = parts;
    this.settings = settings;
    this.live = live;
    this.rules = rules;
    this.publisher =
        new FeaturePublisher(
            writer,
            cluster == null ? Forwarding.NONE : cluster.forwarding(),
            parts.identity().signer().pubkey(),
            checksBeforeStoring,
            parts.environment().time());
    this.information =
        new RelayInformation(parts.identity().signer().pubkey(), parts.identity().version());
    StandardNips.always().forEach(this::supports);
    parts.settings().nips().ofStorage().forEach(this::supports);
    gates.addAll(StandardGates.of(settings.limits(), parts.identity().signer().pubkey()));
    importChecks.addAll(StandardGates.checks(settings.limits()));
    List<EventCheck> checks = rules.checks(parts.identity().urls());
    checks.forEach(check -> gates.add(check.asGate()));
    importChecks.addAll(checks);
  }

  /** The checks of events; for use once the features are installed. */
  EventChecks checks() {
    return new EventChecks(
        parts.environment().verifier(),
        gates,
        importChecks,
        checksBeforeStoring,
        settings.rates(),
        this::isTrusted,
        Optional.ofNullable(asyncGate));
  }

  /** The listeners for connections; for use once the features are installed. */
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

  /** What features add to the port. */
  PortExtensions portExtensions() {
    return new PortExtensions(
        postHandlers,
        address -> isOneOf(refusedAddresses, address),
        cluster == null ? null : cluster.state()::isCutOff);
  }

  void installAll() {
    if (cluster != null) {
      listen(cluster.connectionListener());
      live.listen(cluster.subscriptionListener());
    }
    parts
        .settings()
        .nips()
        .features(() -> settings.now().nips())
        .forEach(feature -> feature.install(this));
    parts.features().forEach(feature -> feature.install(this));
  }

  /** The guards of all features; for use once they are installed. */
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
    return information.json(settings.now().about(), settings.now().limits());
  }

  @Override
  public void information(Consumer<InformationFields> source) {
    information.add(source);
  }

  @Override
  public void lastingCheck(EventCheck check) {
    gates.add(check.asGate());
    importChecks.add(check);
    checksBeforeStoring.add(check);
  }

  @Override
  public void posts(String mediaType, PostHandler handler) {
    if (postHandlers.putIfAbsent(mediaType, handler) != null) {
      throw new IllegalArgumentException("the media type " + mediaType + " is taken");
    }
  }

  @Override
  public void refuseAddresses(Predicate<ClientAddress> addresses) {
    refusedAddresses.add(addresses);
  }

  @Override
  public void guard(ReadGuard guard) {
    guards.add(guard);
  }

  @Override
  public void trust(Predicate<PubKey> authors) {
    trusted.add(authors);
  }

  @Override
  public boolean isTrusted(PubKey author) {
    return isOneOf(trusted, author);
  }

  @Override
  public void refuseAuthors(Predicate<PubKey> authors) {
    refused.add(authors);
  }

  @Override
  public boolean isRefused(PubKey author) {
    return isOneOf(refused, author);
  }

  private static <T> boolean isOneOf(List<Predicate<T>> groups, T one) {
    for (Predicate<T> group : groups) {
      if (group.test(one)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void logins(LoginCheck check, BooleanSupplier greet) {
    logins = check;
    greets = greet;
  }

  @Override
  public boolean takesLogins() {
    return logins != null;
  }

  @Override
  public void messages(List<FeatureVerb> added, MessageHandler.HandlerFactory handlers) {
    for (FeatureVerb verb : added) {
      String name = verb.form().verb();
      if (MessageReader.isStandard(name) || verbs.containsKey(name)) {
        throw new IllegalArgumentException("the verb " + name + " is taken");
      }
      forms.add(verb.form());
      verbs.put(name, new HandledVerb(verb.rate(), handlers));
    }
  }

  @Override
  public void search(EventSearch added, Lane lane) {
    if (search != null) {
      throw new IllegalStateException("there is a search already");
    }
    search = new InstalledSearch(added, lane);
  }

  @Override
  public void completenessHints() {
    hintsCompleteness = true;
  }

  @Override
  public void gate(EventGate gate) {
    gates.add(gate);
  }

  @Override
  public void importCheck(EventCheck check) {
    importChecks.add(check);
  }

  @Override
  public void asyncGate(AsyncEventGate gate) {
    if (asyncGate != null) {
      throw new IllegalStateException("there is an asynchronous gate already");
    }
    asyncGate = gate;
  }

  @Override
  public void handleEvents(EventHandler handler) {
    eventHandlers.add(handler);
  }

  @Override
  public void listen(ConnectionListener listener) {
    listeners.add(listener);
  }

  @Override
  public void listenToSubscriptions(SubscriptionListener listener) {
    live.listen(listener);
    if (cluster != null) {
      cluster.listenToSubscriptions(listener);
    }
  }

  @Override
  public void tagsMayBeMissing(IntPredicate kinds) {
    tagsMayBeMissing = tagsMayBeMissing.or(kinds);
  }

  /** The lanes of the features, which end with the relay. */
  List<Lane> lanes() {
    return lanes;
  }

  /**
   * The relay listens: runs the tasks that features have deferred until then.
   *
   * @param renewInformation makes the relay information document anew
   */
  void open(RelayServer listening, Runnable renewInformation) {
    server = listening;
    this.renewInformation = renewInformation;
    whenOpen.forEach(Runnable::run);
  }

  @Override
  public void informationChanged() {
    renewInformation.run();
  }

  @Override
  public void disconnect(Predicate<ClientAddress> addresses) {
    RelayServer listening = server;
    if (listening != null) {
      listening.disconnect(addresses);
    }
  }

  /** Disconnects all clients, so that they come back at another node of the cluster. */
  void sendAway() {
    RelayServer listening = server;
    if (listening != null) {
      listening.sendAway();
    }
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    return parts.storage().store().rows(table);
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
    if (cluster == null) {
      afterArrivalsHere(then);
    } else {
      cluster.afterArrivals(then);
    }
  }

  /** As {@link #afterArrivals}, for the messages that this node has read. */
  void afterArrivalsHere(Runnable then) {
    RelayServer listening = server;
    if (listening == null) {
      then.run();
    } else {
      listening.afterArrivals(then);
    }
  }

  @Override
  public void whenOpen(Runnable then) {
    whenOpen.add(then);
  }

  @Override
  public boolean isInCluster() {
    return cluster != null;
  }

  @Override
  public void whenLeading(Runnable begin) {
    if (cluster == null) {
      begin.run();
    } else {
      cluster.whenLeading(begin);
    }
  }

  @Override
  public void afterStall(Runnable then) {
    if (cluster != null) {
      cluster.afterStall(then);
    }
  }

  @Override
  public void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed) {
    if (cluster != null) {
      cluster.listenToRows(table, changed);
    }
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

  /**
   * The writer as features use it: lasting checks are asked about clients' events again right
   * before they are stored. The relay's own events are exempt. Thread-safe.
   *
   * @param relay the key of the relay
   * @param checks complete once the features are installed
   */
  private record FeaturePublisher(
      Writer writer,
      Forwarding forwarding,
      PubKey relay,
      List<EventCheck> checks,
      InstantSource time)
      implements Publisher {
    @Override
    public boolean store(
        Commit commit,
        Function<WriteOutcome, List<Outgoing>> outcome,
        Consumer<WriteOutcome> settled) {
      return forwarding.forward(commit, outcome, settled)
          || writer.store(commit, () -> isRefused(commit), outcome, settled);
    }

    private boolean isRefused(Commit commit) {
      Instant now = time.instant();
      for (Event event : commit.events()) {
        if (!event.pubkey().equals(relay) && isRefused(event, now)) {
          return true;
        }
      }
      return false;
    }

    private boolean isRefused(Event event, Instant now) {
      for (EventCheck check : checks) {
        if (check.objection(event, now).isPresent()) {
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
