package gambit.core.feature;

import gambit.core.crypto.Signer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.MessageForm;
import gambit.core.wire.MessageReader;
import gambit.core.wire.Reason;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The extension points of the relay and its services for a {@link Feature}. What features add is
 * collected here, for the parts of the relay.
 */
public abstract class RelayBuilder {
  protected final List<Consumer<InformationFields>> information = new ArrayList<>();
  protected final List<EventGate> gates = new ArrayList<>();
  protected final List<EventGate> importChecks = new ArrayList<>();
  protected final List<Function<Event, Optional<Reason>>> lastingChecks = new ArrayList<>();
  protected final List<ReadGuard> guards = new ArrayList<>();
  protected final Map<String, MessageForm> forms = new HashMap<>();
  protected final Map<String, HandledVerb> verbs = new HashMap<>();
  protected final List<EventHandler> eventHandlers = new ArrayList<>();
  protected final List<ConnectionListener> listeners = new ArrayList<>();
  protected final Map<String, PostHandler> postHandlers = new HashMap<>();
  protected final Map<String, FileHandler> fileHandlers = new HashMap<>();
  protected final List<Runnable> whenOpen = new ArrayList<>();
  protected IntPredicate tagsMayBeMissing = kind -> false;
  protected @Nullable AsyncEventGate asyncGate;
  protected @Nullable LoginCheck logins;
  protected BooleanSupplier greets = () -> false;
  protected boolean hintsCompleteness;
  protected @Nullable InstalledSearch search;

  private final List<Predicate<ClientAddress>> refusedAddresses = new CopyOnWriteArrayList<>();
  private final List<Predicate<PubKey>> trusted = new CopyOnWriteArrayList<>();
  private final List<Predicate<PubKey>> refused = new CopyOnWriteArrayList<>();
  private final List<Predicate<Event>> kept = new CopyOnWriteArrayList<>();

  public record InstalledSearch(EventSearch search, Lane lane) {}

  /** Checks a login event (NIP-42); its signature is verified afterwards. On event loops. */
  @FunctionalInterface
  public interface LoginCheck {
    /** The reason to refuse the login; empty if, once verified, it proves possession of the key. */
    Optional<Reason> objection(Event login, String challenge, Instant now);
  }

  /** Fields of the relay information document (NIP-11), which features set. */
  public record InformationFields(
      Set<Integer> nips,
      Map<String, Object> document,
      Map<String, Object> limitation,
      Map<String, Map<String, Object>> descriptions) {
    /** Lists a NIP in {@code supported_nips}. */
    public void supports(int nip) {
      nips.add(nip);
    }

    /** Sets a text that otherwise is a setting, such as {@code name}. */
    public void about(String field, String text) {
      document.put(field, text);
    }

    /** Adds an object to the document, or fields to an object of that name. */
    public void describe(String field, Map<String, ?> value) {
      descriptions.computeIfAbsent(field, it -> new TreeMap<>()).putAll(value);
    }

    /** Sets a value of the document's {@code limitation} that a feature enforces. */
    public void limitation(String field, Object value) {
      limitation.put(field, value);
    }
  }

  public record HandledVerb(Verb rate, Function<ClientSession, MessageHandler> handlers) {}

  /**
   * Adds fields of the relay information document (NIP-11) whose values may change. The document is
   * made at the start, and whenever settings of the relay have changed.
   *
   * @param source sets the fields each time that the document is made; quick, on any thread
   */
  public void information(Consumer<InformationFields> source) {
    information.add(source);
  }

  /** Lists a NIP in {@code supported_nips}. */
  public void supports(int nip) {
    information(document -> document.supports(nip));
  }

  /** Makes the document anew. Any thread; nothing happens before the relay listens. */
  public abstract void informationChanged();

  public void gate(EventGate gate) {
    gates.add(gate);
  }

  /** Adds a check of imported events, which pass by all gates, handlers and rate limits. */
  public void importCheck(EventGate check) {
    importChecks.add(check);
  }

  /**
   * Adds a check of clients' events and of imported ones that is repeated on the writer's thread,
   * right before an event is stored, by a feature's commit as well: once its verdict has changed,
   * no such event is stored by the earlier one. The relay's own events are exempt.
   *
   * @param check returns the reason to refuse an event, if it has one
   */
  public void lastingCheck(Function<Event, Optional<Reason>> check) {
    EventGate gate = submission -> check.apply(submission.event());
    gates.add(gate);
    importChecks.add(gate);
    lastingChecks.add(check);
  }

  /** Sets the check of clients' events whose verdict may come later; a relay has at most one. */
  public void asyncGate(AsyncEventGate gate) {
    if (asyncGate != null) {
      throw new IllegalStateException("there is an asynchronous gate already");
    }
    asyncGate = gate;
  }

  /**
   * States which events prove what the relay has signed: when their author deletes one (NIP-09),
   * the same commit stores a copy of it in a generic repost by the relay (NIP-18), which vanishes
   * with the author (NIP-62).
   *
   * @param isEvidence asked on the writer's thread about each event that is being deleted
   */
  public abstract void keepEvidence(Predicate<Event> isEvidence);

  /**
   * Adds events of the relay's own key that are never removed, except by a newer version: a
   * deletion (NIP-09), an expiration (NIP-40), a retention and an {@linkplain Commit#erased
   * erasure} have no effect on them. The relay's key does not vanish in any case (NIP-62).
   *
   * @param events depends on the event alone; asked on any thread
   */
  public void keepForever(Predicate<Event> events) {
    kept.add(events);
  }

  /** Whether an event is one of those that are never removed. Any thread. */
  public boolean isKeptForever(Event event) {
    return event.pubkey().equals(signer().pubkey()) && isOneOf(kept, event);
  }

  public void guard(ReadGuard guard) {
    guards.add(guard);
  }

  /**
   * Whether a feature guards a kind at the moment; once the relay listens, or of the features that
   * were installed before, as the standard NIPs are.
   */
  public boolean isGuarded(int kind) {
    return guards.stream().anyMatch(guard -> guard.kinds().contains(kind));
  }

  /**
   * Adds authors without rate limits, proof of work and other policies of the operator. Their
   * events count as theirs only once the signature is verified.
   *
   * @param authors whether a key is one of them; called on any thread, and may change its answer
   */
  public void trust(Predicate<PubKey> authors) {
    trusted.add(authors);
  }

  /** Whether a feature trusts the author. The answer may change. Any thread. */
  public boolean isTrusted(PubKey author) {
    return isOneOf(trusted, author);
  }

  /**
   * States whose events are refused, for features that act on an author's earlier events; asked on
   * any thread, and the answers may change.
   */
  public void refuseAuthors(Predicate<PubKey> authors) {
    refused.add(authors);
  }

  /** Whether a feature refuses the author's events. The answer may change. Any thread. */
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

  /**
   * Enables logins (NIP-42). Each client is sent the challenge as soon as it connects, if it is to
   * be greeted; if not, only when it is asked to log in.
   */
  public void logins(LoginCheck check, BooleanSupplier greet) {
    logins = check;
    greets = greet;
  }

  /** Whether a feature that was installed before, as the standard NIPs are, takes logins. */
  public boolean takesLogins() {
    return logins != null;
  }

  /**
   * Adds messages of clients, of which no other feature may have the verbs. Each connection that
   * sends one of them gets a handler of its own.
   *
   * @param added for each form, the verb whose rate limit applies to its messages and under which
   *     metrics count them; {@link Verb#CLOSE} has no limit
   */
  public void messages(
      Map<MessageForm, Verb> added, Function<ClientSession, MessageHandler> handlers) {
    List<MessageForm> inOrder = new ArrayList<>(added.keySet());
    inOrder.sort(Comparator.comparing(MessageForm::verb));
    for (MessageForm form : inOrder) {
      String name = form.verb();
      if (MessageReader.isStandard(name) || verbs.containsKey(name)) {
        throw new IllegalArgumentException("the verb " + name + " is taken");
      }
      forms.put(name, form);
      verbs.put(name, new HandledVerb(Objects.requireNonNull(added.get(form)), handlers));
    }
  }

  /**
   * Sets what finds the events for filters with {@code search} (NIP-50); a relay has at most one.
   *
   * @param lane runs searches; each connection has one at a time in its inbox
   */
  public void search(EventSearch added, Lane lane) {
    if (search != null) {
      throw new IllegalStateException("there is a search already");
    }
    search = new InstalledSearch(added, lane);
  }

  /** Makes EOSE state whether all matching events were sent (NIP-67). */
  public void completenessHints() {
    hintsCompleteness = true;
  }

  /** Adds a handler of events; the first that claims an event handles it. */
  public void handleEvents(EventHandler handler) {
    eventHandlers.add(handler);
  }

  public void listen(ConnectionListener listener) {
    listeners.add(listener);
  }

  public abstract void listenToSubscriptions(SubscriptionListener listener);

  /** Answers POST requests of a media type, which is no other feature's, at the relay's URL. */
  public void posts(String mediaType, PostHandler handler) {
    if (postHandlers.putIfAbsent(mediaType, handler) != null) {
      throw new IllegalArgumentException("the media type " + mediaType + " is taken");
    }
  }

  /**
   * Answers GET and HEAD requests for paths that begin with {@code folder}, which begins and ends
   * with a slash and which no other feature may answer.
   */
  public void files(String folder, FileHandler handler) {
    if (fileHandlers.putIfAbsent(folder, handler) != null) {
      throw new IllegalArgumentException("the folder " + folder + " is taken");
    }
  }

  /** Refuses requests of some addresses, with 403; asked on event loops, and may change. */
  public void refuseAddresses(Predicate<ClientAddress> addresses) {
    refusedAddresses.add(addresses);
  }

  protected final boolean isRefusedAddress(ClientAddress address) {
    return isOneOf(refusedAddresses, address);
  }

  /**
   * Disconnects the clients of some addresses, with close code 1008. Together with {@link
   * #refuseAddresses}, which must cover them before, none of them is connected soon after. Any
   * thread; nothing happens before the relay listens.
   */
  public abstract void disconnect(Predicate<ClientAddress> addresses);

  /** The clients of this node, without the operator. Any thread; none before it opens. */
  public abstract List<ConnectedClient> clients();

  /**
   * Disconnects the client of this node whose connection has that id, with close code 1008 and a
   * reason; returns false if there is none. Any thread.
   */
  public abstract boolean disconnect(String id, String reason);

  /** Reads absent {@code tags} of these kinds as an empty list. */
  public void tagsMayBeMissing(IntPredicate kinds) {
    tagsMayBeMissing = tagsMayBeMissing.or(kinds);
  }

  /**
   * The stored rows of a named table, by their keys in hex. For use during installation, and when
   * this relay {@linkplain #whenLeading begins to lead}.
   */
  public abstract Map<String, byte[]> rows(String table);

  /** The committed row with that key in a named table. Any thread. */
  public abstract Optional<byte[]> row(String table, byte[] key);

  public abstract StoredEvents storedEvents();

  /**
   * Runs {@code then}, on any thread, once every message that was read from a socket before this
   * call has been handled on its event loop: verified, and passed to its handler, or answered. This
   * includes messages of connections from which reading is paused and messages deferred to a later
   * turn. A message has arrived when its last bytes were read from the socket ({@link
   * Submission#arrivedAt}). May be called on any thread.
   *
   * <p>Runs at once before the relay listens; may never run once the relay is closed.
   *
   * @param then must be quick and never wait
   */
  public abstract void afterArrivals(Runnable then);

  /**
   * Runs {@code then} once, as soon as the relay listens for clients, on the thread that starts the
   * relay; never if it cannot listen. Messages of clients may reach a lane before.
   */
  public void whenOpen(Runnable then) {
    whenOpen.add(then);
  }

  /**
   * Runs {@code begin} when this relay begins to decide over events for itself and its cluster: at
   * once, unless it is a node of a cluster; else when the node becomes the leader, on the writer's
   * thread, before any change of the store that it decides. It happens once: a leader that is
   * overtaken starts anew. Before, no event reaches {@link EventHandler.ClaimedEvent#handle}: the
   * leader's handlers handle what this node's handlers claim.
   */
  public abstract void whenLeading(Runnable begin);

  /**
   * Runs {@code then} each time after this relay led its cluster and could not commit for so long
   * that clients were refused; on the writer's thread. Never called on a relay without a cluster.
   */
  public abstract void afterStall(Runnable then);

  /**
   * Is notified of rows that the cluster has changed, in the order of its log, so that a feature
   * can follow them. A follower is notified of all changes, including those that its own features
   * have asked for; the leader only of those that features of other nodes have asked for. Never
   * called on a relay without a cluster.
   *
   * @param changed receives the table's changed rows by their keys in hex; a removed one is empty;
   *     on the writer's thread, when they can be read, and before the change is reported as settled
   */
  public abstract void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed);

  public abstract Publisher publisher();

  public abstract Signer signer();

  public abstract InstantSource time();

  public abstract Deadlines deadlines();

  public abstract Metrics metrics();

  public abstract RelayUrls urls();

  /** Starts a lane, which ends with the relay, before the store is closed. */
  public abstract Lane lane(String name, int capacity);

  /**
   * A check that can refuse events from outside. Called on event loops; the id of the event is
   * valid, and a client's signature was verified.
   */
  @FunctionalInterface
  public interface EventGate {
    Optional<Reason> objection(Submission submission);
  }
}
