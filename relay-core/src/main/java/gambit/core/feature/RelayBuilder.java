package gambit.core.feature;

import gambit.core.crypto.Signer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.RelayUrls;
import gambit.core.rate.ClientAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/** The extension points of the relay and its services for a {@link Feature}. */
public interface RelayBuilder {
  /**
   * Adds fields whose values may change. The document is made at the start, and whenever settings
   * of the relay have changed.
   *
   * @param source sets the fields each time that the document is made; quick, on any thread
   */
  void information(Consumer<InformationFields> source);

  /** Lists a NIP in {@code supported_nips}. */
  default void supports(int nip) {
    information(document -> document.supports(nip));
  }

  /**
   * Makes the document anew, because the values of fields have changed. Any thread; nothing happens
   * before the relay listens.
   */
  void informationChanged();

  /** Adds a check that can refuse events of clients. */
  void gate(EventGate gate);

  /**
   * Adds a check that can refuse events that the operator imports. They pass by all gates, handlers
   * and rate limits.
   */
  void importCheck(EventCheck check);

  /**
   * States which events prove what the relay has signed: when their author deletes one (NIP-09),
   * the same commit stores a copy of it in a generic repost by the relay (NIP-18), which vanishes
   * with the author (NIP-62).
   *
   * @param isEvidence asked on the writer's thread about each event that is being deleted
   */
  void keepEvidence(Predicate<Event> isEvidence);

  /**
   * Sets the check of clients' events whose verdict may come later.
   *
   * @throws IllegalStateException when there is one already
   */
  void asyncGate(AsyncEventGate gate);

  /**
   * Adds a check of clients' events and of imported ones that is repeated on the writer's thread,
   * right before an event is stored, by a feature's commit as well: once its verdict has changed,
   * no such event is stored by the earlier one. The relay's own events are exempt.
   */
  void lastingCheck(EventCheck check);

  /** Adds a guard that decides who may read events of some kinds; a kind has at most one. */
  void guard(ReadGuard guard);

  /**
   * Adds authors without rate limits, proof of work and other policies of the operator. Their
   * events count as theirs only once the signature is verified.
   *
   * @param authors whether a key is one of them; called on any thread, and may change its answer
   */
  void trust(Predicate<PubKey> authors);

  /** Whether a feature trusts the author. The answer may change. Any thread. */
  boolean isTrusted(PubKey author);

  /**
   * States whose events are refused, for features that act on an author's earlier events.
   *
   * @param authors whether a key is one of them; called on any thread, and may change its answer
   */
  void refuseAuthors(Predicate<PubKey> authors);

  /** Whether a feature refuses the author's events. The answer may change. Any thread. */
  boolean isRefused(PubKey author);

  /**
   * Enables logins (NIP-42).
   *
   * @param greet whether the challenge is sent as soon as a client connects; if not, only when the
   *     client is asked to log in; asked for each client
   */
  void logins(LoginCheck check, BooleanSupplier greet);

  /**
   * Whether a feature that was installed before has enabled logins (NIP-42); the standard NIPs are
   * installed first.
   */
  boolean takesLogins();

  /**
   * Adds messages of clients. Each connection that sends one of them gets a handler of its own.
   *
   * @throws IllegalArgumentException when one of the verbs is taken
   */
  void messages(List<FeatureVerb> verbs, MessageHandler.HandlerFactory handlers);

  /**
   * Sets what finds the events for filters with {@code search} (NIP-50).
   *
   * @param lane runs searches; each connection has one at a time in its inbox
   * @throws IllegalStateException when there is one already
   */
  void search(EventSearch search, Lane lane);

  /** Makes EOSE state whether all matching events were sent (NIP-67). */
  void completenessHints();

  /** Adds a handler of events; the first that claims an event handles it. */
  void handleEvents(EventHandler handler);

  /** Adds a listener for logins and closed connections. */
  void listen(ConnectionListener listener);

  /** Adds a listener for subscriptions. */
  void listenToSubscriptions(SubscriptionListener listener);

  /**
   * Answers POST requests of a media type at the relay's URL.
   *
   * @throws IllegalArgumentException when the media type is taken
   */
  void posts(String mediaType, PostHandler handler);

  /**
   * Refuses requests of some addresses, with 403.
   *
   * @param addresses whether an address is one of them; called on event loops, and may change its
   *     answer
   */
  void refuseAddresses(Predicate<ClientAddress> addresses);

  /**
   * Disconnects the clients of some addresses, with close code 1008. Together with {@link
   * #refuseAddresses}, which must cover them before, none of them is connected soon after. Any
   * thread; nothing happens before the relay listens.
   */
  void disconnect(Predicate<ClientAddress> addresses);

  /** Reads absent {@code tags} of these kinds as an empty list. */
  void tagsMayBeMissing(IntPredicate kinds);

  /**
   * The stored rows of a named table, by their keys in hex. For use during installation, and when
   * this relay {@linkplain #whenLeading begins to lead}.
   */
  Map<String, byte[]> rows(String table);

  StoredEvents storedEvents();

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
  void afterArrivals(Runnable then);

  /**
   * Runs {@code then} once, as soon as the relay listens for clients, on the thread that starts the
   * relay; never if it cannot listen. Messages of clients may reach a lane before.
   */
  void whenOpen(Runnable then);

  /** Whether this relay is a node of a cluster, so that clients of other nodes matter, too. */
  boolean isInCluster();

  /**
   * Runs {@code begin} when this relay begins to decide over events for itself and its cluster: at
   * once, unless it is a node of a cluster; else when the node becomes the leader, on the writer's
   * thread, before any change of the store that it decides. It happens once: a leader that is
   * overtaken starts anew. Before, no event reaches {@link EventHandler.ClaimedEvent#handle}: the
   * leader's handlers handle what this node's handlers claim.
   */
  void whenLeading(Runnable begin);

  /**
   * Runs {@code then} each time after this relay led its cluster and could not commit for so long
   * that clients were refused; on the writer's thread. Never called on a relay without a cluster.
   */
  void afterStall(Runnable then);

  /**
   * Is notified of rows that the cluster has changed, in the order of its log, so that a feature
   * can follow them. A follower is notified of all changes, including those that its own features
   * have asked for; the leader only of those that features of other nodes have asked for. Never
   * called on a relay without a cluster.
   *
   * @param changed receives the table's changed rows by their keys in hex; a removed one is empty;
   *     on the writer's thread, when they can be read, and before the change is reported as settled
   */
  void listenToRows(String table, Consumer<Map<String, Optional<byte[]>>> changed);

  Publisher publisher();

  Signer signer();

  InstantSource time();

  Deadlines deadlines();

  Metrics metrics();

  RelayUrls urls();

  /** Starts a lane, which ends with the relay, before the store is closed. */
  Lane lane(String name, int capacity);
}
