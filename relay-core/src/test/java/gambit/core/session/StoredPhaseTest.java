package gambit.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Feature;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Publisher;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.WriteOutcome;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.nip.StandardNips;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Commits while the results of a REQ are read, and the work that REQs cause. */
class StoredPhaseTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int NOTE = 1;
  private static final int REACTION = 7;
  private static final String SMALL = "[\"REQ\",\"a\",{\"kinds\":[1],\"limit\":10}]";

  private final FaultyStore store = new FaultyStore();
  private final Committer committer = new Committer();

  /** Commits on request, and notifies a test of each event that a client might be shown. */
  private static final class Committer implements Feature, ReadGuard {
    private final CompletableFuture<Publisher> publisher = new CompletableFuture<>();
    private volatile Consumer<Event> shown = event -> {};

    @Override
    public void install(RelayBuilder relay) {
      publisher.complete(relay.publisher());
      relay.guard(this);
    }

    CompletableFuture<WriteOutcome> begin(Commit commit) {
      CompletableFuture<WriteOutcome> settled = new CompletableFuture<>();
      List<Outgoing> output = new ArrayList<>();
      commit.events().forEach(event -> output.add(new Outgoing.Broadcast(event, List.of())));
      assertThat(publisher.join().store(commit, outcome -> output, settled::complete)).isTrue();
      return settled.orTimeout(Client.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    /** Returns once the commit has been released to the live lane. */
    void commit(Commit commit) {
      assertThat(begin(commit).join()).isEqualTo(WriteOutcome.STORED);
    }

    @Override
    public KindSet kinds() {
      return KindSet.of(NOTE);
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      shown.accept(event);
      return true;
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return true;
    }
  }

  private static Event note(long createdAt, String content) {
    return ALICE.sign(createdAt, NOTE, Tags.NONE, content);
  }

  private static Commit removalOf(Event event) {
    return new Commit(List.of(), List.of(event.id()), List.of());
  }

  private static String found(Event event) {
    return "[\"EVENT\",\"a\"," + event + "]";
  }

  private TestRelay relay() {
    return new TestRelay(LimitValues.DEFAULT, store, committer);
  }

  /** Begins a commit that readers see, but that is not released until commits may return. */
  private void beginVisible(Commit commit) {
    long offset = store.lastOffset();
    long removals = store.recentRemovals().count();
    store.blockCommitReturns();
    committer.begin(commit);
    await().until(() -> store.lastOffset() > offset || store.recentRemovals().count() > removals);
  }

  /** Checks that nothing else has been sent: a notice follows all of it. */
  private static void assertNothingElse(Client client) {
    assertThat(client.send("[]").next()).startsWith("[\"NOTICE\"");
  }

  private void assertSentAfterEoseOnceItIsReleased(Event late, Client client) {
    store.unblockCommitReturns();
    assertThat(client.next()).startsWith("[\"EOSE\"");
    assertThat(client.next()).isEqualTo(found(late));
    assertNothingElse(client);
  }

  @Test
  void eventCommittedAfterThePageWasReadIsSentOnceAsALiveOne() {
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      Event stored = client.publishAccepted(note(relay.now() - 1, "stored"));
      Event late = note(relay.now(), "late");
      store.afterPage(() -> beginVisible(Commit.of(List.of(late))));
      client.send(SMALL);
      assertThat(client.next()).isEqualTo(found(stored));
      assertSentAfterEoseOnceItIsReleased(late, client);
    }
  }

  @Test
  void eventReadBeforeItsReleaseIsSentOnceAsALiveOneAndTakesNoPlaceUnderTheLimit() {
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      Event stored = client.publishAccepted(note(relay.now() - 1, "stored"));
      Event late = note(relay.now(), "late");
      beginVisible(Commit.of(List.of(late)));
      client.send(SMALL.replace("10", "1"));
      assertThat(client.next()).isEqualTo(found(stored));
      assertSentAfterEoseOnceItIsReleased(late, client);
    }
  }

  @Test
  void commitWithoutMatchesThatIsNotReleasedYetDelaysEoseOnly() {
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      Event stored = client.publishAccepted(note(relay.now() - 1, "stored"));
      Event other = ALICE.sign(relay.now(), REACTION, Tags.NONE, "+");
      beginVisible(Commit.of(List.of(other)));
      client.send(SMALL);
      assertThat(client.next()).isEqualTo(found(stored));
      assertNothingElse(client);
      store.unblockCommitReturns();
      assertThat(client.next()).startsWith("[\"EOSE\"");
    }
  }

  @Test
  void eventsThatWereReadAreReleasedWhenTheClientLeavesMeanwhile() {
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      client.publishAccepted(note(relay.now() - 1, "stored"));
      Client leaving = relay.connect();
      store.afterPage(leaving::abort);
      leaving.send(SMALL);
      await().until(() -> relay.metrics().read("connections") == 1);
      await().until(() -> relay.metrics().read("outbox_bytes") == 0);
    }
  }

  @Test
  void smallReqTakesOneTaskOfTheQueryLaneAndTwoOfTheLiveLane() {
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      Event stored = client.publishAccepted(note(relay.now() - 1, "stored"));
      long live = liveTasks(relay);
      int requests = 20;
      for (int i = 0; i < requests; i++) {
        client.send("[\"REQ\",\"" + i + "\",{\"ids\":[\"" + stored.id().hex() + "\"]}]");
        assertThat(client.until("EOSE")).hasSize(2);
      }
      assertThat(queries(relay)).isEqualTo(requests);
      assertThat(liveTasks(relay) - live).isEqualTo(2 * requests);
    }
  }

  /** At best: a socket that does not take all at once causes more of them. */
  @Test
  void largeAnswerTakesFewTurnsAndWakeUps() {
    int events = 500;
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      publish(client, relay, events);
      await().untilAsserted(() -> assertThatAnswerTakesFewTurnsAndWakeUps(client, relay, events));
    }
  }

  private static void assertThatAnswerTakesFewTurnsAndWakeUps(
      Client client, TestRelay relay, int events) {
    long live = liveTasks(relay);
    long queries = queries(relay);
    long wakeUps = relay.metrics().read("event_loop_wait_seconds_count");
    client.send("[\"REQ\",\"a\",{\"kinds\":[1],\"limit\":500}]");
    assertThat(client.until("EOSE")).hasSize(events + 1);
    assertThat(queries(relay) - queries).isBetween(2L, 3L);
    assertThat(liveTasks(relay) - live).isEqualTo(2);
    assertThat(relay.metrics().read("event_loop_wait_seconds_count") - wakeUps)
        .isLessThanOrEqualTo(4);
  }

  @Test
  void reqThatReachesItsLimitReadsOneEventMoreForTheHintOfCompleteness() {
    int limit = 50;
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(), true, 0), store);
        Client client = relay.connect()) {
      publish(client, relay, 2 * limit);
      client.send("[\"REQ\",\"a\",{\"kinds\":[1],\"limit\":" + limit + "}]");
      assertThat(client.until("EOSE"))
          .hasSize(limit + 1)
          .last()
          .hasToString("[\"EOSE\",\"a\",[\"more\"]]");
      assertThat(store.eventsRead()).isEqualTo(limit + 1);
    }
  }

  @Test
  void eventReadAheadAndRemovedBeforeTheNextTurnIsNotSentAndNothingIsLookedUp() {
    int events = QueryTurns.TURN_EVENTS + 40;
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      List<Event> published = publish(client, relay, events);
      Event removed = published.get(QueryTurns.TURN_EVENTS + 4);
      CompletableFuture<Event> isRemoved = new CompletableFuture<>();
      committer.shown =
          event -> {
            if (event.equals(removed) && isRemoved.complete(event)) {
              committer.commit(removalOf(removed));
            }
          };
      int lookUps = store.lookUps();
      client.send("[\"REQ\",\"a\",{\"kinds\":[1]},{\"kinds\":[1,7]}]");
      for (Event event : published) {
        if (!event.equals(removed)) {
          assertThat(client.next()).isEqualTo(found(event));
        }
      }
      assertThat(client.next()).startsWith("[\"EOSE\"");
      assertThat(isRemoved).isDone();
      assertThat(store.lookUps()).isEqualTo(lookUps);
    }
  }

  /** Publishes notes, and returns them newest first. */
  private static List<Event> publish(Client client, TestRelay relay, int count) {
    List<Event> published = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      published.add(client.publishAccepted(note(relay.now() - i, "")));
    }
    return published;
  }

  private static long queries(TestRelay relay) {
    return relay.metrics().read("lane_wait_seconds_count{lane=query}");
  }

  private static long liveTasks(TestRelay relay) {
    return relay.metrics().read("lane_wait_seconds_count{lane=live}");
  }
}
