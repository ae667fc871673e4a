package gambit.app.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Submission;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.rate.ClientAddress;
import gambit.core.testkit.Keys;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The order in which waiting requests are sent, and which of them lose their place. */
class PluginRequestsTest {
  private final PluginRequests waiting = new PluginRequests();
  private final ClientConnection one = connection();
  private final ClientConnection two = connection();
  private final ClientConnection three = connection();

  /** A connection of which only the identity and the address matter. */
  private static ClientConnection connection() {
    return connection("203.0.113.1");
  }

  private static ClientConnection connection(String address) {
    return (ClientConnection)
        Proxy.newProxyInstance(
            ClientConnection.class.getClassLoader(),
            new Class<?>[] {ClientConnection.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(proxy);
                  case "equals" -> proxy == arguments[0];
                  case "address" -> ClientAddress.parse(address).orElseThrow();
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static PluginRequest request(ClientConnection connection, String content, long time) {
    Event event = Keys.of("alice").sign(1_700_000_000, 1, Tags.NONE, content);
    Submission submission =
        new Submission(event, connection, Instant.EPOCH, false, false, it -> {});
    return new PluginRequest(submission, it -> {}, time);
  }

  private PluginRequest add(ClientConnection connection, String content) {
    PluginRequest request = request(connection, content, 0);
    waiting.add(request, Integer.MAX_VALUE);
    return request;
  }

  @Test
  void connectionsTakeTurnsAndEachKeepsItsOrder() {
    PluginRequest a1 = add(one, "a1");
    PluginRequest a2 = add(one, "a2");
    PluginRequest a3 = add(one, "a3");
    PluginRequest b1 = add(two, "b1");
    assertThat(waiting.removeNext()).isSameAs(a1);
    PluginRequest c1 = add(three, "c1");
    PluginRequest b2 = add(two, "b2");
    assertThat(Stream.generate(waiting::removeNext).limit(5)).containsExactly(b1, a2, c1, b2, a3);
    assertThat(waiting.waiting()).isZero();
  }

  @Test
  void newestRequestOfTheConnectionWithTheMostMakesRoomUnlessItWouldThenHaveFewer() {
    List<PluginRequest> many = IntStream.range(0, 3).mapToObj(i -> add(one, "a" + i)).toList();
    assertThat(waiting.removeInFavourOf(one)).isEmpty();
    assertThat(waiting.removeInFavourOf(two)).containsSame(many.get(2));
    add(two, "b1");
    assertThat(waiting.waiting()).isEqualTo(3);
    assertThat(waiting.removeInFavourOf(two)).as("two each, if it had").isEmpty();
    assertThat(waiting.removeInFavourOf(three)).containsSame(many.get(1));
    add(three, "c1");
    assertThat(waiting.removeInFavourOf(connection())).as("one each").isEmpty();
    assertThat(waiting.removeAll()).hasSize(3).first().isSameAs(many.get(0));
    assertThat(waiting.waiting()).isZero();
  }

  @Test
  void manyConnectionsOfOneAddressDelayAndPushOutOnlyEachOther() {
    List<PluginRequest> greedy = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      greedy.add(add(connection(), "g" + i));
    }
    List<PluginRequest> modest = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      ClientConnection connection = connection("198.51.100." + i);
      assertThat(waiting.removeInFavourOf(connection)).get().isIn(greedy);
      modest.add(add(connection, "m" + i));
    }
    assertThat(Stream.generate(waiting::removeNext).limit(21)).containsAll(modest);
    assertThat(waiting.removeInFavourOf(connection())).as("all are of its address").isEmpty();
  }

  @Test
  void oldRequestsOfEveryConnectionAreRemoved() {
    PluginRequest old = request(one, "old", 10);
    PluginRequest alsoOld = request(two, "also old", 20);
    PluginRequest recent = request(one, "recent", 21);
    List.of(old, alsoOld, recent).forEach(it -> waiting.add(it, Integer.MAX_VALUE));
    assertThat(waiting.removeAddedBy(20)).containsExactly(old, alsoOld);
    assertThat(waiting.waiting()).isEqualTo(1);
    assertThat(waiting.removeNext()).isSameAs(recent);
  }
}
