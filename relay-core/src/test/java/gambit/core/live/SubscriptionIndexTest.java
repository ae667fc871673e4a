package gambit.core.live;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.wire.RelayMessage;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares the index with a loop over all subscriptions. */
class SubscriptionIndexTest {
  private static final int MANY = 10_000;
  private static final List<String> NAMES = List.of("e", "p", "t", "T", "d", "7", "", "alt");
  private static final String LETTERS = "eptTd";

  private final SubscriptionIndex index = new SubscriptionIndex();

  @Property(tries = 50)
  void indexFindsWhatALoopOverAllSubscriptionsFindsEachOnce(@ForAll long seed) {
    Random random = new Random(seed);
    List<Event> events = Stream.generate(() -> event(random)).limit(30).toList();
    List<ClientConnection> connections =
        Stream.generate(SubscriptionIndexTest::connection).limit(4).toList();
    SubscriptionIndex changing = new SubscriptionIndex();
    List<Subscription> there = new ArrayList<>();
    List<Subscription> gone = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      if (random.nextInt(5) < 3 || there.isEmpty()) {
        Subscription next = subscription(pick(connections, random), filters(random, events));
        changing.add(next);
        there.add(next);
      } else {
        Subscription next = there.remove(random.nextInt(there.size()));
        changing.remove(next);
        gone.add(next);
      }
      if (!gone.isEmpty() && random.nextInt(10) == 0) {
        changing.remove(pick(gone, random)); // once more: nothing happens
      }
      if (!there.isEmpty() && random.nextInt(10) == 0) {
        changing.add(pick(there, random));
      }
      assertThat(changing.size()).isEqualTo(there.size());
      Event event = pick(events, random);
      assertThat(changing.matching(event))
          .containsExactlyInAnyOrderElementsOf(matching(there, event));
      ClientConnection connection = pick(connections, random);
      assertThat(changing.matching(event, connection))
          .containsExactlyInAnyOrderElementsOf(
              matching(there, event).stream().filter(it -> it.connection() == connection).toList());
    }
    there.forEach(changing::remove);
    assertThat(changing.size()).isZero();
    assertThat(changing.isEmpty()).as("no list keeps anything").isTrue();
    assertThat(events).allMatch(event -> changing.matching(event).isEmpty());
  }

  /** Nothing that knows no id is missed, though the event with the state is not built. */
  @Property(tries = 50)
  void stateThatASubscriptionMatchesIsRecognizedByItsKeyAndKindAndAuthor(@ForAll long seed) {
    Random random = new Random(seed);
    List<Event> events = Stream.generate(() -> stateEvent(random)).limit(30).toList();
    SubscriptionIndex changing = new SubscriptionIndex();
    List<Subscription> there = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      List<Filter> withoutIds =
          filters(random, events).stream().filter(filter -> filter.ids() == null).toList();
      Subscription next = subscription(connection(), withoutIds);
      changing.add(next);
      there.add(next);
      if (random.nextInt(3) == 0) {
        changing.remove(there.remove(random.nextInt(there.size())));
      }
      Event event = pick(events, random);
      if (!matching(there, event).isEmpty()) {
        assertThat(changing.canMatch(current(event), event.pubkey())).isTrue();
      }
    }
    there.forEach(changing::remove);
    assertThat(events).noneMatch(event -> changing.canMatch(current(event), event.pubkey()));
  }

  @Test
  void stateIsNotBuiltForSubscriptionsToOthers() {
    Event event = stateEvent(1, 7, key(2), key(3));
    add(new Filter(null, null, null, Map.of('p', Set.of(key(4).hex())), null, null, null));
    add(new Filter(null, null, Set.of(7), Map.of('d', Set.of("other")), null, null, null));
    add(new Filter(null, Set.of(key(4)), null, Map.of(), null, null, null));
    add(new Filter(null, null, Set.of(1), Map.of('d', Set.of("object")), null, null, null));
    assertThat(index.canMatch(current(event), event.pubkey())).isFalse();
    add(new Filter(null, null, null, Map.of('p', Set.of(key(3).hex())), null, null, null));
    assertThat(index.canMatch(current(event), event.pubkey())).isTrue();
  }

  /** The form of a state: it has a key, and names those it is about. */
  private static Event stateEvent(int author, int kind, PubKey... about) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("d", "object"));
    Stream.of(about).forEach(player -> tags.add(List.of("p", player.hex())));
    return event(key(author), kind, tags);
  }

  private static Event stateEvent(Random random) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("d", "v" + random.nextInt(4)));
    for (int i = random.nextInt(3); i > 0; i--) {
      tags.add(List.of("p", key(random.nextInt(4)).hex()));
    }
    return event(key(random.nextInt(4)), random.nextInt(4), tags, random.nextInt(6));
  }

  private static Outgoing.Current current(Event event) {
    return new Outgoing.Current(
        event.tags().first("d").orElseThrow(),
        event.kind(),
        event.tags().named("p").map(tag -> PubKey.ofHex(tag.get(1))).collect(Collectors.toSet()),
        () -> {
          throw new AssertionError("built");
        },
        false);
  }

  private static List<Subscription> matching(List<Subscription> there, Event event) {
    return there.stream()
        .filter(it -> it.filters().stream().anyMatch(filter -> filter.matches(event)))
        .toList();
  }

  @Test
  void eventIsNotComparedWithSubscriptionsToOtherAuthors() {
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < MANY; i++) {
      add(new Filter(null, counted(asked, Set.of(key(i))), Set.of(1), Map.of(), null, null, null));
    }
    for (int author : new int[] {0, 17, MANY - 1}) {
      asked.set(0);
      assertThat(index.matching(event(key(author), 1, List.of()))).hasSize(1);
      assertThat(asked).hasValue(1);
    }
    asked.set(0);
    assertThat(index.matching(event(key(MANY), 1, List.of()))).isEmpty();
    assertThat(asked).hasValue(0);
  }

  @Test
  void eventIsNotComparedWithSubscriptionsToOtherTagsOrKinds() {
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < MANY; i++) {
      Map<Character, Set<String>> tag = Map.of('p', counted(asked, Set.of(key(i).hex())));
      add(new Filter(null, null, Set.of(1), tag, null, null, null));
      add(new Filter(null, null, counted(asked, Set.of(10_000 + i)), Map.of(), null, null, null));
    }
    Event event = event(key(0), 10_005, List.of(List.of("p", key(5).hex()), List.of("p", "x")));
    assertThat(index.matching(event)).hasSize(1);
    assertThat(asked).as("the tag's one is turned down by its kind before").hasValue(1);
  }

  @Test
  void filterIsRegisteredUnderItsShortestLists() {
    AtomicInteger asked = new AtomicInteger();
    Set<PubKey> popular = counted(asked, Set.of(key(1)));
    for (int i = 0; i < MANY; i++) {
      Map<Character, Set<String>> rare = Map.of('t', Set.of("game " + i));
      add(new Filter(null, popular, Set.of(1), rare, null, null, null));
    }
    assertThat(index.matching(event(key(1), 1, List.of(List.of("t", "game 7"))))).hasSize(1);
    assertThat(asked.get()).as("a few may wait under the author").isLessThan(MANY / 100);
  }

  @Test
  void repeatedTagIsLookedUpOnce() {
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      Map<Character, Set<String>> popular = Map.of('t', Set.of("x"));
      add(new Filter(null, null, counted(asked, Set.of(7)), popular, null, null, null));
    }
    List<List<String>> tags = Collections.nCopies(2_000, List.of("t", "x"));
    for (int round = 0; round < 2; round++) {
      asked.set(0);
      assertThat(index.matching(event(key(1), 1, tags))).isEmpty();
      assertThat(asked).hasValue(100);
    }
  }

  @Test
  void thousandsOfTagsAreNotScannedForEachFilter() {
    AtomicInteger asked = new AtomicInteger();
    for (int i = 0; i < 100; i++) {
      Map<Character, Set<String>> both =
          Map.of('t', Set.of("x"), 'd', counted(asked, Set.of("none")));
      add(new Filter(null, null, null, both, null, null, null));
    }
    List<List<String>> tags = new ArrayList<>(Collections.nCopies(1_000, List.of("d", "other")));
    tags.add(List.of("t", "x"));
    assertThat(index.matching(event(key(1), 1, tags))).isEmpty();
    assertThat(asked).hasValueLessThanOrEqualTo(100);
    tags.add(List.of("d", "none"));
    assertThat(index.matching(event(key(1), 1, tags))).hasSize(100);
  }

  @Test
  void filterWithoutConditionsIsComparedWithEveryEvent() {
    Filter all = new Filter(null, null, null, Map.of(), 5L, null, 0L);
    Subscription subscription = add(all);
    assertThat(index.matching(event(key(1), 1, List.of()))).containsExactly(subscription);
  }

  private Subscription add(Filter filter) {
    Subscription subscription = subscription(connection(), List.of(filter));
    index.add(subscription);
    return subscription;
  }

  /** A set that counts how often it is asked. */
  private static <T> Set<T> counted(AtomicInteger asked, Set<T> values) {
    return new AbstractSet<>() {
      @Override
      public boolean contains(@Nullable Object value) {
        asked.incrementAndGet();
        return values.contains(value);
      }

      @Override
      public Iterator<T> iterator() {
        return values.iterator();
      }

      @Override
      public int size() {
        return values.size();
      }
    };
  }

  private static Subscription subscription(ClientConnection connection, List<Filter> filters) {
    return new Subscription(connection, filters);
  }

  /** A subscription that is found, and to which nothing is delivered. */
  private static final class Subscription implements Subscriber {
    private final ClientConnection connection;
    private final List<Filter> filters;

    Subscription(ClientConnection connection, List<Filter> filters) {
      this.connection = connection;
      this.filters = filters;
    }

    @Override
    public ClientConnection connection() {
      return connection;
    }

    @Override
    public List<Filter> filters() {
      return filters;
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public void begin(long upTo, List<List<CurrentState>> states) {}

    @Override
    public boolean deliver(Event event) {
      return false;
    }

    @Override
    public void goLive(RelayMessage.EndOfStored eose, Predicate<Event> replacesStored) {}

    @Override
    public void dropHeld() {}
  }

  private static ClientConnection connection() {
    return untouched(ClientConnection.class);
  }

  /** Something that has an identity and nothing else. */
  private static <T> T untouched(Class<T> type) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  case "toString" -> type.getSimpleName();
                  default -> throw new AssertionError(method);
                }));
  }

  private static <T> T pick(List<T> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  private static PubKey key(int number) {
    return new PubKey(ByteBuffer.allocate(32).putInt(28, number).array());
  }

  private static Event event(Random random) {
    List<List<String>> tags = new ArrayList<>();
    for (int i = random.nextInt(random.nextInt(4) > 0 ? 5 : 40); i > 0; i--) {
      String name = pick(NAMES, random);
      tags.add(
          switch (random.nextInt(8)) {
            case 0 -> List.of(name);
            case 1 -> List.of(name, "v" + random.nextInt(4), "v" + random.nextInt(4));
            default -> List.of(name, "v" + random.nextInt(4));
          });
    }
    return event(key(random.nextInt(4)), random.nextInt(4), tags, random.nextInt(6));
  }

  private static Event event(PubKey author, int kind, List<List<String>> tags) {
    return event(author, kind, tags, 100);
  }

  private static Event event(PubKey author, int kind, List<List<String>> tags, long createdAt) {
    EventId id = EventEncoder.idOf(author, createdAt, kind, new Tags(tags), "");
    return EventEncoder.encode(id, author, createdAt, kind, new Tags(tags), "", new byte[64]);
  }

  private static List<Filter> filters(Random random, List<Event> events) {
    return Stream.generate(() -> filter(random, events)).limit(1 + random.nextInt(3)).toList();
  }

  private static Filter filter(Random random, List<Event> events) {
    Map<Character, Set<String>> tags = new HashMap<>();
    for (int i = Math.max(0, random.nextInt(6) - 3); i > 0; i--) {
      char letter = LETTERS.charAt(random.nextInt(LETTERS.length()));
      boolean isKey = letter == 'p' && random.nextBoolean();
      tags.put(letter, some(random, any -> isKey ? key(any).hex() : "v" + any));
    }
    return new Filter(
        random.nextInt(5) > 0 ? null : some(random, any -> pick(events, random).id()),
        random.nextInt(3) > 0 ? null : some(random, SubscriptionIndexTest::key),
        random.nextInt(3) > 0 ? null : some(random, any -> any),
        tags,
        random.nextInt(4) > 0 ? null : (long) random.nextInt(6),
        random.nextInt(4) > 0 ? null : (long) random.nextInt(6),
        random.nextInt(4) > 0 ? null : (long) random.nextInt(3));
  }

  /** Up to three values, sometimes none. */
  private static <T> Set<T> some(Random random, IntFunction<T> value) {
    Set<T> values = new HashSet<>();
    for (int i = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(3); i > 0; i--) {
      values.add(value.apply(random.nextInt(4)));
    }
    return values;
  }
}
