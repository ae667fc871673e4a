package gambit.core.feature;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A feature's commit of events, withdrawals and rows takes effect completely or not at all. */
class CommitTest {
  /** Number of events that a request to vanish removes at once. */
  private static final int VANISHED_AT_ONCE = 50;

  private static final Signer ALICE = Keys.of("alice");
  private static final byte[] KEY = {1};
  private static final byte[] OTHER = {2};
  private static final byte[] VALUE = {7};

  private final Event invite = ALICE.sign(100, 1, Tags.NONE, "invite");
  private final Event accept = ALICE.sign(200, 1, Tags.NONE, "accept");

  /** A feature that commits on request. */
  private static final class Journal implements Feature {
    private @Nullable Publisher publisher;
    private Map<String, byte[]> found = Map.of();
    private final List<WriteOutcome> told = new CopyOnWriteArrayList<>();

    @Override
    public void install(RelayBuilder relay) {
      publisher = relay.publisher();
      found = relay.rows("games");
    }

    CompletableFuture<WriteOutcome> begin(Commit commit) {
      CompletableFuture<WriteOutcome> settled = new CompletableFuture<>();
      if (publisher == null || !publisher.store(commit, this::tell, settled::complete)) {
        throw new AssertionError("nothing is taken");
      }
      return settled.orTimeout(Client.TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    }

    private List<Outgoing> tell(WriteOutcome outcome) {
      told.add(outcome);
      return List.of();
    }

    WriteOutcome commit(Commit commit) {
      return begin(commit).join();
    }
  }

  /** A lasting check that changes its mind after an event has arrived. */
  private static final class Ban implements Feature {
    private volatile boolean isInForce;

    @Override
    public void install(RelayBuilder relay) {
      relay.lastingCheck(
          event -> isInForce ? Optional.of(Reason.blocked("banned")) : Optional.empty());
    }
  }

  @Test
  void commitWithAnEventThatIsRefusedByNowHasNoEffectUnlessItIsTheRelaysOwn() {
    EventStore store = new MemoryEventStore(64 << 20);
    Journal journal = new Journal();
    Ban ban = new Ban();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal, ban)) {
      ban.isInForce = true;
      Commit withRow = new Commit(List.of(invite), List.of(), List.of(set(KEY)));
      assertThat(journal.commit(withRow)).isEqualTo(WriteOutcome.BANNED);
      assertThat(store.row("games", KEY)).isEmpty();
      assertThat(store.contains(invite.id())).isFalse();
      Event own = Keys.of("relay").sign(relay.now(), 1, Tags.NONE, "own");
      assertThat(journal.commit(Commit.of(List.of(own)))).isEqualTo(WriteOutcome.STORED);
      assertThat(journal.commit(rows(set(KEY)))).isEqualTo(WriteOutcome.STORED);
      ban.isInForce = false;
      assertThat(journal.commit(withRow)).isEqualTo(WriteOutcome.STORED);
    }
  }

  private static Commit rows(Row... rows) {
    return new Commit(List.of(), List.of(), List.of(rows));
  }

  private static Row set(byte[] key) {
    return new Row("games", key, VALUE);
  }

  private static Row removed(byte[] key) {
    return new Row("games", key, null);
  }

  private void eventsWithdrawalsAndRowsAreOneCommit(EventStore store) {
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      assertThat(journal.commit(new Commit(List.of(invite), List.of(), List.of(set(KEY)))))
          .isEqualTo(WriteOutcome.STORED);
      assertThat(store.rows("games")).containsOnlyKeys("01");
      Commit accepted =
          new Commit(List.of(accept), List.of(invite.id()), List.of(removed(KEY), set(OTHER)));
      assertThat(journal.commit(accepted)).isEqualTo(WriteOutcome.STORED);
      assertThat(store.contains(invite.id())).isFalse();
      assertThat(store.contains(accept.id())).isTrue();
      assertThat(store.rows("games")).containsOnlyKeys("02");
      assertThat(store.rows("games").get("02")).isEqualTo(VALUE);
      assertThat(relay.store().size()).isEqualTo(1);
    }
  }

  @Test
  void additionIsMadeOfTheRowsAtTheCommitAndAnEmptyOneCommitsNothing() {
    EventStore store = new MemoryEventStore(64 << 20);
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      Event own = Keys.of("relay").sign(relay.now(), 1, Tags.NONE, "own");
      CompletableFuture<WriteOutcome> before = journal.begin(adding(invite, own));
      CompletableFuture<WriteOutcome> row = journal.begin(rows(set(KEY)));
      CompletableFuture<WriteOutcome> after = journal.begin(adding(accept, own));
      assertThat(before.join()).isEqualTo(WriteOutcome.GONE);
      assertThat(row.join()).isEqualTo(WriteOutcome.STORED);
      assertThat(after.join()).isEqualTo(WriteOutcome.STORED);
      assertThat(store.contains(invite.id())).isFalse();
      assertThat(store.contains(accept.id())).isTrue();
      assertThat(store.contains(own.id())).isTrue();
    }
  }

  /** Stores an event, and one of the relay, if a row exists; else nothing. */
  private static Commit adding(Event event, Event own) {
    return new Commit(
        List.of(event),
        List.of(),
        List.of(),
        List.of(),
        new Commit.Addition(
            rows -> rows.row("games", KEY).map(row -> Commit.of(List.of(own))), 1000));
  }

  private void erasedEventsAreGoneAndMissingOnesChangeNothing(EventStore store) {
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      journal.commit(Commit.of(List.of(invite, accept)));
      EventId never = ALICE.sign(1, 1, Tags.NONE, "never sent").id();
      Commit erasure =
          new Commit(List.of(), List.of(), List.of(invite.id(), never), List.of(set(KEY)));
      assertThat(journal.commit(erasure)).isEqualTo(WriteOutcome.STORED);
      assertThat(store.contains(invite.id())).isFalse();
      assertThat(store.contains(accept.id())).isTrue();
      assertThat(store.rows("games")).containsOnlyKeys("01");
      assertThat(relay.store().size()).isEqualTo(1);
    }
  }

  @Test
  void erasedEventsAreGoneAndMissingOnesChangeNothingInMemory() {
    erasedEventsAreGoneAndMissingOnesChangeNothing(new MemoryEventStore(64 << 20));
  }

  @Test
  void erasedEventsAreGoneAndMissingOnesChangeNothingOnDisk() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try {
      erasedEventsAreGoneAndMissingOnesChangeNothing(directory.open());
    } finally {
      directory.delete();
    }
  }

  @Test
  void withdrawalOfAVanishedAuthorsEventFailsThoughItIsStillStored() {
    Journal journal = new Journal();
    EventStore store = new MemoryEventStore(64 << 20);
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal);
        Client alice = relay.connect()) {
      List<Event> events = new ArrayList<>(List.of(invite));
      for (int i = 0; i < VANISHED_AT_ONCE; i++) { // newer, and all that goes at once
        events.add(ALICE.sign(150, 1, Tags.NONE, "note " + i));
      }
      assertThat(journal.commit(new Commit(events, List.of(), List.of())))
          .isEqualTo(WriteOutcome.STORED);
      Tags everywhere = new Tags(List.of(List.of("relay", "ALL_RELAYS")));
      alice.publishAccepted(ALICE.sign(relay.now(), 62, everywhere, ""));
      assertThat(store.contains(invite.id())).isTrue();
      Commit tooLate = new Commit(List.of(), List.of(invite.id()), List.of(set(KEY)));
      assertThat(journal.commit(tooLate)).isEqualTo(WriteOutcome.GONE);
      assertThat(store.rows("games")).isEmpty();
    }
  }

  private void assertWithdrawalOfAMissingEventChangesNothing(EventStore store) {
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      assertThat(journal.commit(new Commit(List.of(invite), List.of(), List.of(set(KEY)))))
          .isEqualTo(WriteOutcome.STORED);
      EventId never = ALICE.sign(1, 1, Tags.NONE, "never sent").id();
      Commit tooLate =
          new Commit(
              List.of(accept), List.of(invite.id(), never), List.of(removed(KEY), set(OTHER)));
      assertThat(journal.commit(tooLate)).isEqualTo(WriteOutcome.GONE);
      assertThat(store.contains(accept.id())).isFalse();
      assertThat(store.contains(invite.id())).isTrue();
      assertThat(store.rows("games")).containsOnlyKeys("01");
      assertThat(relay.store().size()).isEqualTo(1);
      assertThat(WriteOutcome.GONE.reason()).hasToString("invalid: it is over");
    }
  }

  @Test
  void eventsWithdrawalsAndRowsAreOneCommitInTheMemoryStore() {
    eventsWithdrawalsAndRowsAreOneCommit(new MemoryEventStore(1 << 20));
  }

  @Test
  void withdrawalOfAMissingEventChangesNothingInTheMemoryStore() {
    assertWithdrawalOfAMissingEventChangesNothing(new MemoryEventStore(1 << 20));
  }

  @Test
  void eventsWithdrawalsAndRowsAreOneCommitInTheDiskStoreAndSurviveReopening() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try {
      eventsWithdrawalsAndRowsAreOneCommit(directory.open());
      directory.simulateReboot();
      Journal journal = new Journal();
      try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open(), journal)) {
        assertThat(journal.found).containsOnlyKeys("02");
        assertThat(journal.found.get("02")).isEqualTo(VALUE);
        assertThat(relay.store().contains(invite.id())).isFalse();
        assertThat(relay.store().contains(accept.id())).isTrue();
      }
    } finally {
      directory.delete();
    }
  }

  @Test
  void withdrawalOfAMissingEventChangesNothingInTheDiskStore() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try {
      assertWithdrawalOfAMissingEventChangesNothing(directory.open());
    } finally {
      directory.delete();
    }
  }

  @Test
  void firstOfTwoWithdrawalsOfOneEventInABatchSucceeds() {
    FaultyStore store = new FaultyStore();
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      assertThat(journal.commit(Commit.of(List.of(invite)))).isEqualTo(WriteOutcome.STORED);
      store.blockCommits();
      List<CompletableFuture<WriteOutcome>> outcomes = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        Event taken = ALICE.sign(200 + i, 1, Tags.NONE, "mine");
        outcomes.add(journal.begin(new Commit(List.of(taken), List.of(invite.id()), List.of())));
      }
      store.unblockCommits();
      assertThat(outcomes.stream().map(CompletableFuture::join))
          .containsExactly(WriteOutcome.STORED, WriteOutcome.GONE, WriteOutcome.GONE);
      assertThat(relay.store().size()).isEqualTo(1);
    }
  }

  @Test
  void failedCommitLeavesNeitherEventsNorRowsAndIsToldOnce() {
    FaultyStore store = new FaultyStore();
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      assertThat(journal.commit(Commit.of(List.of(invite)))).isEqualTo(WriteOutcome.STORED);
      store.failCommitsOf(event -> true);
      Commit failing = new Commit(List.of(accept), List.of(invite.id()), List.of(set(KEY)));
      assertThat(journal.commit(failing)).isEqualTo(WriteOutcome.FAILED);
      assertThat(journal.told).containsExactly(WriteOutcome.STORED, WriteOutcome.FAILED);
      assertThat(store.rows("games")).isEmpty();
      assertThat(store.contains(invite.id())).isTrue();
      assertThat(relay.store().size()).isEqualTo(1);
    }
  }

  @Test
  void fullStoreAcceptsCommitsWithoutEventsOnly() {
    FaultyStore store = new FaultyStore();
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal)) {
      assertThat(journal.commit(Commit.of(List.of(invite)))).isEqualTo(WriteOutcome.STORED);
      store.setFull(true);
      Commit more = new Commit(List.of(accept), List.of(), List.of(set(OTHER)));
      assertThat(journal.commit(more)).isEqualTo(WriteOutcome.FULL);
      Commit less = new Commit(List.of(), List.of(invite.id()), List.of(set(KEY)));
      assertThat(journal.commit(less)).isEqualTo(WriteOutcome.STORED);
      assertThat(store.rows("games")).containsOnlyKeys("01");
      assertThat(relay.store().size()).isZero();
    }
  }

  @Test
  void removingAMissingRowSucceeds() {
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(journal)) {
      assertThat(journal.commit(rows(removed(KEY)))).isEqualTo(WriteOutcome.STORED);
      assertThat(relay.store().rows("games")).isEmpty();
    }
  }

  @Test
  void rowWithATooLongKeyIsRefusedBeforeItsBatchIsCommitted() {
    Journal journal = new Journal();
    try (TestRelay relay = new TestRelay(journal)) {
      byte[] tooLong = new byte[EventStore.MAX_ROW_KEY_BYTES + 1];
      assertThatThrownBy(() -> journal.begin(rows(set(tooLong))))
          .isInstanceOf(IllegalArgumentException.class);
      assertThat(journal.commit(rows(set(KEY)))).isEqualTo(WriteOutcome.STORED);
      assertThat(relay.store().rows("games")).hasSize(1);
    }
  }

  @Test
  void changeThatThrowsFailsAloneAndTheRestOfItsBatchIsCommitted() {
    FaultyStore store = new FaultyStore();
    Journal journal = new Journal();
    Event tooLate =
        ALICE.sign(EventStore.TIMESTAMP_BOUND, 1, Tags.NONE, "beyond what a store keeps");
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, journal);
        Client client = relay.connect()) {
      store.blockCommits();
      CompletableFuture<WriteOutcome> first = journal.begin(Commit.of(List.of(invite)));
      await().until(store::hasBlockedCommit);
      var before = journal.begin(rows(set(KEY)));
      var throwing =
          journal.begin(new Commit(List.of(accept, tooLate), List.of(), List.of(set(OTHER))));
      var behind = journal.begin(new Commit(List.of(), List.of(invite.id()), List.of()));
      client.publish(ALICE, relay.now(), 1, "an ordinary event");
      store.unblockCommits();
      assertThat(first.join()).isEqualTo(WriteOutcome.STORED);
      assertThat(before.join()).isEqualTo(WriteOutcome.STORED);
      assertThat(throwing.join()).isEqualTo(WriteOutcome.FAILED);
      assertThat(behind.join()).isEqualTo(WriteOutcome.STORED);
      assertThat(client.next()).endsWith(",true,\"\"]");
      assertThat(store.rows("games")).containsOnlyKeys("01");
      assertThat(store.contains(accept.id())).isFalse();
      assertThat(store.contains(invite.id())).isFalse();
    }
  }

  /** Stores its events, and throws when their output is requested. */
  private static final class Throwing implements Feature, EventHandler {
    private static final int OWNED = 20_100;
    private final AtomicInteger settled = new AtomicInteger();
    private @Nullable Publisher publisher;

    @Override
    public void install(RelayBuilder relay) {
      publisher = relay.publisher();
      relay.handleEvents(this);
    }

    @Override
    public Optional<ClaimedEvent> claim(Event event) {
      return event.kind() == OWNED ? Optional.of(this::handle) : Optional.empty();
    }

    private void handle(Submission submission) {
      if (publisher != null) {
        publisher.store(
            rows(set(KEY)),
            outcome -> {
              if (outcome == WriteOutcome.STORED) {
                throw new IllegalStateException("on purpose");
              }
              return List.of(submission.refused(outcome.reason()));
            },
            outcome -> {
              settled.incrementAndGet();
              throw new IllegalStateException("on purpose");
            });
      }
    }
  }

  @Test
  void outputThatThrowsIsAnsweredWithAnErrorAndTheWriterContinues() {
    Throwing feature = new Throwing();
    try (TestRelay relay = new TestRelay(feature);
        Client client = relay.connect()) {
      for (int i = 0; i < 3; i++) {
        Event owned = ALICE.sign(relay.now(), Throwing.OWNED, Tags.NONE, "owned " + i);
        assertThat(client.answerTo(owned)).isEqualTo(WriteOutcome.FAILED.reason().toString());
        client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "ordinary " + i));
      }
      assertThat(feature.settled).hasValue(3);
      assertThat(relay.metrics().read("events_under_way")).isZero();
    }
  }
}
