package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.SubscriptionListener;
import gambit.core.lane.Lane;
import gambit.core.log.LimitedLog;
import gambit.core.metrics.Metrics;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.RelayMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The live lane: owns the subscriptions, and delivers answers and events in the order of the
 * commits. Its methods may be called from any thread and never block.
 *
 * <p>No event is lost or repeated between stored and live events: when a subscription is added, it
 * receives its watermark, the offset of the last released event. Its pages show the stored events
 * up to the watermark, and this lane delivers the later ones; {@link EoseOrder} places EOSE between
 * them. Likewise, its pages show the {@linkplain CurrentStates current states} at that moment, and
 * this lane delivers later changes.
 */
public final class LiveLane implements Delivery, AutoCloseable {
  private static final LimitedLog LOG = LimitedLog.of(LiveLane.class);

  private static final String NAME = "live";
  private static final int CAPACITY = 20_000;

  private final PubKey relay;
  private final Lane lane;
  private final SubscriptionIndex index = new SubscriptionIndex();
  private final Map<Integer, CurrentStates> states = new HashMap<>(); // by kind; this lane only
  private volatile int subscriptions;
  private final List<SubscriptionListener> listeners = new ArrayList<>(1); // this lane only
  private final EoseOrder eoseOrder; // this lane only, apart from hasReleased
  private long stateChanges; // this lane only

  /** The id of the state that changed last, if it was a last one, by who got it; this lane only. */
  private final Map<Subscriber, EventId> lastState = new HashMap<>();

  /** Starts the lane; {@code relay} is the author of current states. */
  public LiveLane(PubKey relay, long lastOffset, Metrics metrics, Consumer<Throwable> onDeath) {
    this(relay, lastOffset, new Lane(NAME, CAPACITY, metrics, onDeath));
  }

  /** A live lane without a thread, for simulations: {@link #runNext} does its work. */
  public static LiveLane withoutThread(PubKey relay, long lastOffset, Metrics metrics) {
    return new LiveLane(relay, lastOffset, Lane.withoutThread(NAME, CAPACITY, metrics));
  }

  private LiveLane(PubKey relay, long lastOffset, Lane lane) {
    this.relay = relay;
    this.eoseOrder = new EoseOrder(lastOffset);
    this.lane = lane;
  }

  /** Runs the next queued task of a lane without a thread; false if there is none. */
  public boolean runNext() {
    return lane.runNext();
  }

  /** Fails unless it is called on this lane: {@link Lane#assertCurrent}. */
  public void assertCurrent() {
    lane.assertCurrent();
  }

  public int subscriptions() {
    return subscriptions;
  }

  /**
   * Adds a subscription, then begins its stored pages.
   *
   * @param replaced a subscription that it replaces without a gap
   * @return false, without effect, when the lane's inbox is full, or the owners' share of it
   */
  public boolean register(Subscriber subscription, @Nullable Subscriber replaced) {
    return lane.submit(
        subscription.connection().owners(),
        () -> {
          if (replaced != null) {
            remove(replaced);
          }
          if (subscription.isClosed()) {
            return;
          }
          index.add(subscription);
          subscriptions = index.size();
          notifyListeners(it -> it.opened(subscription.connection(), subscription.filters()));
          notifySubscribed(subscription);
          begin(subscription);
        });
  }

  /** Begins the stored pages; once its event was made, if a listener makes one for it. */
  private void begin(Subscriber subscription) {
    long watermark = eoseOrder.watermark();
    List<List<CurrentState>> current = statesFor(subscription.filters());
    for (SubscriptionListener listener : listeners) {
      Runnable later = () -> lane.put(() -> subscription.begin(watermark, current));
      if (listener.delays(subscription.connection(), subscription.filters(), later)) {
        return;
      }
    }
    subscription.begin(watermark, current);
  }

  private void notifySubscribed(Subscriber subscription) {
    notifyListeners(it -> it.subscribed(subscription.connection(), subscription.filters()));
  }

  private void notifyListeners(Consumer<SubscriptionListener> call) {
    lane.assertCurrent();
    for (SubscriptionListener listener : listeners) {
      try {
        call.accept(listener);
      } catch (RuntimeException e) {
        LOG.error("A feature could not be notified of a subscription; this is a bug", e);
      }
    }
  }

  /** Adds a listener for subscriptions that are registered from now on. */
  public void listen(SubscriptionListener listener) {
    lane.put(() -> listeners.add(listener));
  }

  /**
   * Passes on the current states that may match each filter, in a task of this lane; false, without
   * effect, when the lane's inbox is full, or the owners' share of it.
   */
  public boolean currentStates(
      Set<?> owners, List<Filter> filters, Consumer<List<List<CurrentState>>> then) {
    return lane.submit(owners, () -> then.accept(statesFor(filters)));
  }

  private List<List<CurrentState>> statesFor(List<Filter> filters) {
    lane.assertCurrent();
    if (filters.size() == 1) {
      return List.of(statesFor(filters.get(0)));
    }
    return filters.stream().map(this::statesFor).toList();
  }

  private List<CurrentState> statesFor(Filter filter) {
    Set<Integer> kinds = filter.kinds();
    if (kinds == null) {
      return List.of();
    }
    List<List<CurrentState>> found = new ArrayList<>(0);
    for (Map.Entry<Integer, CurrentStates> ofKind : states.entrySet()) {
      if (kinds.contains(ofKind.getKey())) {
        found.add(ofKind.getValue().candidates(filter));
      }
    }
    return found.isEmpty()
        ? List.of()
        : found.size() == 1
            ? found.get(0)
            : CurrentStates.newestOf(found.stream().flatMap(List::stream));
  }

  /** Removes a closed subscription; once {@code then} is called, nothing is delivered under it. */
  public void unregister(Subscriber subscription, Runnable then) {
    lane.put(
        () -> {
          remove(subscription);
          then.run();
        });
  }

  private void remove(Subscriber subscription) {
    lane.assertCurrent();
    boolean wasOpen = index.remove(subscription);
    lastState.remove(subscription);
    subscriptions = index.size();
    subscription.dropHeld();
    if (wasOpen) {
      notifyListeners(it -> it.closed(subscription.connection(), subscription.filters()));
    }
  }

  /** Whether everything up to that offset has been released. */
  public boolean hasReleased(long offset) {
    return eoseOrder.hasReleased(offset);
  }

  /**
   * Lets a subscription go live whose stored events have been sent: {@link EoseOrder}. When the
   * last page was read, the newest event had the offset {@code upTo}.
   */
  public void caughtUp(
      Subscriber subscription,
      long upTo,
      RelayMessage.EndOfStored eose,
      Predicate<Event> replacesStored) {
    lane.put(() -> eoseOrder.caughtUp(subscription, upTo, eose, replacesStored));
  }

  @Override
  public boolean offer(Set<?> owners, List<Outgoing> outgoing) {
    return lane.submit(owners, () -> deliver(outgoing));
  }

  @Override
  public void release(List<Outgoing> outgoing) {
    lane.put(() -> deliver(outgoing));
  }

  @Override
  public void release(List<Outgoing> outgoing, long lastOffset, Runnable done) {
    lane.put(
        () -> {
          deliver(outgoing);
          eoseOrder.released(lastOffset);
          done.run();
        });
  }

  @Override
  public void forgetStates() {
    lane.put(() -> states.values().forEach(CurrentStates::beginAgain));
  }

  @Override
  public void forgetEarlierStates() {
    lane.put(() -> states.values().forEach(CurrentStates::removeEarlier));
  }

  @Override
  public void notifyOfSubscription(Consumer<SubscriptionListener> call) {
    lane.put(() -> notifyListeners(call));
  }

  @Override
  public void execute(Runnable task) {
    lane.put(task);
  }

  /** Delivers what is queued, then ends the lane. */
  @Override
  public void close() {
    lane.close();
  }

  /** Event loops are woken once for all of it. */
  private void deliver(List<Outgoing> outgoing) {
    lane.gatherWakeUps(
        () -> {
          for (int i = 0; i < outgoing.size(); i++) {
            try {
              deliver(outgoing.get(i));
            } catch (RuntimeException e) {
              LOG.error("Output could not be delivered; this is a bug", e);
            }
          }
        });
  }

  private void deliver(Outgoing output) {
    if (output instanceof Outgoing.Answer it) {
      it.to().connection().answer(it.to().event(), it.ok());
    } else if (output instanceof Outgoing.LateOk it) {
      it.to().send(it.ok());
    } else if (output instanceof Outgoing.Broadcast it) {
      broadcast(it);
    } else if (output instanceof Outgoing.Multicast it) {
      multicast(it);
    } else if (output instanceof Outgoing.OutputReport it) {
      report(it);
    } else if (output instanceof Outgoing.SubscriptionCheck it) {
      index.matching(it.event()).forEach(this::notifySubscribed);
    } else if (output instanceof Outgoing.Current it) {
      change(it);
    } else if (output instanceof Outgoing.StateRemoval it) {
      Optional.ofNullable(states.get(it.kind())).ifPresent(ofKind -> ofKind.remove(it.key()));
    } else if (!(output instanceof Outgoing.RemoteEffect)) {
      throw new IllegalArgumentException("unknown output: " + output);
    }
  }

  private void broadcast(Outgoing.Broadcast broadcast) {
    Event event = broadcast.event();
    List<Fallback> fallbacks = broadcast.fallbacks();
    List<Subscriber> matching = index.matching(event);
    Set<ClientConnection> reached =
        matching.isEmpty() || fallbacks.isEmpty() ? Set.of() : new HashSet<>();
    for (int i = 0; i < matching.size(); i++) {
      Subscriber subscription = matching.get(i);
      if (subscription.deliver(event) && !fallbacks.isEmpty()) {
        reached.add(subscription.connection());
      }
    }
    sendFallbacks(event, fallbacks, reached);
  }

  private void multicast(Outgoing.Multicast multicast) {
    Event event = multicast.event();
    Set<ClientConnection> reached = new HashSet<>();
    for (ClientConnection connection : multicast.to()) {
      for (Subscriber subscription : index.matching(event, connection)) {
        if (event.id().equals(lastState.get(subscription)) || subscription.deliver(event)) {
          reached.add(connection);
        }
      }
    }
    boolean isSent = sendFallbacks(event, multicast.fallbacks(), reached);
    multicast.whetherSent().accept(isSent || !reached.isEmpty());
  }

  private static void report(Outgoing.OutputReport report) {
    AtomicBoolean isFirst = new AtomicBoolean(true);
    for (ClientConnection connection : report.of()) {
      connection.afterOutput(
          () -> {
            if (isFirst.getAndSet(false)) {
              report.whenSent().run();
            }
          });
    }
  }

  private void change(Outgoing.Current current) {
    lastState.clear();
    CurrentStates ofKind = states.computeIfAbsent(current.kind(), kind -> new CurrentStates());
    CurrentState earlier = ofKind.earlier(current.key());
    CurrentState state = ofKind.change(current, stateChanges++);
    boolean isConfirmed = earlier != null && earlier.event().id().equals(state.event().id());
    if (!isConfirmed && index.canMatch(current, relay)) {
      Event event = state.event().unsigned();
      for (Subscriber subscription : index.matching(event)) {
        if ((!state.isOfPerson || namesPersons(subscription, event))
            && subscription.deliver(state.event().signed())
            && current.ends()) {
          lastState.put(subscription, state.event().id());
        }
      }
    }
  }

  private static boolean namesPersons(Subscriber subscription, Event event) {
    return subscription.filters().stream()
        .anyMatch(
            it ->
                it.kinds() != null
                    && it.kinds().contains(event.kind())
                    && (it.tags().containsKey('d') || it.tags().containsKey('p'))
                    && it.matches(event));
  }

  /** Returns whether at least one was sent to an open connection. */
  private static boolean sendFallbacks(
      Event event, List<Fallback> fallbacks, Set<ClientConnection> reached) {
    boolean isSent = false;
    for (Fallback fallback : fallbacks) {
      if (!reached.contains(fallback.to())) {
        isSent |= fallback.to().isOpen();
        fallback
            .to()
            .send(new RelayMessage.EventMessage(FrameLabel.number(fallback.number()), event));
      }
    }
    return isSent;
  }
}
