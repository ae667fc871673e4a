package gambit.chess.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChessFeatures;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.PendingInvite;
import gambit.chess.session.PendingInvites;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.ColourNotifications;
import gambit.chess.session.play.ConnectionBindings;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.GameSnapshot;
import gambit.chess.session.play.SeenEvents;
import gambit.core.feature.Row;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Floods of each kind of event: each event is answered, other games continue, and nothing is left.
 */
class FloodsTest {
  private static final TransportSettings BEHIND_PROXY =
      new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1")));

  private static final int FLOOD = 100;

  @Test
  void searchesOfOnePlayerAreOneSearch() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay)) {
      assertThat(alice.say(5000, "connect")).isEqualTo("true");
      assertThat(flood(alice, 5000, "connect")).containsOnly("true duplicate: already searching");
      assertThat(relay.metrics().read("chess_searching")).isEqualTo(1);
      assertThat(alice.say(5000, "cancelsearch")).isEqualTo("true");
      assertNothingIsLeft(relay);
    }
  }

  @Test
  void movesOutOfTurnAndMalformedMovesAreNotCountedAndDelayNobody() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      pair(alice, bob);
      List<Event> early = signed(bob, 5001, "e7e5");
      List<Event> malformed = signed(bob, 5001, "O-O-O-O");
      early.forEach(bob.socket()::publishWithoutWaiting);
      malformed.forEach(bob.socket()::publishWithoutWaiting);
      assertThat(answers(bob, early)).containsOnly("false invalid: not your turn");
      assertThat(answers(bob, malformed)).containsOnly("false invalid: not a UCI move");
      assertThat(alice.say(5001, "e2e4")).isEqualTo("true");
      assertThat(flood(alice, 5001, "d2d4")).containsOnly("false invalid: not your turn");
      assertThat(bob.say(5001, "e7e6")).isEqualTo("true");
      assertThat(alice.say(5001, "e4e6")).isEqualTo("false invalid: illegal move e4e6 (1 of 2)");
    }
  }

  @Test
  void secondOfManyIllegalMovesEndsTheGameAndTheRestAreRefused() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      pair(alice, bob);
      List<String> answers = flood(alice, 5001, "e2e5");
      assertThat(answers.get(0)).isEqualTo("false invalid: illegal move e2e5 (1 of 2)");
      assertThat(answers.get(1)).isEqualTo("false invalid: illegal move e2e5 (2 of 2)");
      assertThat(answers.subList(2, FLOOD))
          .containsOnly("false invalid: the game is over: illegalmoves, 0-1");
      assertThat(TestPlayer.tag(bob.event("opponentresigned"), "termination"))
          .isEqualTo("illegalmoves");
    }
  }

  @Test
  void eachIllegalMoveOfTheEphemeralDialectIsAnsweredWithAnError() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      for (TestPlayer person : List.of(alice, bob)) {
        person.follows("{\"kinds\":[20304],\"#p\":[\"" + person.pubkey() + "\"]}");
        assertThat(person.answerTo(person.signToServer(20300, ""))).isEqualTo("true");
      }
      await().until(() -> relay.metrics().read("chess_games") == 1); // after the second answer
      List<Event> illegal = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        illegal.add(alice.signToServer(20303, "e2e5"));
      }
      illegal.forEach(alice.socket()::publishWithoutWaiting);
      assertThat(answers(alice, illegal)).containsOnly("true");
      assertThat(alice.events())
          .extracting(error -> TestPlayer.tag(error, "e") + " " + error.get("content").asText())
          .containsExactlyElementsOf(
              illegal.stream().map(event -> event.id().hex() + " illegal move").toList());
      assertThat(bob.events()).as("not told to the opponent").isEmpty();
      assertThat(alice.answerTo(alice.signToServer(20303, "e2e4"))).isEqualTo("true");
    }
  }

  @Test
  void commentsOfSpectatorsDoNotReachThePlayers() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay);
        TestPlayer carol = new TestPlayer("carol", relay);
        TestPlayer dave = new TestPlayer("dave", relay)) {
      String game = pair(alice, bob);
      String comments = "{\"kinds\":[1111],\"#E\":[\"" + game + "\"]}";
      for (TestPlayer person : List.of(alice, bob, dave)) {
        person.follows(comments);
      }
      int before = alice.events().size();
      List<Event> said = new ArrayList<>();
      for (int i = 0; i < FLOOD; i++) {
        said.add(carol.sign(1111, "e2e4!", List.of("E", game), List.of("K", "5000")));
      }
      said.forEach(carol.socket()::publishWithoutWaiting);
      assertThat(answers(carol, said)).containsOnly("true");
      assertThat(dave.events()).hasSize(FLOOD);
      assertThat(alice.events()).hasSize(before);
      assertThat(bob.events()).hasSize(before);
      assertThat(alice.socket().queryIds(comments)).isEmpty();
      assertThat(alice.say(5001, "e2e4")).isEqualTo("true");
    }
  }

  @Test
  void playersOfAConnectionAreBoundedAndLeaveWithIt() {
    try (TestRelay relay = relay();
        Client client = relay.connect()) {
      List<Event> connects = new ArrayList<>();
      for (int i = 0; i < ConnectionBindings.MAX_BINDINGS + FLOOD; i++) {
        connects.add(Keys.of("player " + i).sign(relay.now(), 5000, Tags.NONE, "connect"));
      }
      connects.forEach(client::publishWithoutWaiting);
      Map<String, String> answers = new HashMap<>();
      while (answers.size() < connects.size()) {
        JsonNode frame = client.nextJson();
        if (frame.get(0).asText().equals("OK")) {
          answers.putIfAbsent(
              frame.get(1).asText(), frame.get(2).asText() + " " + frame.get(3).asText());
        }
      }
      List<String> inOrder = connects.stream().map(event -> answers.get(event.id().hex())).toList();
      assertThat(inOrder.subList(0, ConnectionBindings.MAX_BINDINGS)).containsOnly("true ");
      assertThat(inOrder.subList(ConnectionBindings.MAX_BINDINGS, connects.size()))
          .containsOnly("false restricted: too many players on this connection");
      await()
          .until(() -> relay.metrics().read("chess_games") == ConnectionBindings.MAX_BINDINGS / 2);
      client.abort();
      await().until(() -> relay.metrics().read("connections") == 0);
      assertNothingIsLeft(relay);
      assertThat(relay.store().rows(SeenEvents.TABLE)).hasSize(ConnectionBindings.MAX_BINDINGS);
    }
  }

  @Test
  void manySearchesAndCancellationsLeaveOnlyTheLast() {
    int rounds = TestEffort.of(1, 3);
    int cycles = TestEffort.of(300, 1_000);
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      for (int round = 0; round < rounds; round++) {
        Map<TestPlayer, List<Event>> sent = new HashMap<>();
        for (TestPlayer person : List.of(alice, bob)) {
          List<Event> events = new ArrayList<>();
          for (int i = 0; i < cycles; i++) {
            events.add(person.sign(5000, "connect"));
            events.add(person.sign(5000, "cancelsearch"));
          }
          events.forEach(person.socket()::publishWithoutWaiting);
          sent.put(person, events);
        }
        sent.forEach(
            (person, events) ->
                assertThat(answers(person, events))
                    .allMatch(it -> it.equals("true") || it.startsWith("true duplicate: already")));
        for (TestPlayer person : List.of(alice, bob)) {
          assertThat(person.say(5000, "cancelsearch")).isEqualTo("true");
          assertThat(person.say(5000, "cancelsearch")).isEqualTo("true");
        }
        assertNothingIsLeft(relay);
        assertThat(relay.store().rows(SeenEvents.TABLE)).hasSizeLessThan(5 * cycles);
        relay.time().advance(Duration.ofMinutes(3)); // until none of these could be replayed
      }
    }
  }

  @Test
  void authorHasAtMostTenInvites() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay)) {
      List<String> answers = flood(alice, 5000, "invite");
      assertThat(answers.subList(0, PendingInvites.MAX_BY_AUTHOR)).containsOnly("true");
      assertThat(answers.subList(PendingInvites.MAX_BY_AUTHOR, FLOOD))
          .containsOnly("false invalid: more than 10 invites are pending");
      relay.time().advance(Duration.ofSeconds(60));
      for (int i = 0; i < PendingInvites.MAX_BY_AUTHOR; i++) {
        alice.event("inviteexpired");
      }
      assertThat(alice.events()).hasSize(PendingInvites.MAX_BY_AUTHOR);
      assertNothingIsLeft(relay);
      assertThat(alice.say(5000, "invite")).isEqualTo("true");
    }
  }

  @Test
  void addressHasAtMostFiveHundredInvites() {
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay)) {
      for (int i = 0; i < PendingInvites.MAX_FROM_ADDRESS; i += PendingInvites.MAX_BY_AUTHOR) {
        try (TestPlayer inviter = new TestPlayer("inviter " + i, relay)) {
          for (int j = 0; j < PendingInvites.MAX_BY_AUTHOR; j++) {
            assertThat(inviter.say(5000, "invite")).isEqualTo("true");
          }
        }
      }
      Event invite = alice.sign(5000, "invite");
      assertThat(alice.answerTo(invite))
          .isEqualTo("false rate-limited: too many invites from your address, try again");
      relay.time().advance(Duration.ofSeconds(61));
      await().until(() -> relay.metrics().read("chess_invites") == 0);
      assertThat(alice.say(5000, "invite")).isEqualTo("true");
      relay.time().advance(Duration.ofDays(1));
      assertNothingIsLeft(relay);
    }
  }

  @Test
  void allPlayersTogetherHaveAtMostTwentyThousandInvites() throws IOException {
    int room = 5;
    EventStore store = new MemoryEventStore(64 << 20);
    fill(store, PendingInvites.MAX_PENDING - room);
    try (TestRelay relay =
        new TestRelay(LimitValues.DEFAULT, store, new ChessFeature(ChessSettings.DEFAULT))) {
      List<TestPlayer> people = new ArrayList<>();
      Map<TestPlayer, Event> invites = new HashMap<>();
      for (int i = 0; i < 4 * room; i++) {
        TestPlayer person = new TestPlayer("inviter " + i, relay);
        people.add(person);
        invites.put(person, person.sign(5000, "invite"));
      }
      people.forEach(person -> person.socket().publishWithoutWaiting(invites.get(person)));
      List<String> answers = people.stream().map(it -> it.answerOf(invites.get(it))).toList();
      assertThat(answers).containsOnly("true", "false rate-limited: too many invites, try again");
      assertThat(answers.stream().filter("true"::equals)).hasSize(room);
      TestPlayer last = people.get(answers.lastIndexOf("true"));
      TestPlayer refused =
          people.get(answers.indexOf("false rate-limited: too many invites, try again"));
      assertThat(last.say(5000, "reject", List.of("e", invites.get(last).id().hex())))
          .isEqualTo("true");
      last.say(5000, "cancelsearch"); // after which the invite is over on the lane, too
      assertThat(refused.answerTo(invites.get(refused))).isEqualTo("true");
      relay.time().advance(Duration.ofDays(1));
      assertNothingIsLeft(relay);
    }
  }

  @Test
  void addressHasAtMostFiveHundredSlowGamesByItsInvites() {
    String refused = "false rate-limited: too many slow games from one address, try again";
    List<String> untimed = List.of("time", "-");
    try (TestRelay relay = relay();
        TestPlayer alice = new TestPlayer("alice", relay)) {
      Event pending = alice.sign(5000, "invite", untimed, List.of("expiration", "1800000000"));
      assertThat(alice.answerTo(pending)).isEqualTo("true");
      TestPlayer last = alice;
      for (int i = 0; i < 10; i++) {
        TestPlayer inviter = new TestPlayer("inviter " + i, relay);
        last = new TestPlayer("acceptor " + i, relay);
        for (int j = 0; j < ChessSettings.DEFAULT.slowGames(); j++) {
          Event invite = inviter.sign(5000, "invite", untimed);
          assertThat(inviter.answerTo(invite)).isEqualTo("true");
          assertThat(last.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
        }
      }
      assertThat(alice.say(5000, "invite", untimed)).isEqualTo(refused);
      assertThat(alice.say(5000, "invite", List.of("time", "1/3599"))).isEqualTo("true");
      try (TestPlayer bob = new TestPlayer("bob", relay)) {
        Event accept = bob.sign(5000, "accept", List.of("e", pending.id().hex()));
        assertThat(bob.answerTo(accept)).isEqualTo(refused);
        List<String> over = List.of("e", last.event("gameisfound").get("id").asText(), "", "root");
        assertThat(last.say(5003, "resign", over)).isEqualTo("true resigned");
        // the room is given back after the answer, on the chess lane
        await().untilAsserted(() -> assertThat(bob.answerTo(accept)).isEqualTo("true"));
      }
    }
  }

  @Test
  void noSlowGameBeginsWhileTwentyThousandGamesRun() throws IOException {
    EventStore store = new MemoryEventStore(256 << 20);
    fillWithGames(store, 19_999);
    try (TestRelay relay =
            new TestRelay(LimitValues.DEFAULT, store, new ChessFeature(ChessSettings.DEFAULT));
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay)) {
      List<String> untimed = List.of("time", "-");
      Event invite = alice.sign(5000, "invite", untimed);
      assertThat(alice.answerTo(invite)).isEqualTo("true");
      assertThat(bob.say(5000, "accept", List.of("e", invite.id().hex()))).isEqualTo("true");
      assertThat(alice.say(5000, "invite", untimed))
          .isEqualTo("false rate-limited: too many games, try again");
      assertThat(alice.say(5000, "connect")).isEqualTo("true");
      assertThat(bob.say(5000, "connect")).isEqualTo("true");
      await().until(() -> relay.metrics().read("chess_games") == 20_001);
    }
  }

  /** Stores the rows of that number of games, as after a restart. */
  private static void fillWithGames(EventStore store, int games) throws IOException {
    Nip100 nip100 = new Nip100(new RefereeEvents(Keys.of("relay"), "wss://relay.example/"));
    GameRows rows = new GameRows(List.of(nip100));
    GameSnapshot start =
        new GameSnapshot(
            OngoingGame.start(Position.initial(), TimeControl.UNTIMED, 30_000, 200, 0),
            List.of(),
            null);
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < games; i++) {
        GameRef.Seat white = new GameRef.Seat(new PubKey(bytes(2 * i)), nip100);
        GameRef.Seat black = new GameRef.Seat(new PubKey(bytes(2 * i + 1)), nip100);
        GameRef game = new GameRef(new EventId(bytes(i)), white, black, true, null);
        for (Row row : rows.rowsOfStart(game, start, List.of(), 0)) {
          transaction.putRow(row.table(), row.key(), row.value());
        }
      }
      transaction.commit();
    }
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(32).putInt(number).array();
  }

  /** Stores the rows of that number of invites, as after a restart. */
  private static void fill(EventStore store, int invites) throws IOException {
    PubKey author = Keys.of("author").pubkey();
    long expiresAt = new TestTime().instant().plus(Duration.ofDays(1)).getEpochSecond();
    InviteTerms terms =
        new InviteTerms(
            Keys.of("invited").pubkey(),
            null,
            TimeControl.TEN_MINUTES_A_MOVE,
            Position.initial(),
            3,
            false,
            expiresAt,
            false,
            null);
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < invites; i++) {
        EventId id = new EventId(bytes(i));
        Row row =
            new PendingInvite(id, author, null, 0, terms, null, new ColourNotifications()).row();
        transaction.putRow(row.table(), row.key(), row.value());
      }
      transaction.commit();
    }
  }

  @Test
  void awaitedMovesAndEventsOfOtherAddressesAreAcceptedWhenAnAddressHasFilledItsShare() {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    int[] lots = {0};
    ChessFeature chess =
        new ChessFeature(
            ChessSettings.DEFAULT,
            new ChosenLots(
                () -> {
                  if (lots[0]++ == 2) { // the third pairing takes its time
                    stalled.countDown();
                    awaitThat(goOn);
                  }
                  return true;
                }));
    try (TestRelay relay = new TestRelay(chess);
        TestPlayer alice = new TestPlayer("alice", relay);
        TestPlayer bob = new TestPlayer("bob", relay);
        TestPlayer erin = new TestPlayer("erin", relay);
        TestPlayer frank = new TestPlayer("frank", relay);
        TestPlayer carol = new TestPlayer("carol", relay);
        TestPlayer dave = new TestPlayer("dave", relay)) {
      pair(alice, bob);
      for (TestPlayer person : List.of(erin, frank)) {
        assertThat(person.answerTo(person.signToServer(20300, ""))).isEqualTo("true");
      }
      assertThat(carol.say(5000, "connect")).isEqualTo("true");
      assertThat(dave.say(5000, "connect")).isEqualTo("true");
      awaitThat(stalled);
      List<Client> floods = flood(relay, dave.sign(5001, "e2e4"));
      String busy = "false,\"rate-limited: too many chess events, try again\"]";
      Client refused = floods.get(floods.size() - 1);
      assertThat(refused.next()).endsWith(busy);
      assertThat(bob.say(5001, "e7e5")).endsWith("rate-limited: too many chess events, try again");
      Event move = alice.sign(5001, "e2e4");
      Event other = erin.signToServer(20303, "e2e4");
      alice.socket().publish(move);
      erin.socket().publish(other);
      assertThat(bob.say(5001, "e7e5")).endsWith("rate-limited: too many chess events, try again");
      relay.change(settings -> ChangedSettings.with(settings, BEHIND_PROXY));
      List<Client> modest = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        String address = "203.0.113." + i;
        modest.add(new Client(relay.uri(), Map.of("X-Forwarded-For", address)));
        modest.get(i).publish(Keys.of("modest " + i).sign(relay.now(), 5001, Tags.NONE, "e2e4"));
        assertThat(modest.get(i).send("[\"?\"]").next()).as(address).contains("NOTICE");
      }
      goOn.countDown();
      assertThat(modest).noneMatch(it -> it.next().contains("rate-limited"));
      modest.forEach(Client::close);
      assertThat(alice.answerOf(move)).isEqualTo("true");
      assertThat(erin.answerOf(other)).isEqualTo("true");
      assertThat(bob.say(5001, "e7e5")).isEqualTo("true");
    } finally {
      goOn.countDown();
    }
  }

  /** Fills its address's share of the lane's inbox over as many connections as it takes. */
  private static List<Client> flood(TestRelay relay, Event event) {
    List<Client> clients = new ArrayList<>();
    int each = LimitValues.DEFAULT.get(Limit.EVENTS_UNDER_WAY);
    int share = ChessFeatures.MAX_QUEUED_EVENTS / 2;
    for (int sent = 0; sent < share + each; sent += each) {
      Client client = relay.connect();
      for (int i = 0; i < each; i++) {
        client.publishWithoutWaiting(event);
      }
      clients.add(client);
      int underWay = Math.min(sent + each, share);
      await().until(() -> relay.metrics().read("events_under_way") >= underWay);
    }
    return clients;
  }

  private static void awaitThat(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static TestRelay relay() {
    return new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  }

  /** Alice has White; returns the game's id. */
  private static String pair(TestPlayer alice, TestPlayer bob) {
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(person.say(5000, "connect")).isEqualTo("true");
    }
    bob.event("gameisfound");
    return alice.event("gameisfound").get("id").asText();
  }

  private static List<Event> signed(TestPlayer person, int kind, String content) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < FLOOD; i++) {
      events.add(person.sign(kind, content));
    }
    return events;
  }

  /** Sends much without waiting, and returns the answers. */
  private static List<String> flood(TestPlayer person, int kind, String content) {
    List<Event> events = signed(person, kind, content);
    events.forEach(person.socket()::publishWithoutWaiting);
    return answers(person, events);
  }

  private static List<String> answers(TestPlayer person, List<Event> events) {
    return events.stream().map(person::answerOf).toList();
  }

  /** When all time is up, there are no rows, counts or alarms. */
  private static void assertNothingIsLeft(TestRelay relay) {
    await()
        .until(
            () -> {
              relay.time().advance(Duration.ofSeconds(5));
              return relay.metrics().read("chess_searching") == 0
                  && relay.metrics().read("chess_games") == 0
                  && relay.metrics().read("chess_invites") == 0
                  && relay.store().rows(GameRows.TABLE).isEmpty()
                  && relay.store().rows(PendingInvite.TABLE).isEmpty();
            });
    relay.time().advance(Duration.ofSeconds(10)); // for which two are kept apart
    relay.time().awaitAlarms(0);
  }
}
