package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.PendingInvite;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.core.feature.Feature;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A restarted relay resumes the games and invites. */
class ResumedGamesTest {
  private static final List<String> BLITZ = List.of("time", "300+2");
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);

  private final EventStore store = new MemoryEventStore(64 << 20);
  private TestRelay relay = new TestRelay(store, START, chess());
  private Client alice = relay.connect();
  private Client bob = relay.connect();
  private int nonce;
  private int plies;

  private static ChessFeature chess() {
    return new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE);
  }

  /** Ends the relay, and starts another one after the given time. */
  private void restart(Duration down) {
    Instant start = relay.time().instant().plus(down);
    relay.close();
    relay = new TestRelay(store, start, chess());
    alice = relay.connect();
    bob = relay.connect();
  }

  /** Waits until no ending is sent again after a restart. */
  private void awaitEndingsSent() {
    await().until(() -> store.rows(MissedEnding.TABLE).isEmpty());
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void clocksResumeFromTheirLastValuesWithACreditOfFifteenSeconds() {
    pair(BLITZ);
    play("e2e4 e7e5");
    pass(10);
    play("g1f3"); // 10 s, of which 0.2 are for lag, and 2 more for the move
    pass(20);
    restart(HOUR);
    pass(1);
    assertThat(clocks(comeBack(alice, "alice")))
        .containsExactly(292_200 + 15_000L, 299_000 + 15_000L);
    pass(4);
    comeBack(bob, "bob");
    play("b8c6");
    assertThat(clocks(comeBack(alice, "alice"))).containsExactly(307_200L, 312_200L);
  }

  @Test
  void restartsWithoutAMoveBetweenThemGiveOneCredit() {
    pair(BLITZ);
    play("e2e4 e7e5");
    restart(HOUR);
    pass(5);
    comeBack(bob, "bob");
    restart(HOUR);
    pass(1);
    assertThat(clocks(comeBack(alice, "alice"))).containsExactly(314_000L, 315_000L);
    assertAnswer(alice, event("alice", 5001, "g1f3"), true, "");
    restart(HOUR);
    pass(1);
    assertThat(clocks(comeBack(bob, "bob"))).containsExactly(331_200L, 329_000L);
  }

  @Test
  void shortClockRunsOutOnlyAfterTheCredit() {
    pair(List.of("time", "60"));
    play("e2e4 e7e5");
    pass(59);
    play("g1f3");
    pass(59);
    play("b8c6");
    pass(1);
    restart(HOUR);
    comeBack(alice, "alice");
    comeBack(bob, "bob");
    pass(16);
    play("f1c4");
    pass(17);
    assertThat(ending(alice)).isEqualTo("opponentresigned timeout");
    assertThat(ending(bob)).isEqualTo("gamelost timeout");
  }

  @Test
  void limitOfTheFirstMoveStartsAgain() {
    pair(BLITZ);
    pass(29);
    restart(HOUR);
    comeBack(alice, "alice");
    comeBack(bob, "bob");
    pass(29);
    play("e2e4");
    pass(29);
    restart(HOUR);
    comeBack(alice, "alice");
    comeBack(bob, "bob");
    pass(30);
    assertThat(ending(alice)).isEqualTo("gameaborted aborted");
    assertThat(ending(bob)).isEqualTo("gameaborted aborted");
  }

  @Test
  void playerWhoDoesNotReturnWithinTheGracePeriodLoses() {
    pair(BLITZ);
    play("e2e4 e7e5");
    restart(HOUR);
    comeBack(bob, "bob");
    pass(59);
    assertThat(bob.queryIds("{\"kinds\":[64]}")).isEmpty();
    pass(1);
    assertThat(ending(bob)).isEqualTo("opponentresigned abandoned");
  }

  @Test
  void ifNeitherPlayerReturnsTheSideToMoveLoses() {
    pair(BLITZ);
    play("e2e4 e7e5 g1f3");
    restart(HOUR);
    alice.send("[\"REQ\",\"r\",{\"kinds\":[64]}]");
    alice.until("EOSE");
    pass(60);
    JsonNode record = alice.nextJson().get(2);
    assertThat(tag(record, "result").get(1).asText()).isEqualTo("1-0");
    assertThat(tag(record, "termination").get(1).asText()).isEqualTo("abandoned");
  }

  @Test
  void restartDoesNotShortenTheWaitAfterADeclinedOffer() {
    pair(BLITZ);
    play("e2e4 e7e5");
    for (String player : List.of("alice", "bob")) {
      Client asker = player.equals("alice") ? alice : bob;
      assertAnswer(asker, event(player, 5002, "offer"), true, "offer");
      Client asked = player.equals("alice") ? bob : alice;
      assertThat(asked.nextJson().get(2).get("content").asText()).isEqualTo("offersent");
      String other = player.equals("alice") ? "bob" : "alice";
      assertAnswer(asked, event(other, 5002, "decline"), true, "decline");
      assertAnswer(asker, event(player, 5002, "takeback"), true, "takeback");
      assertAnswer(asked, event(other, 5002, "decline"), true, "decline");
    }
    restart(HOUR);
    comeBack(alice, "alice");
    comeBack(bob, "bob");
    String offers = "invalid: one draw offer in 20 plies";
    String requests = "invalid: one takeback request between two moves";
    for (String player : List.of("alice", "bob")) {
      Client asker = player.equals("alice") ? alice : bob;
      assertAnswer(asker, event(player, 5002, "offer"), false, offers);
      assertAnswer(asker, event(player, 5002, "takeback"), false, requests);
    }
  }

  @Test
  void cancelsearchAbortsAResumedGameOfTwoSearches() {
    pair(BLITZ);
    restart(HOUR);
    comeBack(alice, "alice");
    comeBack(bob, "bob");
    assertAnswer(alice, event("alice", 5000, "cancelsearch"), true, "");
    assertThat(ending(alice)).isEqualTo("gameaborted aborted");
    assertThat(ending(bob)).isEqualTo("gameaborted aborted");
  }

  @Test
  void recordHasTheStartTimeOfAResumedGame() {
    pair(List.of("time", "86400"));
    pass(1);
    play("e2e4");
    restart(Duration.ofDays(1));
    comeBack(alice, "alice");
    assertAnswer(alice, event("alice", 5003, "resign"), true, "resigned");
    bob.send("[\"REQ\",\"r\",{\"kinds\":[64]}]");
    assertThat(bob.nextJson().get(2).get("content").asText())
        .contains("[Date \"2026.01.01\"]", "[UTCDate \"2026.01.01\"]", "[UTCTime \"12:00:00\"]");
  }

  @Test
  void gracePeriodsAndClocksStartWhenThePortIsOpen() {
    pair(BLITZ);
    play("e2e4 e7e5");
    Instant start = relay.time().instant().plus(HOUR);
    relay.close();
    Feature slow = builder -> ((TestTime) builder.time()).advance(Duration.ofSeconds(59));
    relay = new TestRelay(store, start, chess(), slow);
    alice = relay.connect();
    pass(1);
    assertThat(clocks(comeBack(alice, "alice"))).containsExactly(314_000L, 315_000L);
    pass(58);
    assertThat(alice.queryIds("{\"kinds\":[64]}")).isEmpty();
    pass(1);
    assertThat(ending(alice)).isEqualTo("opponentresigned abandoned");
  }

  @Test
  void rematchFindsTheLastGameByItsRecord() {
    pair(BLITZ);
    assertAnswer(alice, event("alice", 5003, "resign"), true, "resigned");
    JsonNode end = bob.nextJson().get(2);
    List<String> game = List.of("e", tag(end, "e").get(1).asText());
    awaitEndingsSent();
    restart(HOUR);
    List<String> another = List.of("e", "0".repeat(64));
    String notTheLast = "invalid: the e tag names none of your last games";
    assertAnswer(bob, event("bob", 5000, "rematch", List.of(another)), false, notTheLast);
    assertAnswer(bob, event("bob", 5000, "rematch"), true, "");
    assertAnswer(alice, event("alice", 5000, "rematch", List.of(game)), true, "");
    JsonNode found = bob.nextJson().get(2);
    assertThat(found.get("content").asText()).isEqualTo("gameisfound");
    assertThat(tag(found, "p").get(1).asText()).isEqualTo(Keys.of("bob").pubkey().hex());
    assertThat(tag(found, "time").get(1).asText()).isEqualTo("300+2");
  }

  @Test
  void pendingRematchIsAcceptedByTheOpponentsRematch() {
    pair(BLITZ);
    assertAnswer(alice, event("alice", 5003, "resign"), true, "resigned");
    assertThat(alice.nextJson().get(2).get("content").asText()).isEqualTo("gamelost");
    JsonNode end = bob.nextJson().get(2);
    assertThat(end.get("content").asText()).isEqualTo("opponentresigned");
    List<String> game = List.of("e", tag(end, "e").get(1).asText());
    assertAnswer(alice, event("alice", 5000, "rematch", List.of(game)), true, "");
    awaitEndingsSent();
    restart(HOUR);
    List<String> carol = List.of("p", Keys.of("carol").pubkey().hex());
    String notTheOpponent = "invalid: the p tag does not name the opponent of that game";
    assertAnswer(bob, event("bob", 5000, "rematch", List.of(game, carol)), false, notTheOpponent);
    assertAnswer(bob, event("bob", 5000, "rematch", List.of(game)), true, "");
    JsonNode found = bob.nextJson().get(2);
    assertThat(found.get("content").asText()).isEqualTo("gameisfound");
    assertThat(tag(found, "p").get(1).asText()).isEqualTo(Keys.of("bob").pubkey().hex());
    assertThat(tag(found, "time").get(1).asText()).isEqualTo("300+2");
    assertThat(store.rows(PendingInvite.TABLE)).isEmpty();
  }

  @Test
  void longGameAndATakebackAcrossItsRowsResumeWithAllMoves() {
    pair(List.of("time", "86400"));
    List<String> moves = quietMoves(80);
    List<String> events = new ArrayList<>();
    for (int ply = 0; ply < 64; ply++) {
      events.add(moveInTurn(moves.get(ply)));
    }
    restart(HOUR);
    assertThat(moves(comeBack(alice, "alice"))).isEqualTo(String.join(" ", moves.subList(0, 64)));
    comeBack(bob, "bob");
    assertAnswer(bob, event("bob", 5002, "takeback"), true, "takeback");
    assertAnswer(alice, event("alice", 5002, "accept"), true, "accept");
    alice.next();
    bob.next();
    events.remove(63);
    plies = 63;
    restart(HOUR);
    assertThat(moves(comeBack(alice, "alice"))).isEqualTo(String.join(" ", moves.subList(0, 63)));
    comeBack(bob, "bob");
    for (int ply = 63; ply < 80; ply++) {
      events.add(moveInTurn(moves.get(ply)));
    }
    restart(HOUR);
    assertThat(moves(comeBack(alice, "alice"))).isEqualTo(String.join(" ", moves));
    assertAnswer(alice, event("alice", 5003, "resign"), true, "resigned");
    bob.send("[\"REQ\",\"r\",{\"kinds\":[64]}]");
    JsonNode plies = tag(bob.nextJson().get(2), "plies");
    assertThat(IntStream.range(1, plies.size()).mapToObj(i -> plies.get(i).asText()))
        .isEqualTo(events);
    assertThat(store.rows(GameRows.TABLE)).isEmpty();
  }

  @Test
  void pendingInviteMayBeAcceptedUnlessItHasExpired() {
    List<String> opponent = List.of("p", Keys.of("bob").pubkey().hex());
    Event direct = event("alice", 5000, "invite", List.of(opponent, BLITZ));
    assertAnswer(alice, direct, true, "");
    Event open = event("alice", 5000, "invite");
    assertAnswer(alice, open, true, "");
    restart(Duration.ofMinutes(2));
    pass(0); // runs the alarms that were due meanwhile
    assertAnswer(bob, accept(open), false, "invalid: no such invite, or it is over");
    assertAnswer(bob, accept(direct), true, "");
    JsonNode game = bob.nextJson().get(2);
    assertThat(game.get("content").asText()).isEqualTo("gameisfound");
    assertThat(tag(game, "time").get(1).asText()).isEqualTo("300+2");
    assertThat(store.rows(PendingInvite.TABLE)).isEmpty();
  }

  @Test
  void unreadableGameStopsTheStartAndIsNamed() {
    assertStops(GameRows.TABLE, "The journal of game " + "07".repeat(32) + " is unreadable");
  }

  @Test
  void unreadableInviteStopsTheStartAndIsNamed() {
    assertStops(PendingInvite.TABLE, "The journal of invite " + "07".repeat(32) + " is unreadable");
  }

  private Event accept(Event invite) {
    return event("bob", 5000, "accept", List.of(List.of("e", invite.id().hex())));
  }

  private void assertStops(String table, String words) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 7);
    try (Transaction transaction = store.begin()) {
      transaction.putRow(table, key, new byte[] {1, 2, 3});
      transaction.commit();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThatThrownBy(() -> new TestRelay(store, START, chess()))
        .isInstanceOf(UnreadableRows.class)
        .hasMessage(words);
  }

  /** Alice has White. */
  private void pair(List<String> time) {
    assertAnswer(alice, event("alice", 5000, "connect", List.of(time)), true, "");
    assertAnswer(bob, event("bob", 5000, "connect", List.of(time)), true, "");
    for (Client player : List.of(alice, bob)) {
      assertThat(player.nextJson().get(2).get("content").asText()).isEqualTo("gameisfound");
      assertThat(player.next()).startsWith("[\"OK\"");
    }
  }

  private void play(String moves) {
    for (String uci : moves.split(" ")) {
      moveInTurn(uci);
    }
  }

  /** The side in turn plays it and the other one gets it; returns the id of its event. */
  private String moveInTurn(String uci) {
    boolean white = plies++ % 2 == 0;
    Event move = event(white ? "alice" : "bob", 5001, uci);
    assertAnswer(white ? alice : bob, move, true, "");
    assertThat((white ? bob : alice).nextJson().get(2).get("content").asText()).isEqualTo(uci);
    return move.id().hex();
  }

  /** A player connects again and is shown the game. */
  private JsonNode comeBack(Client client, String player) {
    Event connect = event(player, 5000, "connect");
    assertAnswer(client, connect, true, "");
    JsonNode shown = client.nextJson().get(2);
    String colour = player.equals("alice") ? "white" : "black";
    assertThat(client.next()).isEqualTo(ok(connect, true, colour));
    return shown;
  }

  private static List<Long> clocks(JsonNode shown) {
    JsonNode clock = tag(shown, "clock");
    return List.of(clock.get(1).asLong(), clock.get(2).asLong());
  }

  private static String moves(JsonNode shown) {
    return tag(shown, "moves").get(1).asText();
  }

  /** The next message, which ends the game, and its termination. */
  private static String ending(Client client) {
    JsonNode ending = client.nextJson().get(2);
    return ending.get("content").asText() + " " + tag(ending, "termination").get(1).asText();
  }

  private static JsonNode tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag;
      }
    }
    throw new AssertionError("no " + name + " in " + event);
  }

  private void pass(int seconds) {
    relay.time().advance(Duration.ofSeconds(seconds));
  }

  private Event event(String player, int kind, String content) {
    return event(player, kind, content, List.of());
  }

  private Event event(String player, int kind, String content, List<List<String>> more) {
    List<List<String>> tags = new ArrayList<>(more);
    tags.add(List.of("nonce", "" + nonce++));
    return Keys.of(player).sign(relay.now(), kind, new Tags(tags), content);
  }

  private static void assertAnswer(Client client, Event event, boolean accepted, String text) {
    client.publish(event);
    assertThat(client.next()).isEqualTo(ok(event, accepted, text));
  }

  private static String ok(Event event, boolean accepted, String text) {
    return "[\"OK\",\"" + event.id() + "\"," + accepted + ",\"" + text + "\"]";
  }

  /** So many moves that end no game. */
  private static List<String> quietMoves(int plies) {
    Random random = new Random(7);
    List<String> moves = new ArrayList<>();
    Position position = Position.initial();
    while (moves.size() < plies) {
      List<Move> legal = position.legalMoves();
      Move move = legal.get(random.nextInt(legal.size()));
      Position next = position.play(move).orElseThrow();
      if (next.outcome().isEmpty()) {
        position = next;
        moves.add(move.uci());
      }
    }
    return moves;
  }
}
