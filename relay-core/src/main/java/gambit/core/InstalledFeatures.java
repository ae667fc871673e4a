package gambit.core;

import gambit.core.crypto.Signer;
import gambit.core.feature.AsyncEventGate;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventGate;
import gambit.core.feature.EventHandler;
import gambit.core.feature.FeatureVerb;
import gambit.core.feature.InformationFields;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.MessageHandler;
import gambit.core.feature.Publisher;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.SubscriptionListener;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.live.LiveLane;
import gambit.core.metrics.Metrics;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.net.RelayServer;
import gambit.core.nip.RelayInformation;
import gambit.core.nip.StandardGates;
import gambit.core.nip.StandardNips;
import gambit.core.session.ReadGuards;
import gambit.core.session.SessionFeatures;
import gambit.core.session.SessionFeatures.HandledVerb;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageReader;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Collects what the features register, and gives them the relay's services. */
final class InstalledFeatures implements RelayBuilder {
  private final RelayParts parts;
  private final SettingsInForce settings;
  private final Publisher publisher;
  private final LiveLane live;
  private final TreeSet<Integer> nips = new TreeSet<>();
  private final List<Consumer<InformationFields>> informationSources = new ArrayList<>();
  private final List<EventGate> gates = new ArrayList<>();
  private final List<EventHandler> eventHandlers = new ArrayList<>();
  private final List<ConnectionListener> listeners = new ArrayList<>();
  private final List<ReadGuard> guards = new ArrayList<>();
  private final List<MessageForm> forms = new ArrayList<>();
  private final Map<String, HandledVerb> verbs = new HashMap<>();
  private final List<Lane> lanes = new ArrayList<>();
  private final List<Runnable> whenOpen = new ArrayList<>();
  private final List<Predicate<PubKey>> trusted = new CopyOnWriteArrayList<>();
  private IntPredicate tagsMayBeMissing = kind -> false;
  private @Nullable AsyncEventGate asyncGate;
  private @Nullable LoginCheck logins;
  private BooleanSupplier greets = () -> false;
  private boolean hintsCompleteness;
  private volatile @Nullable RelayServer server; // once it listens

  InstalledFeatures(
      RelayParts parts,
      SettingsInForce settings,
      Publisher publisher,
      LiveLane live,
      List<EventGate> storageGates) {
    this.parts = parts;
    this.settings = settings;
    this.publisher = publisher;
    this.live = live;
    StandardNips.always().forEach(nips::add);
    nips.addAll(parts.extensions().nips().ofStorage());
    gates.addAll(StandardGates.of(settings.limits(), parts.identity().signer().pubkey()));
    gates.addAll(storageGates);
  }

  List<EventGate> gates() {
    return gates;
  }

  Optional<AsyncEventGate> asyncGate() {
    return Optional.ofNullable(asyncGate);
  }

  List<EventHandler> eventHandlers() {
    return eventHandlers;
  }

  List<Lane> lanes() {
    return lanes;
  }

  /** The reader of clients' messages. */
  MessageReader messageReader() {
    CurrentLimits limits = settings.limits();
    return new MessageReader(
        limits.of(Limit.EVENT_TAGS), limits.of(Limit.FILTERS), tagsMayBeMissing, forms);
  }

  /** The relay listens: runs the tasks that features have deferred until then. */
  void open(RelayServer listening) {
    server = listening;
    whenOpen.forEach(Runnable::run);
  }

  void installAll() {
    parts
        .extensions()
        .nips()
        .features(() -> settings.now().nips())
        .forEach(feature -> feature.install(this));
    parts.extensions().features().forEach(feature -> feature.install(this));
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
        hintsCompleteness);
  }

  /** The relay information document (NIP-11) for the settings in force. */
  RelayInformation information() {
    Map<String, Map<String, ?>> descriptions = new LinkedHashMap<>();
    Map<String, Object> limitation = new LinkedHashMap<>();
    InformationFields fields =
        new InformationFields() {
          @Override
          public void describe(String field, Map<String, ?> value) {
            descriptions.put(field, value);
          }

          @Override
          public void limitation(String field, Object value) {
            limitation.put(field, value);
          }
        };
    informationSources.forEach(source -> source.accept(fields));
    return new RelayInformation(
        settings.now().about(),
        parts.identity().signer().pubkey(),
        parts.identity().version(),
        nips,
        settings.now().limits(),
        limitation,
        descriptions);
  }

  @Override
  public void supports(int nip) {
    nips.add(nip);
  }

  @Override
  public void describe(String field, Map<String, ?> value) {
    information(document -> document.describe(field, value));
  }

  @Override
  public void limitation(String field, Object value) {
    information(document -> document.limitation(field, value));
  }

  @Override
  public void information(Consumer<InformationFields> source) {
    informationSources.add(source);
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
    for (Predicate<PubKey> authors : trusted) {
      if (authors.test(author)) {
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
  public void completenessHints() {
    hintsCompleteness = true;
  }

  @Override
  public void gate(EventGate gate) {
    gates.add(gate);
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
  }

  @Override
  public void tagsMayBeMissing(IntPredicate kinds) {
    tagsMayBeMissing = tagsMayBeMissing.or(kinds);
  }

  @Override
  public Map<String, byte[]> rows(String table) {
    return parts.storage().store().rows(table);
  }

  @Override
  public void afterArrivals(Runnable then) {
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
    Lane lane = new Lane(name, capacity, parts.environment().onDeath());
    lanes.add(lane);
    return lane;
  }
}
