package gambit.core.live;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Outgoing.Fallback;
import gambit.core.feature.SubscriptionListener;
import gambit.core.lane.Lane;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.RelayMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live lane: it owns the subscriptions and lets out answers and events, in the order of the
 * commits. Its methods may be called from any thread and never block.
 *
 * <p>Between stored and live events nothing is missed and nothing doubled: a subscription is told,
 * on this lane, the offset of the last event that was let out; its stored pages show what is at or
 * below it, and it is given here whatever comes after. Likewise with how things are: its pages show
 * the states that stand when it is told, and it is given here each later one.
 */
public final class LiveLane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LiveLane.class);

  private static final int CAPACITY = 20_000;

  private final Lane lane;
  private final Outgoing.Visitor delivery = new Delivery();
  private final SubscriptionIndex index = new SubscriptionIndex();
  private final Map<Integer, CurrentStates> states = new HashMap<>(); // by kind; this lane only
  private volatile int subscriptions;
  private final List<SubscriptionListener> listeners = new ArrayList<>(1); // this lane only
  private final List<CaughtUp> behind = new ArrayList<>(); // this lane only
  private long changes; // of states; this lane only
  private long letOut; // offset; this lane only

  /**
   * Starts the lane.
   *
   * @param lastOffset the offset of the newest event that is stored already
   */
  public LiveLane(long lastOffset, Consumer<Throwable> onDeath) {
    this.letOut = lastOffset;
    this.lane = new Lane("live", CAPACITY, onDeath);
  }

  /** Fails unless it is called on this lane: {@link Lane#assertCurrent}. */
  public void assertCurrent() {
    lane.assertCurrent();
  }

  /** How many subscriptions there are. */
  public int subscriptions() {
    return subscriptions;
  }

  /**
   * Adds a subscription and begins its stored pages, in that order.
   *
   * @param replaced the one whose place it takes, without a gap between the two
   * @return false, and nothing happens, when too much waits
   */
  public boolean register(Subscriber subscription, @Nullable Subscriber replaced) {
    return lane.submit(
        () -> {
          if (replaced != null) {
            remove(replaced);
          }
          if (subscription.isClosed()) {
            return;
          }
          index.add(subscription);
          subscriptions = index.size();
          notifyListeners(subscription);
          subscription.begin(letOut, statesFor(subscription.filters()));
        });
  }

  private void notifyListeners(Subscriber subscription) {
    lane.assertCurrent();
    for (SubscriptionListener listener : listeners) {
      try {
        listener.subscribed(subscription.connection(), subscription.filters());
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
   * Hands on how things are now, as far as some filters ask for it; in a task of this lane.
   *
   * @return false, and nothing happens, when too much waits
   */
  public boolean current(List<Filter> filters, Consumer<List<List<CurrentState>>> then) {
    return lane.submit(() -> then.accept(statesFor(filters)));
  }

  /** For each filter the states among which those are that it asks for. */
  private List<List<CurrentState>> statesFor(List<Filter> filters) {
    lane.assertCurrent();
    return filters.stream().map(this::statesFor).toList();
  }

  private List<CurrentState> statesFor(Filter filter) {
    Set<Integer> kinds = filter.kinds();
    if (kinds == null) {
      return List.of();
    }
    List<List<CurrentState>> found =
        states.entrySet().stream()
            .filter(ofKind -> kinds.contains(ofKind.getKey()))
            .map(ofKind -> ofKind.getValue().candidates(filter))
            .toList();
    return found.size() == 1
        ? found.get(0)
        : CurrentStates.newestOf(found.stream().flatMap(List::stream));
  }

  /**
   * Removes a subscription; it has been closed before.
   *
   * @param then called on this lane: nothing is delivered under the subscription any more
   */
  public void unregister(Subscriber subscription, Runnable then) {
    lane.put(
        () -> {
          remove(subscription);
          then.run();
        });
  }

  private void remove(Subscriber subscription) {
    lane.assertCurrent();
    index.remove(subscription);
    subscriptions = index.size();
    subscription.dropHeld();
  }

  /**
   * Its stored events have been sent: once everything up to the offset has been let out, EOSE, what
   * was held, then live.
   *
   * @param upTo the last offset when the last page was read
   * @param eose and the last one as in {@link Subscriber#goLive}
   */
  public void caughtUp(
      Subscriber subscription,
      long upTo,
      RelayMessage.EndOfStored eose,
      Predicate<Event> standsIn) {
    lane.put(() -> goLive(new CaughtUp(subscription, upTo, eose, standsIn)));
  }

  private record CaughtUp(
      Subscriber subscription,
      long upTo,
      RelayMessage.EndOfStored eose,
      Predicate<Event> standsIn) {}

  private void goLive(CaughtUp it) {
    lane.assertCurrent();
    if (it.upTo() <= letOut) {
      it.subscription().goLive(it.eose(), it.standsIn());
    } else {
      behind.add(it);
    }
  }

  /** Lets out what needs no commit; false, and nothing happens, when too much waits. */
  public boolean offer(List<Outgoing> outgoing) {
    return lane.submit(() -> letOut(outgoing));
  }

  /** Lets out what was admitted under another bound. */
  public void release(List<Outgoing> outgoing) {
    lane.put(() -> letOut(outgoing));
  }

  /**
   * Lets out what a commit was waited for.
   *
   * @param lastOffset the offset of the commit's last event
   * @param done called on this lane at the end
   */
  public void release(List<Outgoing> outgoing, long lastOffset, Runnable done) {
    lane.put(
        () -> {
          letOut(outgoing);
          letOut = lastOffset;
          List<CaughtUp> waiting = List.copyOf(behind);
          behind.clear();
          waiting.forEach(this::goLive);
          done.run();
        });
  }

  /** Runs it behind what waits, on this lane. */
  public void takeTurn(Runnable turn) {
    lane.put(turn);
  }

  /** Lets out what is queued, then ends the lane. */
  @Override
  public void close() {
    lane.close();
  }

  private void letOut(List<Outgoing> outgoing) {
    lane.assertCurrent();
    for (Outgoing item : outgoing) {
      try {
        item.accept(delivery);
      } catch (RuntimeException e) {
        LOG.error("Something could not be let out; this is a bug", e);
      }
    }
  }

  /** What is done with each type of output. */
  private final class Delivery implements Outgoing.Visitor {
    @Override
    public void answer(Outgoing.Answer answer) {
      answer.to().connection().answer(answer.to().event(), answer.ok());
    }

    @Override
    public void lateOk(Outgoing.LateOk late) {
      late.to().send(late.ok());
    }

    @Override
    public void broadcast(Outgoing.Broadcast broadcast) {
      LiveLane.this.broadcast(broadcast.event(), broadcast.fallbacks());
    }

    @Override
    public void whisper(Outgoing.Whisper whisper) {
      boolean isSent = LiveLane.this.whisper(whisper.event(), whisper.to(), whisper.fallbacks());
      whisper.whetherSent().accept(isSent);
    }

    @Override
    public void subscriptionCheck(Outgoing.SubscriptionCheck check) {
      index.matching(check.event()).forEach(LiveLane.this::notifyListeners);
    }

    @Override
    public void current(Outgoing.Current current) {
      change(current);
    }
  }

  private void change(Outgoing.Current current) {
    CurrentState state =
        states
            .computeIfAbsent(current.kind(), kind -> new CurrentStates())
            .change(current, changes++);
    if (index.mayWant(current.kind())) {
      for (Subscriber subscription : index.matching(state.draft().unsigned())) {
        subscription.deliver(state.draft().signed());
      }
    }
  }

  private void broadcast(Event event, List<Fallback> fallbacks) {
    Set<ClientConnection> reached = new HashSet<>();
    for (Subscriber subscription : index.matching(event)) {
      if (subscription.deliver(event) && !fallbacks.isEmpty()) {
        reached.add(subscription.connection());
      }
    }
    sendFallbacks(event, fallbacks, reached);
  }

  /** Whether at least one frame is on its way. */
  private boolean whisper(Event event, Set<ClientConnection> to, List<Fallback> fallbacks) {
    Set<ClientConnection> reached = new HashSet<>();
    for (ClientConnection connection : to) {
      for (Subscriber subscription : index.matching(event, connection)) {
        if (subscription.deliver(event)) {
          reached.add(connection);
        }
      }
    }
    return sendFallbacks(event, fallbacks, reached) || !reached.isEmpty();
  }

  /** Whether at least one was sent to a connection that is open. */
  private static boolean sendFallbacks(
      Event event, List<Fallback> fallbacks, Set<ClientConnection> reached) {
    boolean isSent = false;
    for (Fallback fallback : fallbacks) {
      if (!reached.contains(fallback.to())) {
        isSent |= fallback.to().isOpen();
        fallback.to().send(new RelayMessage.Found(FrameLabel.number(fallback.number()), event));
      }
    }
    return isSent;
  }
}
