package gambit.core.feature;

import gambit.core.crypto.Signer;
import gambit.core.lane.Deadlines;
import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.model.RelayUrls;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;

/** What a {@link Feature} may add to a relay, and what the relay has to offer it. */
public interface RelayBuilder {
  /** Lists a NIP in {@code supported_nips} (NIP-11). */
  void supports(int nip);

  /** Adds an object to the relay information document (NIP-11). */
  void describe(String field, Map<String, ?> value);

  /** Sets a value in the document's {@code limitation}: something that this feature enforces. */
  void limitation(String field, Object value);

  /** Adds a policy for events from clients. */
  void gate(EventGate gate);

  /** Adds a guard over who may read events of some kinds; a kind has one guard at most. */
  void guard(ReadGuard guard);

  /**
   * Takes logins (NIP-42).
   *
   * @param greet whether a challenge is sent as soon as a client connects, or only when it is asked
   *     to authenticate
   */
  void logins(LoginCheck check, boolean greet);

  /**
   * Whether clients can log in (NIP-42), as far as the features installed before have arranged it;
   * the standard NIPs come first.
   */
  boolean takesLogins();

  /**
   * Adds messages of clients with verbs of their own: for each connection that sends one of them,
   * the relay creates a handler.
   *
   * @throws IllegalArgumentException when one of the verbs is taken
   */
  void messages(List<FeatureVerb> verbs, MessageHandler.Factory handlers);

  /** Tells with EOSE whether that was all (NIP-67). */
  void completenessHints();

  /** Adds an owner of some kinds; the first that claims an event has it. */
  void authority(EventAuthority authority);

  /** Tells of logins and of every connection that ends. */
  void listen(ConnectionListener listener);

  /** Adds a listener for subscriptions. */
  void listenToSubscriptions(SubscriptionListener listener);

  /** Reads absent {@code tags} of these kinds as an empty list. */
  void tagsMayBeMissing(IntPredicate kinds);

  /**
   * Every row that is stored of a named table: key in hex → value, as of now; for the time of
   * installing.
   */
  Map<String, byte[]> rows(String table);

  /**
   * Runs {@code then}, on any thread, once every message that was read from a socket before this
   * call has been handled on its event loop: verified, and handed to its authority, or answered.
   * That includes what was read of connections that are not read on for now, as they have too much
   * under way or it is the turn of others. What no thread has read from its socket yet has not
   * arrived ({@link Submission#arrivedAt}), and of a message of which only a part was read it is
   * the last part that counts. Any thread may call it.
   *
   * <p>Runs at once before the relay listens; may never run once it is closed.
   *
   * @param then must only hand on
   */
  void afterArrivals(Runnable then);

  /**
   * Runs {@code then} once, as soon as the relay listens for clients, on the thread that starts it:
   * never if it cannot listen. What a client has sent may be handed to a lane before.
   */
  void whenOpen(Runnable then);

  Publisher publisher();

  Signer signer();

  InstantSource time();

  Deadlines deadlines();

  Metrics metrics();

  RelayUrls urls();

  /** A new lane that ends with the relay, before the store is closed. */
  Lane lane(String name, int capacity);
}
