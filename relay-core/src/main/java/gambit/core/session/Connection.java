package gambit.core.session;

import gambit.core.limit.Budget;

import gambit.core.limit.Limits;

import gambit.core.limit.Limit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.ConnectionListener;
import gambit.core.feature.EventAuthority.Claim;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.Tally;
import gambit.core.ingest.Ingest;
import gambit.core.live.CurrentState;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.Reason;
import gambit.core.wire.RelayMessage;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that the relay keeps of one client. Its state is confined to the connection's event loop;
 * {@link #answer} and {@link #send} may be called from any thread.
 *
 * <p>Bounds: {@link Limits}.
 */
public final class Connection implements ClientConnection, Ingest.AwaitedEventListener {
  /** Keys that a client may prove to hold; each costs a signature, and a look at what it reads. */
  private static final int MAX_KEYS = 100;

  /** After so many awaited events for nothing, rates apply to them, too. */
  private static final int MOST_IN_VAIN = 16;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final Reason BUSY = Reason.rateLimited("the relay is busy, try again");
  private static final Reason TOO_MANY_QUERIES = Reason.rateLimited("too many queries, try again");

  private final RelayCore relay;
  private final ClientAddress address;
  private final Outbox outbox;
  private final ReadControl reading;
  private final Executor loop;
  private final Map<String, Subscription> subscriptions = new HashMap<>();
  private final Budget filterValues;
  private final QueryTurns turns;
  private final AtomicInteger counts = new AtomicInteger();
  private final String challenge = newChallenge();

  @GuardedBy("this")
  private boolean challenged;

  private int inVain; // awaited events that were answered before their authority saw them
  private volatile Set<PubKey> keys = Set.of();
  private final AtomicInteger underWay = new AtomicInteger();
  private final int mostUnderWay;
  private volatile boolean open = true;

  /** Stops and goes on with reading from the client. On the event loop. */
  public interface ReadControl {
    void pause();

    void resume();
  }

  /**
   * A connection on which nothing was said yet.
   *
   * @param address where the client is
   * @param loop the connection's event loop
   */
  public Connection(
      RelayCore relay, ClientAddress address, Outbox outbox, ReadControl reading, Executor loop) {
    this.relay = relay;
    this.address = address;
    this.outbox = outbox;
    this.reading = reading;
    this.loop = loop;
    this.turns = new QueryTurns(relay.stored().queries(), relay.stored().scans());
    this.mostUnderWay = relay.bounds().limits().get(Limit.EVENTS_UNDER_WAY);
    this.filterValues = new Budget(relay.bounds().limits().get(Limit.FILTER_VALUES));
  }

  private static String newChallenge() {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** The handshake is done. On the event loop. */
  public void greet() {
    if (relay.features().greets()) {
      sendChallenge();
    }
  }

  /**
   * Sends the challenge with the first refusal for want of a login, or the first request for one,
   * also where it has been the greeting: that comes with the answer to the handshake, and some
   * clients listen too late for it.
   */
  private synchronized void challenge() {
    if (!challenged && relay.features().logins() != null) {
      challenged = true;
      sendChallenge();
    }
  }

  /** The challenge is valid as long as the connection lasts (NIP-42). */
  private void sendChallenge() {
    outbox.send(new RelayMessage.Challenge(challenge).frame());
  }

  @Override
  public ClientAddress address() {
    return address;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public Set<PubKey> keys() {
    return keys;
  }

  @Override
  public void requestLogin() {
    if (keys.isEmpty()) {
      challenge();
    }
  }

  @Override
  public void send(RelayMessage message) {
    if (message.asksForLogin()) {
      challenge();
    }
    outbox.send(message.frame());
  }

  /** Ends a subscription or a count with a reason. */
  void sendClosed(String name, Reason reason) {
    relay.metrics().refused(reason);
    send(new RelayMessage.Closed(name, reason));
  }

  @Override
  public void answer(Event event, RelayMessage.Ok ok) {
    relay.ingest().answered(event, ok);
    if (underWay.getAndDecrement() == mostUnderWay) {
      loop.execute(this::resumeUnlessBusy);
    }
    send(ok);
  }

  private void resumeUnlessBusy() {
    if (!isBusy()) {
      reading.resume();
    }
  }

  private boolean isBusy() {
    return underWay.get() >= mostUnderWay;
  }

  /**
   * Does what a message asks, if that is not too much. On the event loop.
   *
   * @param arrivedAt when it was read from the socket
   */
  public void receive(ClientMessage message, Instant arrivedAt) {
    message.accept(new Receiver(arrivedAt));
  }

  /** What is done with each type of message. */
  private final class Receiver implements ClientMessage.Visitor {
    private final Instant arrivedAt;

    Receiver(Instant arrivedAt) {
      this.arrivedAt = arrivedAt;
    }

    @Override
    public void publish(ClientMessage.Publish message) {
      relay.metrics().received(Verb.EVENT);
      Connection.this.publish(message.event(), arrivedAt);
    }

    @Override
    public void subscribe(ClientMessage.Subscribe message) {
      String name = message.subscription();
      tooMuch(Verb.REQ)
          .or(() -> tooMuchOfKeys(Verb.REQ))
          .ifPresentOrElse(
              reason -> refuse(name, take(name), reason),
              () -> Connection.this.subscribe(name, message.filters()));
    }

    @Override
    public void unsubscribe(ClientMessage.Unsubscribe message) {
      relay.metrics().received(Verb.CLOSE);
      Connection.this.unsubscribe(message.subscription());
    }

    @Override
    public void count(ClientMessage.Count message) {
      tooMuch(Verb.COUNT)
          .or(() -> tooMuchOfKeys(Verb.COUNT))
          .ifPresentOrElse(
              reason -> sendClosed(message.query(), reason),
              () -> Connection.this.count(message.query(), message.filters()));
    }

    @Override
    public void authenticate(ClientMessage.Authenticate message) {
      Connection.this.authenticate(message.login(), tooMuch(Verb.AUTH));
    }

    @Override
    public void badEvent(ClientMessage.BadEvent message) {
      refuse(message.id(), tooMuch(Verb.INVALID).orElse(message.reason()));
    }

    @Override
    public void badSubscribe(ClientMessage.BadSubscribe message) {
      String name = message.subscription();
      refuse(name, take(name), tooMuch(Verb.INVALID).orElse(message.reason()));
    }

    @Override
    public void badCount(ClientMessage.BadCount message) {
      Reason reason = tooMuch(Verb.INVALID).orElse(message.reason());
      sendClosed(message.query(), reason);
    }

    @Override
    public void garbage(ClientMessage.Garbage message) {
      Reason reason = tooMuch(Verb.INVALID).orElse(message.reason());
      send(new RelayMessage.Notice(reason.toString()));
    }

    /** The transport closes the connection before it comes to that. */
    @Override
    public void notText(ClientMessage.NotText message) {
      throw new IllegalArgumentException("a frame that is not text has no answer");
    }
  }

  /** Counts a message; tells when there were too many from the client's address. */
  private Optional<Reason> tooMuch(Verb verb) {
    relay.metrics().received(verb);
    return relay.bounds().rates().objection(verb, address);
  }

  /** Counts what a client asks for under every key by which it has logged in. */
  private Optional<Reason> tooMuchOfKeys(Verb verb) {
    return keys.stream()
        .map(key -> relay.bounds().rates().objection(verb, key))
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The client is gone, or is being disconnected. On the event loop; the first call counts. */
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    List.copyOf(subscriptions.keySet()).forEach(this::unsubscribe);
    turns.endWhatIsOver();
    for (ConnectionListener listener : relay.features().listeners()) {
      listener.closed(this);
    }
  }

  /** Says no to an EVENT that is not looked at; without a readable id that is all it is told. */
  private void refuse(@Nullable String id, Reason reason) {
    RelayMessage.Ok ok = RelayMessage.Ok.refused(id == null ? "" : id, reason);
    relay.ingest().notTaken(ok);
    send(id == null ? new RelayMessage.Notice(reason.toString()) : ok);
  }

  /** No rate applies to an event that is awaited, as long as few came that only looked like one. */
  private void publish(Event event, Instant arrivedAt) {
    Optional<Claim> claim = relay.ingest().claim(event);
    boolean awaited = inVain < MOST_IN_VAIN && claim.filter(Claim::isAwaited).isPresent();
    Optional<Reason> tooMuch =
        awaited ? Optional.empty() : relay.bounds().rates().objection(Verb.EVENT, address);
    if (tooMuch.isPresent()) {
      refuse(event.id().hex(), tooMuch.get());
      return;
    }
    underWay.incrementAndGet();
    if (isBusy()) {
      reading.pause();
    }
    relay.ingest().take(event, this, arrivedAt, claim, awaited, this);
  }

  /** What looked awaited was a forgery: it has cost a signature, which no rate was applied to. */
  @Override
  public void forged() {
    inVain = MOST_IN_VAIN;
    relay.bounds().rates().secondsToWait(Verb.INVALID, address);
  }

  /** So was this, but an honest client may send something twice. */
  @Override
  public void answered() {
    inVain++;
  }

  private void authenticate(Event login, Optional<Reason> tooMuch) {
    Optional<Reason> objection = tooMuch.or(() -> objection(login));
    if (objection.isPresent()) {
      send(RelayMessage.Ok.refused(login, objection.get()));
      return;
    }
    Set<PubKey> more = new HashSet<>(keys);
    more.add(login.pubkey());
    keys = Set.copyOf(more);
    send(RelayMessage.Ok.accepted(login, ""));
    for (ConnectionListener listener : relay.features().listeners()) {
      listener.authenticated(this, login.pubkey());
    }
  }

  private Optional<Reason> objection(Event login) {
    LoginCheck logins = relay.features().logins();
    if (logins == null) {
      return Optional.of(Reason.unsupported("this relay takes no logins"));
    }
    if (keys.size() >= MAX_KEYS && !keys.contains(login.pubkey())) {
      return Optional.of(Reason.error("more than " + MAX_KEYS + " keys on a connection"));
    }
    return logins
        .objection(login, challenge, relay.lifecycle().time().instant())
        .or(() -> relay.ingest().forgery(login));
  }

  private void count(String name, List<Filter> filters) {
    var tallies = relay.features().tallies();
    if (tallies == null) {
      sendClosed(name, Reason.unsupported("this relay does not count"));
      return;
    }
    Reason objection = admit(filters);
    if (objection != null) {
      sendClosed(name, objection);
      return;
    }
    counts.incrementAndGet();
    Runnable over =
        () -> {
          counts.decrementAndGet();
          release(filters);
        };
    Tally tally = tallies.apply(filters);
    boolean begins =
        relay
            .live()
            .current(
                filters,
                states ->
                    begin(
                        new CountQuery(this, name, filters, states, tally, relay, turns, over),
                        name,
                        over));
    if (!begins) {
      over.run();
      sendClosed(name, BUSY);
    }
  }

  /** Begins a count; on the live lane. */
  private void begin(CountQuery query, String name, Runnable over) {
    relay.live().assertCurrent();
    if (!turns.begin(query)) {
      over.run();
      sendClosed(name, TOO_MANY_QUERIES);
    }
  }

  private void subscribe(String name, List<Filter> filters) {
    Subscription replaced = take(name);
    Reason objection = admit(filters);
    if (objection == null) {
      Subscription subscription =
          new Subscription(
              this, relay.features().guards(), outbox, name, filters, this::beginCatchUp);
      if (relay.live().register(subscription, replaced)) {
        subscriptions.put(name, subscription);
        return;
      }
      release(filters);
      objection = BUSY;
    }
    refuse(name, replaced, objection);
  }

  /** Why a subscription or a count is not begun; if it is, its values are reserved. */
  private @Nullable Reason admit(List<Filter> filters) {
    Limits limits = relay.bounds().limits();
    Optional<Reason> guarded = relay.features().guards().objection(filters, this);
    if (guarded.isPresent()) {
      return guarded.get();
    }
    if (subscriptions.size() + counts.get() >= limits.get(Limit.SUBSCRIPTIONS)) {
      return Reason.error("more than " + limits.get(Limit.SUBSCRIPTIONS) + " subscriptions");
    }
    int values = values(filters);
    if (!filterValues.reserve(values)) {
      return Reason.error("more than " + limits.get(Limit.FILTER_VALUES) + " filter values");
    }
    if (!relay.bounds().allFilterValues().reserve(values + filters.size())) {
      filterValues.release(values);
      return Reason.error("the relay has too many filter values, try again later");
    }
    return null;
  }

  private void release(List<Filter> filters) {
    int values = values(filters);
    filterValues.release(values);
    relay.bounds().allFilterValues().release(values + filters.size());
  }

  private void unsubscribe(String name) {
    Subscription subscription = take(name);
    if (subscription != null) {
      relay.live().unregister(subscription, () -> {});
    }
  }

  /** Says no to a REQ; nothing comes under its name any more once that is said. */
  private void refuse(String name, @Nullable Subscription replaced, Reason reason) {
    if (replaced == null) {
      sendClosed(name, reason);
    } else {
      relay.live().unregister(replaced, () -> sendClosed(name, reason));
    }
  }

  /** Takes a subscription off this connection's list; the live lane has still to remove it. */
  private @Nullable Subscription take(String name) {
    Subscription subscription = subscriptions.get(name);
    if (subscription != null) {
      forget(subscription);
      subscription.close();
    }
    return subscription;
  }

  /** Gives back the place of a subscription, if it still has it. */
  private void forget(Subscription subscription) {
    if (subscriptions.remove(subscription.id(), subscription)) {
      release(subscription.filters());
    }
  }

  /**
   * The values that count against the limit of a connection, which clients are told (NIP-11). For
   * all connections together each filter counts as one more: one without values takes memory, too.
   */
  private static int values(List<Filter> filters) {
    return filters.stream().mapToInt(Filter::valueCount).sum();
  }

  /** On the live lane. */
  private void beginCatchUp(Subscription subscription, long upTo, List<List<CurrentState>> states) {
    relay.live().assertCurrent();
    Consumer<Reason> failed = reason -> end(subscription, reason);
    if (!turns.begin(new CatchUp(subscription, upTo, states, outbox, relay, turns, failed))) {
      end(subscription, TOO_MANY_QUERIES);
    }
  }

  /** Ends a subscription whose stored events cannot be sent. Any thread. */
  private void end(Subscription subscription, Reason reason) {
    if (!subscription.isClosed()) {
      subscription.close();
      loop.execute(() -> forget(subscription));
      refuse(subscription.id(), subscription, reason);
    }
  }
}
