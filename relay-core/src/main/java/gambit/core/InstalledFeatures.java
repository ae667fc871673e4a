package gambit.core;

import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventCheck;
import gambit.core.feature.EventGate;
import gambit.core.feature.EventHandler;
import gambit.core.feature.EventSearch;
import gambit.core.feature.FeatureVerb;
import gambit.core.feature.InformationFields;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.PostHandler;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.SubscriptionListener;
import gambit.core.ingest.EventChecks;
import gambit.core.ingest.StorageRules;
import gambit.core.ingest.Writer;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.live.LiveLane;
import gambit.core.model.PubKey;
import gambit.core.net.PortExtensions;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The features of a relay: collects what they add to its parts, which take it from here. */
final class InstalledFeatures extends FeatureServices {
  private final RelayComponents parts;
  private final SettingsInForce settings;
  private final @Nullable ClusterNode cluster;
  private final LiveLane live;
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
    super(parts, cluster, writer, rules);
    this.cluster = cluster;
    this.parts = parts;
    this.settings = settings;
    this.live = live;
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
        checksBeforeStoring(),
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

  /** The reader of clients' messages. */
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
    checksBeforeStoring().add(check);
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
}
