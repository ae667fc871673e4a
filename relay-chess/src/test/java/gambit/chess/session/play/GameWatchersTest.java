package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.RelayMessage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GameWatchersTest {
  private static final int STATES = 20302;
  private static final int PRESENCES = 20306;

  private final List<EventId> changes = new ArrayList<>();
  private final GameWatchers watchers = new GameWatchers();
  private final ClientConnection connection = new Connection();

  @BeforeEach
  void recordChanges() {
    watchers.onChange(changes::add);
  }

  @Test
  void connectionCountsOnceHoweverManySubscriptionsItHas() {
    watchers.gameStarted(game(1));
    watchers.opened(connection, follow(STATES, 1));
    watchers.opened(connection, follow(PRESENCES, 1));
    watchers.opened(new Connection(), follow(PRESENCES, 1));
    assertThat(count(1)).isEqualTo(2);
    watchers.closed(connection, follow(STATES, 1));
    assertThat(count(1)).isEqualTo(2);
    watchers.closed(connection, follow(PRESENCES, 1));
    assertThat(count(1)).isEqualTo(1);
    assertThat(changes).as("no change but these").hasSize(3);
  }

  @Test
  void playersConnectionIsNotCounted() {
    watchers.gameStarted(game(1));
    watchers.opened(connection, follow(STATES, 1));
    assertThat(watchers.count(game(1), List.of(connection, connection, new Connection()))).isZero();
  }

  @Test
  void onlySubscriptionsThatNameTheGameAndAKindOfItCount() {
    watchers.gameStarted(game(1));
    Map<Character, Set<String>> named = Map.of('d', Set.of(game(1).hex()));
    for (Filter filter :
        List.of(
            new Filter(null, null, Set.of(STATES), Map.of(), null, null, null),
            new Filter(null, null, null, named, null, null, null),
            new Filter(null, null, Set.of(1), named, null, null, null),
            new Filter(null, null, Set.of(STATES), Map.of('d', Set.of("x")), null, null, null),
            follow(STATES, 2).get(0))) {
      watchers.opened(connection, List.of(filter));
      watchers.closed(connection, List.of(filter));
      watchers.opened(connection, List.of(filter));
    }
    assertThat(count(1)).isZero();
    assertThat(changes).isEmpty();
  }

  @Test
  void connectionIsCountedForALimitedNumberOfGames() {
    int all = 3 * GameWatchers.MAX_GAMES;
    IntStream.range(0, all).forEach(number -> watchers.gameStarted(game(number)));
    int[] numbers = IntStream.range(0, all).toArray();
    watchers.opened(connection, follow(STATES, numbers));
    assertThat(Arrays.stream(numbers).map(this::count).sum()).isEqualTo(GameWatchers.MAX_GAMES);
    watchers.closed(connection, follow(STATES, numbers));
    assertThat(Arrays.stream(numbers).map(this::count).sum()).isZero();
    for (int number : numbers) {
      watchers.opened(connection, follow(STATES, number));
      watchers.gameEnded(game(number));
    }
    watchers.gameStarted(game(all));
    watchers.opened(connection, follow(STATES, all));
    assertThat(count(all)).as("games that have ended take no place").isEqualTo(1);
  }

  @Test
  void subscriptionMayCloseAfterTheEndOfItsGame() {
    watchers.gameStarted(game(1));
    watchers.opened(connection, follow(STATES, 1));
    watchers.gameEnded(game(1));
    changes.clear();
    watchers.closed(connection, follow(STATES, 1));
    assertThat(changes).isEmpty();
  }

  /** Compares with the list of all open subscriptions, below the limit. */
  @Property(tries = 50)
  void countIsThatOfConnectionsWithAnOpenSubscription(@ForAll long seed) {
    Random random = new Random(seed);
    GameWatchers tested = new GameWatchers();
    List<Connection> connections = List.of(new Connection(), new Connection(), new Connection());
    Map<Connection, List<List<Filter>>> open = new HashMap<>();
    Set<Integer> running = Set.of(0, 1, 2, 3, 4);
    running.forEach(number -> tested.gameStarted(game(number)));
    for (int step = 0; step < 60; step++) {
      Connection chosen = connections.get(random.nextInt(3));
      List<List<Filter>> own = open.computeIfAbsent(chosen, c -> new ArrayList<>());
      if (own.isEmpty() || random.nextInt(5) > 1) {
        List<Filter> filters = new ArrayList<>(follow(STATES, random.nextInt(7)));
        filters.addAll(follow(PRESENCES, random.nextInt(7), random.nextInt(7)));
        own.add(filters);
        tested.opened(chosen, filters);
      } else {
        tested.closed(chosen, own.remove(random.nextInt(own.size())));
      }
      for (int number : running) {
        String id = game(number).hex();
        long expected =
            open.values().stream()
                .filter(
                    all ->
                        all.stream()
                            .flatMap(List::stream)
                            .anyMatch(filter -> filter.tags().get('d').contains(id)))
                .count();
        assertThat(tested.count(game(number), List.of())).isEqualTo((int) expected);
      }
    }
  }

  private int count(int number) {
    return watchers.count(game(number), List.of());
  }

  private static List<Filter> follow(int kind, int... numbers) {
    Set<String> ids =
        Arrays.stream(numbers).mapToObj(number -> game(number).hex()).collect(Collectors.toSet());
    return List.of(new Filter(null, null, Set.of(kind), Map.of('d', ids), null, null, null));
  }

  private static EventId game(int number) {
    return new EventId(ByteBuffer.allocate(32).putInt(number).array());
  }

  /** A connection of which only the identity matters. */
  private static final class Connection implements ClientConnection {
    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public ClientAddress address() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<PubKey> keys() {
      return Set.of();
    }

    @Override
    public boolean isOperator() {
      return false;
    }

    @Override
    public void answer(Event event, RelayMessage.Ok ok) {}

    @Override
    public void requestLogin() {}

    @Override
    public void send(RelayMessage message) {}

    @Override
    public void afterOutput(Runnable task) {}
  }
}
