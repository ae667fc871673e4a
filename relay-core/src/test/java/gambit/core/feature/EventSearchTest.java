package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** How the relay uses a search: a stand-in, which finds offsets that tests choose. */
class EventSearchTest {
  private static final Signer ALICE = Keys.of("alice");

  private static final TransportSettings BEHIND_PROXY =
      new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1")));

  private final FixedSearch search = new FixedSearch();

  /** Finds the same offsets for every text; a text may also make it fail, refuse or wait. */
  private static final class FixedSearch implements Feature, EventSearch {
    private final CountDownLatch gate = new CountDownLatch(1);
    private final List<String> begun = new CopyOnWriteArrayList<>();
    private final List<Long> forgotten = new CopyOnWriteArrayList<>();
    private volatile long[] offsets = {};

    @Override
    public void install(RelayBuilder relay) {
      relay.search(this, relay.lane("search", 6)); // three for one address
    }

    @Override
    public Optional<Reason> objection(String text) {
      return text.equals("objectionable")
          ? Optional.of(Reason.invalid("not this"))
          : Optional.empty();
    }

    @Override
    public void whenCurrent(long offset, Runnable then) {
      then.run();
    }

    @Override
    public Result find(Filter filter, IntPredicate mayRead, long upTo) {
      String text = String.valueOf(filter.search());
      begun.add(text);
      switch (text) {
        case "refused" -> {
          return new Refused(Reason.error("not now"));
        }
        case "failing" -> throw new IllegalStateException("on purpose");
        case "waiting" -> {
          try {
            gate.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        }
        default -> {}
      }
      return new Found(offsets);
    }

    @Override
    public Predicate<Event> matcher(String text) {
      return event -> event.content().equals(text);
    }

    @Override
    public void forget(long offset) {
      forgotten.add(offset);
    }
  }

  private static List<Event> publish(TestRelay relay, Client client, int count) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      events.add(client.publishAccepted(ALICE.sign(relay.now() + i, 1, Tags.NONE, "" + i)));
    }
    return events;
  }

  private long[] offsetsOf(TestRelay relay, List<Event> events) {
    return events.stream()
        .mapToLong(
            event -> {
              for (long offset = 1; offset <= relay.store().lastOffset(); offset++) {
                if (relay
                    .store()
                    .byOffset(offset)
                    .filter(it -> it.event().equals(event))
                    .isPresent()) {
                  return offset;
                }
              }
              throw new AssertionError("not stored");
            })
        .toArray();
  }

  @Test
  void eventsAreSentInTheOrderInWhichTheyWereFoundUpToTheLimit() {
    try (TestRelay relay = new TestRelay(search);
        Client client = relay.connect()) {
      List<Event> events = publish(relay, client, 250);
      List<Event> shuffled = new ArrayList<>(events);
      java.util.Collections.shuffle(shuffled, new java.util.Random(1));
      search.offsets = offsetsOf(relay, shuffled);
      List<String> ids = shuffled.stream().map(it -> it.id().hex()).toList();
      assertThat(client.queryIds("{\"search\":\"x\"}")).isEqualTo(ids);
      assertThat(client.queryIds("{\"search\":\"x\",\"limit\":120}"))
          .isEqualTo(ids.subList(0, 120));
      assertThat(client.queryIds("{\"search\":\"x\",\"limit\":3},{\"search\":\"x\"}"))
          .isEqualTo(ids);
    }
  }

  @Test
  void eventThatIsNotStoredIsForgottenAndOneThatTheFilterExcludesIsLeftOut() {
    try (TestRelay relay = new TestRelay(search);
        Client client = relay.connect()) {
      List<Event> events = publish(relay, client, 2);
      long[] offsets = offsetsOf(relay, events);
      search.offsets = new long[] {offsets[0], offsets[1] + 1000, offsets[1]};
      assertThat(client.queryIds("{\"search\":\"x\",\"since\":" + events.get(1).createdAt() + "}"))
          .containsExactly(events.get(1).id().hex());
      assertThat(search.forgotten).containsExactly(offsets[1] + 1000);
    }
  }

  @Test
  void searchThatIsRefusedOrFailsClosesItsSubscription() {
    try (TestRelay relay = new TestRelay(search);
        Client client = relay.connect()) {
      client.send("[\"REQ\",\"a\",{\"search\":\"objectionable\"}]");
      assertThat(client.next()).isEqualTo("[\"CLOSED\",\"a\",\"invalid: not this\"]");
      assertThat(search.begun).isEmpty();
      client.send("[\"REQ\",\"b\",{\"limit\":1},{\"search\":\"refused\"}]");
      assertThat(client.next()).isEqualTo("[\"CLOSED\",\"b\",\"error: not now\"]");
      client.send("[\"REQ\",\"c\",{\"search\":\"failing\"}]");
      assertThat(client.next()).isEqualTo("[\"CLOSED\",\"c\",\"error: the search failed\"]");
      assertThat(client.queryIds("{\"search\":\"x\"}")).isEmpty();
    }
  }

  @Test
  void longSearchDelaysNoOtherQueryAndAClosedSubscriptionIsNotSearchedFor() {
    try (TestRelay relay = new TestRelay(search);
        Client searcher = relay.connect();
        Client other = relay.connect()) {
      searcher.send("[\"REQ\",\"a\",{\"search\":\"waiting\"}]");
      searcher.send("[\"REQ\",\"b\",{\"search\":\"closed early\"}]");
      searcher.send("[\"CLOSE\",\"b\"]");
      searcher.send("[\"REQ\",\"c\",{\"limit\":0}]");
      assertThat(searcher.next()).isEqualTo("[\"EOSE\",\"c\"]");
      assertThat(other.queryIds("{}")).isEmpty();
      search.gate.countDown();
      assertThat(searcher.next()).isEqualTo("[\"EOSE\",\"a\"]");
      assertThat(other.queryIds("{\"search\":\"x\"}")).isEmpty();
      assertThat(search.begun).containsExactly("waiting", "x");
    }
  }

  @Test
  void searchesOfMoreConnectionsThanMayWaitAreRefused() {
    List<Client> clients = new ArrayList<>();
    try (TestRelay relay = new TestRelay(search);
        Client first = relay.connect()) {
      first.send("[\"REQ\",\"a\",{\"search\":\"waiting\"}]");
      await().until(() -> search.begun.size() == 1);
      for (int i = 0; i < 3; i++) {
        clients.add(relay.connect());
        clients.get(i).send("[\"REQ\",\"s\",{\"search\":\"x\"}]");
        clients.get(i).send("[\"REQ\",\"end\",{\"limit\":0}]");
        assertThat(clients.get(i).next()).isEqualTo("[\"EOSE\",\"end\"]"); // the search waits
      }
      try (Client last = relay.connect()) {
        last.send("[\"REQ\",\"s\",{\"search\":\"x\"}]");
        assertThat(last.next())
            .isEqualTo("[\"CLOSED\",\"s\",\"rate-limited: too many queries, try again\"]");
      }
      relay.change(settings -> ChangedSettings.with(settings, BEHIND_PROXY));
      clients.add(new Client(relay.uri(), Map.of("X-Forwarded-For", "203.0.113.7")));
      clients.get(3).send("[\"REQ\",\"s\",{\"search\":\"x\"}]");
      clients.get(3).send("[\"REQ\",\"end\",{\"limit\":0}]");
      assertThat(clients.get(3).next()).as("at another address").isEqualTo("[\"EOSE\",\"end\"]");
      search.gate.countDown();
      for (Client client : clients) {
        assertThat(client.next()).isEqualTo("[\"EOSE\",\"s\"]");
      }
    } finally {
      clients.forEach(Client::abort);
    }
  }

  @Test
  void openSearchesCountAsFilterValues() {
    try (TestRelay relay = new TestRelay(search);
        Client client = relay.connect()) {
      for (int i = 0; i < 100; i++) {
        client.send("[\"REQ\",\"" + i + "\",{\"search\":\"x\"}]");
        assertThat(client.next()).isEqualTo("[\"EOSE\",\"" + i + "\"]");
      }
      client.send("[\"REQ\",\"more\",{\"search\":\"x\"}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"more\",\"error: more than 20000 filter values\"]");
    }
  }

  @Test
  void eventPublishedDuringASearchIsSentAfterItsEnd() {
    try (TestRelay relay = new TestRelay(search);
        Client client = relay.connect();
        Client author = relay.connect()) {
      client.send("[\"REQ\",\"a\",{\"search\":\"waiting\"}]");
      await().until(() -> search.begun.size() == 1);
      author.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "something else"));
      Event match = author.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "waiting"));
      search.gate.countDown();
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"a\"]");
      assertThat(client.next()).contains(match.id().hex());
      client.send("[\"REQ\",\"end\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"end\"]");
    }
  }
}
