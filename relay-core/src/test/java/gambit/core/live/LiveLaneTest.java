package gambit.core.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestMetrics;
import gambit.core.wire.RelayMessage;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class LiveLaneTest {
  private static final Event NOTE = Keys.of("alice").sign(1, 1, Tags.NONE, "note");
  private static final ClientConnection CONNECTION =
      (ClientConnection)
          Proxy.newProxyInstance(
              LiveLaneTest.class.getClassLoader(),
              new Class<?>[] {ClientConnection.class},
              (self, method, arguments) ->
                  switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(self);
                    case "equals" -> self == arguments[0];
                    case "owners" -> Set.of();
                    default -> throw new AssertionError(method);
                  });

  private final List<Throwable> failures = new ArrayList<>(); // read after the lane has ended
  private final List<String> calls = new ArrayList<>(); // likewise

  @Test
  void subscriberIsCalledOnTheLiveLane() {
    try (LiveLane live =
        new LiveLane(Keys.of("relay").pubkey(), 0, new TestMetrics(), failures::add)) {
      Subscriber subscriber = new Recorder(live);
      live.listen((connection, filters) -> record(live, "listener"));
      assertThat(live.register(subscriber, null)).isTrue();
      live.caughtUp(subscriber, 7, new RelayMessage.EndOfStored("a", null), event -> false);
      live.release(
          List.of(new Outgoing.Broadcast(NOTE, List.of())), 7, () -> record(live, "released"));
      live.unregister(subscriber, () -> record(live, "unregistered"));
      assertThatThrownBy(live::assertCurrent)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageEndingWith("instead of live");
    }
    assertThat(calls)
        .containsExactly(
            "listener", "begin", "deliver", "goLive", "released", "dropHeld", "unregistered");
    assertThat(failures).isEmpty();
  }

  @Test
  void stateThatANewLeaderConfirmsIsNotDeliveredAgain() {
    Signer relay = Keys.of("relay");
    try (LiveLane live = new LiveLane(relay.pubkey(), 0, new TestMetrics(), failures::add)) {
      Subscriber subscriber = new Recorder(live);
      live.register(subscriber, null);
      live.release(List.of(state(relay, "a", "1"), state(relay, "b", "1")));
      live.forgetStates();
      live.execute(() -> record(live, "takeover"));
      live.release(List.of(state(relay, "a", "1"), state(relay, "b", "2")));
      live.release(List.of(state(relay, "a", "1")));
    }
    assertThat(calls)
        .as("the confirmed state is left out, once")
        .containsExactly("begin", "deliver", "deliver", "takeover", "deliver", "deliver");
    assertThat(failures).isEmpty();
  }

  private static Outgoing.Current state(Signer relay, String key, String content) {
    Tags tags = new Tags(List.of(List.of("d", key)));
    return new Outgoing.Current(
        key, 20_302, Set.of(), () -> relay.signLazily(1, 20_302, tags, content), false);
  }

  private void record(LiveLane live, String call) {
    live.assertCurrent();
    calls.add(call);
  }

  private final class Recorder implements Subscriber {
    private final LiveLane live;

    Recorder(LiveLane live) {
      this.live = live;
    }

    @Override
    public ClientConnection connection() {
      return CONNECTION;
    }

    @Override
    public List<Filter> filters() {
      return List.of(new Filter(null, null, null, Map.of(), null, null, null));
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public void begin(long upTo, List<List<CurrentState>> states) {
      record(live, "begin");
    }

    @Override
    public boolean deliver(Event event) {
      record(live, "deliver");
      return true;
    }

    @Override
    public void goLive(RelayMessage.EndOfStored eose, Predicate<Event> replacesStored) {
      record(live, "goLive");
    }

    @Override
    public void dropHeld() {
      record(live, "dropHeld");
    }
  }
}
