package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.MessageWriter;
import gambit.core.negentropy.Position;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.SyntheticNotes;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Syncs (NIP-77), over a real socket; see also the golden files in {@code frames/nip77}. */
class SyncRulesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String LIST = "6100000200";

  private static List<Event> publishNotes(Client client, Signer author, int count) {
    List<Event> notes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      notes.add(author.sign(1000 + i / 3, 1 + i % 2, Tags.NONE, "note " + i));
    }
    notes.forEach(client::publish);
    notes.forEach(note -> assertThat(client.next()).contains(",true,"));
    return notes;
  }

  private static List<EventId> ids(List<Event> events) {
    return events.stream().map(Event::id).sorted().toList();
  }

  private static String open(String id, String filter) {
    return "[\"NEG-OPEN\",\"" + id + "\"," + filter + ",\"" + LIST + "\"]";
  }

  @Test
  void syncFindsTheEventsThatOnlyOneSideHas() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try (EventStore store = directory.open();
        TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      List<Event> notes = publishNotes(client, ALICE, 200);
      List<Event> own = new ArrayList<>(notes.subList(10, 200));
      Event unknown = ALICE.sign(1005, 1, Tags.NONE, "unknown");
      own.add(unknown);
      for (String filter : List.of("{}", "{\"authors\":[\"" + ALICE.pubkey() + "\"]}")) {
        SyncClient sync = SyncClient.compare(client, filter, own);
        assertThat(sync.error()).isEmpty();
        assertThat(sync.onlyThere()).containsExactlyElementsOf(ids(notes.subList(0, 10)));
        assertThat(sync.onlyHere()).containsExactly(unknown.id());
      }
      assertThat(SyncClient.compare(client, "{}", notes).bytes()).isLessThan(3_000);
    } finally {
      directory.delete();
    }
  }

  /** The first of them are removed with the request, the others by the sweep. */
  @Test
  void eventsOfAnAuthorWhoHasVanishedAreLeftOutBeforeTheyAreRemoved() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try (EventStore store = directory.open();
        TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      List<Event> notes = publishNotes(client, ALICE, 20);
      publishNotes(client, BOB, 150);
      Tags everywhere = new Tags(List.of(List.of("relay", "ALL_RELAYS")));
      Event request = client.publishAccepted(BOB.sign(relay.now(), 62, everywhere, ""));
      assertThat(store.size()).isGreaterThan(50);
      SyncClient sync = SyncClient.compare(client, "{}", notes);
      assertThat(sync.onlyThere()).containsExactly(request.id());
      assertThat(sync.onlyHere()).isEmpty();
    } finally {
      directory.delete();
    }
  }

  /** They are read anew in every turn, until the sweep removes them. */
  @Test
  void expiredEventsCountInTheCostOfATurnAndBeyondABoundRefuseSyncs() throws IOException {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      List<Event> expired = SyntheticNotes.unsigned(1).next(1_001);
      append(store, expired.subList(0, 1_000), 1);
      assertThat(SyncClient.compare(client, "{}", List.of()).onlyThere()).isEmpty();
      MessageWriter ranges = new MessageWriter();
      for (int i = 1; i <= 20; i++) {
        ranges.fingerprint(Position.at(i), IdSum.of(expired.get(0).id()).fingerprint());
      }
      int before = store.snapshots();
      String message = HexFormat.of().formatHex(ranges.message());
      client.send("[\"NEG-OPEN\",\"s\",{},\"" + message + "\"]");
      assertThat(client.next()).startsWith("[\"NEG-MSG\",\"s\"");
      assertThat(store.snapshots() - before).isGreaterThan(1);
      append(store, expired.subList(1_000, 1_001), 1);
      assertThat(client.send(open("s", "{}")).next())
          .isEqualTo(
              "[\"NEG-ERR\",\"s\",\"error: many events are being removed, try again in a"
                  + " minute\"]");
    }
  }

  private static void append(EventStore store, List<Event> events, long expiresAt)
      throws IOException {
    try (Transaction transaction = store.begin()) {
      for (Event event : events) {
        transaction.append(event, expiresAt);
      }
      transaction.commit();
    }
  }

  @Test
  void syncThatMustListMoreEventsThanTheLimitIsBlockedWithTheLimit() {
    LimitValues limits = TestLimits.builder().set(Limit.SYNC_ITEMS, 10).build();
    try (TestRelay relay = new TestRelay(limits, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      List<Event> notes = publishNotes(client, ALICE, 11);
      String author = "{\"authors\":[\"" + ALICE.pubkey() + "\"]";
      client.send(open("s", author + "}"));
      assertThat(client.next())
          .isEqualTo(
              "[\"NEG-ERR\",\"s\",\"blocked: more than 10 events match; narrow the filter\",10]");
      client.send("[\"NEG-MSG\",\"s\",\"61\"]");
      assertThat(client.next()).startsWith("[\"NEG-ERR\",\"s\",\"closed: ");
      SyncClient newest = SyncClient.compare(client, author + ",\"limit\":10}", List.of());
      assertThat(newest.onlyThere()).hasSize(10).isSubsetOf(ids(notes));
      SyncClient all = SyncClient.compare(client, "{\"kinds\":[1,2]}", List.of());
      assertThat(all.onlyThere()).containsExactlyElementsOf(ids(notes));
    }
  }

  @Test
  void syncsCountAsSubscriptionsUntilTheyAreClosed() {
    LimitValues limits = TestLimits.builder().set(Limit.SUBSCRIPTIONS, 2).build();
    try (TestRelay relay = new TestRelay(limits, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      String author = "{\"authors\":[\"" + ALICE.pubkey() + "\"]}";
      for (String filter : List.of("{}", author)) {
        client.send(open("a", filter));
        assertThat(client.next()).startsWith("[\"NEG-MSG\",\"a\"");
        client.send(open("b", filter));
        assertThat(client.next()).startsWith("[\"NEG-MSG\",\"b\"");
        client.send(open("c", filter));
        assertThat(client.next())
            .isEqualTo("[\"NEG-ERR\",\"c\",\"error: more than 2 subscriptions\"]");
        client.send(open("b", filter));
        assertThat(client.next()).startsWith("[\"NEG-MSG\",\"b\"");
        client.send("[\"NEG-CLOSE\",\"a\"]").send("[\"NEG-CLOSE\",\"b\"]");
      }
      client.send("[\"REQ\",\"r\",{\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"r\"]");
    }
  }

  @Test
  void memoryOfAllSyncsIsBoundedAndReleasedWithTheConnection() {
    LimitValues limits = TestLimits.builder().set(Limit.ALL_SYNC_BYTES, 200_000).build();
    try (TestRelay relay = new TestRelay(limits, new MemoryEventStore(1 << 20));
        Client other = relay.connect()) {
      try (Client client = relay.connect()) {
        int opened = 0;
        String answer = client.send(open("s0", "{}")).next();
        while (answer.startsWith("[\"NEG-MSG\"")) {
          opened++;
          answer = client.send(open("s" + opened, "{}")).next();
        }
        assertThat(answer).contains("error: too many syncs at once, try again later");
        assertThat(opened).isBetween(5, 30);
        assertThat(relay.metrics().read("syncs")).isEqualTo(opened);
        assertThat(relay.metrics().read("sync_bytes")).isBetween(opened * 4_000L, 100_000L);
      }
      await().until(() -> relay.metrics().read("sync_bytes") == 0);
      await().until(() -> relay.metrics().read("syncs") == 0);
      assertThat(other.send(open("s", "{}")).next()).startsWith("[\"NEG-MSG\"");
    }
  }

  @Test
  void listTakesTwiceItsMemoryUntilItIsSorted() throws IOException {
    EventStore store = new MemoryEventStore(8 << 20);
    append(store, SyntheticNotes.unsigned(1).next(1_024), Transaction.NEVER);
    String newest = "{\"limit\":1024}";
    LimitValues tooSmall = TestLimits.builder().set(Limit.ALL_SYNC_BYTES, 340_000).build();
    LimitValues enough = TestLimits.builder().set(Limit.ALL_SYNC_BYTES, 400_000).build();
    try (TestRelay relay = new TestRelay(tooSmall, store);
        Client client = relay.connect()) {
      assertThat(client.send(open("s", newest)).next())
          .contains("error: too many syncs at once, try again later");
    }
    try (TestRelay relay = new TestRelay(enough, store);
        Client client = relay.connect()) {
      assertThat(client.send(open("s", newest)).next()).startsWith("[\"NEG-MSG\"");
      assertThat(relay.metrics().read("sync_bytes")).isBetween(1_024 * 64L, 1_024 * 70L);
    }
  }

  @Test
  void messageBeforeTheAnswerToTheLastOneEndsTheSync() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      store.blockQueries();
      client.send(open("s", "{\"authors\":[\"" + ALICE.pubkey() + "\"]}"));
      store.awaitBlockedQuery();
      client.send("[\"NEG-MSG\",\"s\",\"61\"]");
      assertThat(client.next())
          .isEqualTo(
              "[\"NEG-ERR\",\"s\",\"invalid: a message came before the answer to the one before"
                  + " it\"]");
      client.send(open("t", "{\"authors\":[\"" + ALICE.pubkey() + "\"]}"));
      client.send("[\"NEG-CLOSE\",\"t\"]");
      store.unblockQueries();
      assertThat(client.send(open("u", "{}")).next()).startsWith("[\"NEG-MSG\",\"u\"");
      await().until(() -> relay.metrics().read("syncs") == 1);
    }
  }

  @Test
  void failingStoreEndsTheSyncWithAnAnswer() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect();
        ErrorLog errors = ErrorLog.capture()) {
      assertThat(client.send(open("s", "{}")).next()).startsWith("[\"NEG-MSG\"");
      store.setQueriesFail(true);
      assertThat(client.send("[\"NEG-MSG\",\"s\",\"" + LIST + "\"]").next())
          .isEqualTo("[\"NEG-ERR\",\"s\",\"error: the sync failed\"]");
      assertThat(errors.messages()).contains("A sync failed");
      store.setQueriesFail(false);
      assertThat(client.send(open("s", "{}")).next()).startsWith("[\"NEG-MSG\"");
    }
  }

  /** Hides events with the content "hidden" of kind 1, from everybody, or nothing. */
  private static final class SwitchableGuard implements Feature, ReadGuard {
    private volatile boolean isClosed;
    private volatile boolean opensWhenAsked;

    @Override
    public void install(RelayBuilder relay) {
      relay.guard(this);
    }

    @Override
    public KindSet kinds() {
      return KindSet.of(1);
    }

    @Override
    public boolean mayRead(Event event, ClientConnection reader) {
      return !isClosed || !event.content().equals("hidden");
    }

    @Override
    public KindSet partlyHidden(ClientConnection reader) {
      KindSet hidden = isClosed ? kinds() : KindSet.NONE;
      isClosed &= !opensWhenAsked;
      return hidden;
    }

    @Override
    public boolean mayFind(Filter filter, ClientConnection reader) {
      return true;
    }
  }

  @Test
  void syncEndsWhenAGuardHidesSomeOfItsEventsFromNowOn() {
    SwitchableGuard guard = new SwitchableGuard();
    try (TestRelay relay = new TestRelay(guard);
        Client client = relay.connect()) {
      Event hidden = client.publishAccepted(ALICE.sign(1000, 1, Tags.NONE, "hidden"));
      Event shown = client.publishAccepted(ALICE.sign(1001, 1, Tags.NONE, "shown"));
      Event other = client.publishAccepted(ALICE.sign(1002, 2, Tags.NONE, "hidden"));
      assertThat(client.send(open("all", "{}")).next())
          .contains(LIST.replace("0200", "0203") + hidden.id() + shown.id() + other.id());
      client.send(open("other", "{\"kinds\":[2]}"));
      assertThat(client.next()).contains(other.id().hex());
      guard.isClosed = true;
      assertThat(client.send("[\"NEG-MSG\",\"all\",\"" + LIST + "\"]").next())
          .isEqualTo(
              "[\"NEG-ERR\",\"all\",\"closed: some events are hidden from you now; open the sync"
                  + " again\"]");
      assertThat(client.send("[\"NEG-MSG\",\"other\",\"" + LIST + "\"]").next())
          .contains(other.id().hex());
      assertThat(client.send(open("all", "{}")).next())
          .contains(LIST.replace("0200", "0202") + shown.id() + other.id());
    }
  }

  @Test
  void syncHasTheEventsOfAGuardThatOpensWhileTheSyncBegins() {
    SwitchableGuard guard = new SwitchableGuard();
    try (TestRelay relay = new TestRelay(guard);
        Client client = relay.connect()) {
      Event guarded = client.publishAccepted(ALICE.sign(1000, 1, Tags.NONE, "hidden"));
      Event other = client.publishAccepted(ALICE.sign(1001, 2, Tags.NONE, "other"));
      guard.isClosed = true;
      guard.opensWhenAsked = true;
      assertThat(client.send(open("s", "{}")).next())
          .contains(LIST.replace("0200", "0202") + guarded.id() + other.id());
    }
  }
}
