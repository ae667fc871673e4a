package gambit.app.server.nats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.games.GameRecord;
import gambit.app.games.GameState;
import gambit.chess.rules.Side;
import gambit.chess.session.jester.JesterLine;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Games of two players at different nodes of a cluster, in different dialects, with spectators at
 * all nodes. Real processes with a real NATS server, which all tests share.
 */
@ThoroughOnly
class ClusterChessIT {
  private static final String TIME = "300+3";
  private static final List<String> FOOLS_MATE = List.of("f2f3", "e7e5", "g2g4", "d8h4");

  @TempDir static Path temp;
  private static RelayCluster cluster;
  private static String relay;
  private static String house;

  private final List<AutoCloseable> readers = new ArrayList<>();
  private NodePlayer white;
  private NodePlayer black;

  @BeforeAll
  static void start() {
    cluster =
        RelayCluster.start(
            temp,
            "chess.abandon_grace=10s", // longer than a busy machine needs to reconnect
            "chess.house.enabled=true",
            "chess.house.move_time=50ms");
    JsonNode information =
        Client.parse(
            Client.httpRequest("GET", cluster.httpUrl(0), "application/nostr+json").body());
    relay = information.get("self").asText();
    house = information.get("chess").get("house").get("pubkey").asText();
  }

  @AfterAll
  static void end() {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A test that fails leaves no killed node for the next one. */
  @AfterEach
  void leave() throws Exception {
    for (AutoCloseable reader : readers) {
      reader.close();
    }
    for (int node : RelayCluster.all()) {
      if (!cluster.node(node).isRunning()) {
        cluster.restart(node);
      }
    }
  }

  private <T extends AutoCloseable> T with(T reader) {
    readers.add(reader);
    return reader;
  }

  /** Pairs two players, each at a follower. */
  private GameState begin(String time) {
    List<Integer> followers = cluster.followers();
    NodePlayer alice = with(NodePlayer.ofNip100(cluster, followers.get(0), relay));
    NodePlayer bob = with(NodePlayer.ephemeral(cluster, followers.get(1), relay));
    alice.send(alice.search(time));
    bob.send(bob.search(time));
    GameState first = alice.await(0, "", "");
    assertThat(bob.await(0, "", "")).isEqualTo(first);
    seat(alice, bob, first);
    return first;
  }

  private void seat(NodePlayer one, NodePlayer other, GameState state) {
    white = one.isWhite(state) ? one : other;
    black = one.isWhite(state) ? other : one;
  }

  private NodePlayer toMove(int ply) {
    return ply % 2 == 0 ? white : black;
  }

  private void play(List<String> moves, int from) {
    for (int ply = from; ply < from + moves.size(); ply++) {
      toMove(ply).send(toMove(ply).move(moves.get(ply - from)));
      if (ply + 1 < from + moves.size()) {
        awaitBoth(ply + 1, "", "");
      }
    }
  }

  private void awaitBoth(int ply, String proposal, String end) {
    white.await(ply, proposal, end);
    black.await(ply, proposal, end);
  }

  private StateReader spectator(int node, String game) {
    return with(
        new StateReader(cluster.url(node), "{\"kinds\":[20302],\"#d\":[\"" + game + "\"]}"));
  }

  @Test
  void spectatorsAtAllNodesSeeEachMoveOnceAndTheRecordIsTheSameEverywhere() {
    String game = begin(TIME).game();
    List<StateReader> spectators =
        RelayCluster.all().stream().map(node -> spectator(node, game)).toList();
    play(FOOLS_MATE, 0);
    awaitBoth(4, "", "0-1 checkmate ");
    for (StateReader spectator : spectators) {
      spectator.await(4, "", "0-1 checkmate ");
      assertThat(spectator.states().stream().map(GameState::ply)).containsExactly(0, 1, 2, 3, 4);
    }
    assertThat(spectators.get(1).states()).isEqualTo(spectators.get(0).states());
    assertThat(spectators.get(2).states()).isEqualTo(spectators.get(0).states());
    assertSameRecord(game, FOOLS_MATE, "0-1 checkmate ");
  }

  /** The record of a game and the events of its moves are the same at all nodes. */
  private void assertSameRecord(String game, List<String> moves, String end) {
    for (int node : RelayCluster.all()) {
      try (Client client = cluster.client(node)) {
        GameRecord record =
            await("node " + node)
                .until(
                    () -> GameRecord.of(client, List.of(game)).get(game),
                    records -> records.size() == 1)
                .get(0);
        assertThat(record.end()).isEqualTo(end);
        assertThat(moves(client, record)).as("node " + node).isEqualTo(moves);
      }
    }
  }

  /** The moves of a record, from their events, all of which are stored. */
  private static List<String> moves(Client client, GameRecord record) {
    client.send("[\"REQ\",\"moves\",{\"ids\":[\"" + String.join("\",\"", record.plies()) + "\"]}]");
    List<JsonNode> frames = client.until("EOSE");
    client.send("[\"CLOSE\",\"moves\"]");
    List<String> moves = new ArrayList<>(Collections.nCopies(record.plies().size(), ""));
    for (JsonNode frame : frames.subList(0, frames.size() - 1)) {
      JsonNode event = frame.get(2);
      moves.set(record.plies().indexOf(event.get("id").asText()), event.get("content").asText());
    }
    return moves;
  }

  @Test
  void currentStateOfAGameIsTheSameAtAllNodes() {
    String game = begin(TIME).game();
    play(List.of("e2e4", "e7e5"), 0);
    awaitBoth(2, "", "");
    for (int node : RelayCluster.all()) {
      StateReader late = spectator(node, game);
      assertThat(late.states()).as("node " + node).containsExactly(white.state());
    }
    white.send(white.resign());
  }

  @Test
  void takebacksDrawOffersAndResignationsReachTheOpponentAtAnotherNode() {
    String game = begin(TIME).game();
    play(List.of("e2e4"), 0);
    awaitBoth(1, "", "");
    white.send(white.takeback());
    awaitBoth(1, "takeback white", "");
    black.send(black.acceptTakeback());
    awaitBoth(0, "", "");
    play(List.of("d2d4", "d7d5"), 0);
    awaitBoth(2, "", "");
    black.send(black.offerDraw());
    awaitBoth(2, "draw black", "");
    play(List.of("c2c4"), 2); // which declines
    awaitBoth(3, "", "");
    white.send(white.resign());
    awaitBoth(3, "", "0-1 resignation ");
    String second = begin(TIME).game();
    play(List.of("d2d4", "d7d5"), 0);
    awaitBoth(2, "", "");
    white.send(white.offerDraw());
    awaitBoth(2, "draw white", "");
    black.send(black.acceptDraw());
    awaitBoth(2, "", "1/2-1/2 agreement ");
    assertSameRecord(second, List.of("d2d4", "d7d5"), "1/2-1/2 agreement ");
  }

  @Test
  void playerWhoseNodeIsKilledLosesAfterTheGracePeriod() {
    String game = begin(TIME).game();
    play(List.of("e2e4", "e7e5"), 0);
    awaitBoth(2, "", "");
    int node = white.node();
    cluster.kill(node);
    black.await(2, "", "0-1 abandoned ");
    cluster.restart(node);
    assertSameRecord(game, List.of("e2e4", "e7e5"), "0-1 abandoned ");
  }

  @Test
  void playerWhoseNodeIsKilledContinuesAtAnotherNode() {
    String game = begin(TIME).game();
    play(List.of("f2f3", "e7e5"), 0);
    awaitBoth(2, "", "");
    int node = white.node();
    cluster.kill(node);
    white.moveTo(cluster.leader());
    play(List.of("g2g4", "d8h4"), 2);
    awaitBoth(4, "", "0-1 checkmate ");
    cluster.restart(node);
    assertSameRecord(game, FOOLS_MATE, "0-1 checkmate ");
  }

  @Test
  void clockOfAPlayerWhoseNodeIsKilledRunsOut() {
    begin("3");
    play(List.of("e2e4", "e7e5"), 0);
    awaitBoth(2, "", "");
    int node = white.node();
    cluster.kill(node);
    black.await(2, "", "0-1 timeout ");
    cluster.restart(node);
  }

  @Test
  void whatWaitsInAGameOfKind30IsJudgedAfterTheLeaderIsKilled() {
    Signer alice = Signer.random();
    Signer bob = Signer.random();
    long now = Instant.now().getEpochSecond();
    JesterLine line = JesterLine.start(alice, Side.WHITE, now, List.of());
    List<Integer> followers = cluster.followers();
    try (Client first = cluster.client(followers.get(0));
        Client second = cluster.client(followers.get(1))) {
      first.publishAccepted(line.start());
      first.publishAccepted(line.move(alice, "f2f3"));
      second.publishAccepted(line.move(bob, "e7e5"));
      Event missing = line.move(alice, "g2g4");
      second.publishAccepted(line.move(bob, "d8h4"));
      cluster.kill(cluster.leader());
      await().until(() -> cluster.client(followers.get(0)), it -> isTaken(it, missing));
    }
    for (int node : followers) {
      try (Client client = cluster.client(node)) {
        GameRecord record =
            await()
                .until(
                    () -> GameRecord.of(client, List.of(line.id())).get(line.id()),
                    records -> records.size() == 1)
                .get(0);
        assertThat(record.end()).isEqualTo("0-1 checkmate ");
        assertThat(record.plies()).hasSize(4);
      }
    }
  }

  private static boolean isTaken(Client client, Event event) {
    try (client) {
      String answer = client.answerTo(event);
      return answer.isEmpty() || answer.startsWith("duplicate: ");
    }
  }

  // ---- players with numbered frames

  /** Two players without subscriptions, each at a follower, and their game; Alice has White. */
  private final class DraftGame {
    private final DraftPlayer alice;
    private final DraftPlayer bob;
    private final String id;

    private DraftGame(List<String> inviteTag, int aliceNode, int bobNode) {
      alice = with(new DraftPlayer(cluster.url(aliceNode)));
      bob = with(new DraftPlayer(cluster.url(bobNode)));
      List<String> to = List.of("p", bob.pubkey());
      Event invite = alice.send(5000, "invite", to, List.of("color", "white"), inviteTag);
      assertThat(alice.answerTo(invite)).isEqualTo("true");
      Event accept = bob.send(5000, "accept", List.of("e", invite.id().hex()));
      assertThat(bob.answerTo(accept)).isEqualTo("true");
      id = alice.event("gameisfound").get("id").asText();
      assertThat(bob.event("gameisfound").get("id").asText()).isEqualTo(id);
      assertThat(alice.answerTo(invite)).isEqualTo("true white");
      assertThat(bob.answerTo(accept)).isEqualTo("true black");
    }

    private void play(String first, String second) {
      assertThat(alice.say(5001, first)).isEqualTo("true");
      bob.awaitMove(first);
      assertThat(bob.say(5001, second)).isEqualTo("true");
      alice.awaitMove(second);
    }
  }

  private DraftGame draftGame() {
    List<Integer> followers = cluster.followers();
    return new DraftGame(List.of("time", TIME), followers.get(0), followers.get(1));
  }

  @Test
  void playersWithNumberedFramesComeBackToTheirGameWhenTheLeaderIsKilled() {
    DraftGame game = draftGame();
    game.play("e2e4", "e7e5");
    assertThat(game.alice.say(5001, "e4e6")).isEqualTo("false invalid: illegal move e4e6 (1 of 2)");
    int leader = cluster.leader();
    Event move = game.alice.send(5001, "g1f3");
    cluster.kill(leader);
    game.alice.comeBack();
    game.bob.comeBack();
    assertThat(game.alice.sayAgain(move)).startsWith("true");
    game.bob.awaitMove("g1f3");
    assertThat(game.bob.say(5001, "b8c6")).isEqualTo("true");
    game.alice.awaitMove("b8c6");
    assertThat(game.alice.say(5001, "f3f6")).isEqualTo("false invalid: illegal move f3f6 (2 of 2)");
    assertThat(DraftPlayer.tag(game.bob.event("opponentresigned"), "termination"))
        .isEqualTo("illegalmoves");
    assertThat(DraftPlayer.tag(game.alice.event("gamelost"), "termination"))
        .isEqualTo("illegalmoves");
    cluster.restart(leader);
    assertSameRecord(game.id, List.of("e2e4", "e7e5", "g1f3", "b8c6"), "0-1 illegalmoves ");
  }

  @Test
  void illegalMoveThatIsUnderWayWhenTheLeaderIsKilledIsCountedOnce() {
    DraftGame game = draftGame();
    game.play("e2e4", "e7e5");
    int leader = cluster.leader();
    Event illegal = game.alice.send(5001, "e4e6");
    cluster.kill(leader);
    game.alice.comeBack();
    game.bob.comeBack();
    assertThat(game.alice.sayAgain(illegal)).isEqualTo("false invalid: illegal move e4e6 (1 of 2)");
    assertThat(game.alice.say(5001, "g1f3")).isEqualTo("true");
    game.bob.awaitMove("g1f3");
    assertThat(game.bob.say(5003, "resign")).isEqualTo("true resigned");
    cluster.restart(leader);
  }

  @Test
  void rematchBeginsBetweenPlayersAtDifferentNodes() {
    DraftGame game = draftGame();
    game.play("e2e4", "e7e5");
    assertThat(game.alice.say(5003, "resign")).isEqualTo("true resigned");
    game.bob.event("opponentresigned");
    List<String> of = List.of("e", game.id);
    Event asked = game.alice.send(5000, "rematch", of);
    assertThat(game.alice.answerTo(asked)).isEqualTo("true");
    Event accepted = game.bob.send(5000, "rematch", of);
    assertThat(game.bob.answerTo(accepted)).isEqualTo("true");
    assertThat(game.alice.answerTo(asked)).isEqualTo("true black");
    assertThat(game.bob.answerTo(accepted)).isEqualTo("true white");
    assertThat(game.bob.say(5000, "abort")).isEqualTo("true");
    game.alice.event("gameaborted");
  }

  @Test
  void searchIsCancelledAtAnotherNodeAndAPairingAfterTheLeadersDeath() {
    List<Integer> followers = cluster.followers();
    DraftPlayer alice = with(new DraftPlayer(cluster.url(followers.get(0))));
    DraftPlayer second = with(alice.again(cluster.url(followers.get(1))));
    DraftPlayer bob = with(new DraftPlayer(cluster.url(followers.get(1))));
    List<String> time = List.of("time", "600+7");
    assertThat(alice.say(5000, "connect", time)).isEqualTo("true");
    assertThat(second.say(5000, "cancelsearch")).isEqualTo("true");
    Event search = bob.send(5000, "connect", time);
    assertThat(bob.answerTo(search)).isEqualTo("true");
    assertThat(alice.say(5001, "e2e4")).isEqualTo("false invalid: no game in progress");
    List<String> server = List.of("p", relay);
    assertThat(alice.say(20300, "", time, server)).isEqualTo("true");
    bob.event("gameisfound");
    assertThat(bob.answerTo(search)).startsWith("true ");
    int leader = cluster.leader();
    cluster.kill(leader);
    alice.comeBack();
    bob.comeBack();
    assertThat(alice.say(20303, "quit", server)).isEqualTo("true");
    bob.event("gameaborted"); // not a resignation
    assertThat(bob.say(5000, "cancelsearch")).isEqualTo("true");
    cluster.restart(leader);
  }

  @Test
  void playerIsAbandonedWithoutAConnectionButNotWithOneAtAnotherNode() {
    List<Integer> followers = cluster.followers();
    List<String> time = List.of("time", TIME);
    DraftGame stays = new DraftGame(time, followers.get(0), cluster.leader());
    DraftGame leaves = new DraftGame(time, followers.get(0), followers.get(1));
    stays.play("e2e4", "e7e5");
    leaves.play("e2e4", "e7e5");
    DraftPlayer second = with(stays.alice.again(cluster.url(followers.get(1))));
    assertThat(second.say(5000, "connect")).isEqualTo("true");
    stays.alice.close();
    leaves.alice.close();
    assertThat(DraftPlayer.tag(leaves.bob.event("opponentresigned"), "termination"))
        .isEqualTo("abandoned"); // its grace period began last
    assertThat(second.say(5001, "g1f3")).isEqualTo("true");
    stays.bob.awaitMove("g1f3");
    assertThat(second.say(5003, "resign")).isEqualTo("true resigned");
  }

  @Test
  void lobbyAndPresencesAreSeenAtAnotherNode() {
    List<Integer> followers = cluster.followers();
    Client watcher = with(cluster.client(followers.get(1)));
    watcher.send("[\"REQ\",\"all\",{\"kinds\":[20305,20306]}]");
    DraftPlayer alice = with(new DraftPlayer(cluster.url(followers.get(0))));
    assertThat(alice.say(5000, "connect", List.of("time", "900+9"))).isEqualTo("true");
    awaitEvent(
        watcher, event -> ("" + event.get("tags")).contains("[\"waiting\",\"900+9\",\"1\"]"));
    assertThat(alice.say(5000, "cancelsearch")).isEqualTo("true");
    DraftGame game = draftGame();
    awaitEvent(watcher, event -> presence(event, game.id).equals("present present"));
    game.alice.close();
    awaitEvent(watcher, event -> presence(event, game.id).equals("away present"));
    assertThat(game.bob.say(5000, "abort")).isEqualTo("true");
  }

  /** Whether White and Black are at a game; empty in an event about anything else. */
  private static String presence(JsonNode event, String game) {
    return DraftPlayer.tag(event, "d").equals(game)
        ? DraftPlayer.tag(event, "white") + " " + DraftPlayer.tag(event, "black")
        : "";
  }

  private static void awaitEvent(Client client, Predicate<JsonNode> isMeant) {
    JsonNode frame = client.nextJson();
    while (!frame.get(0).asText().equals("EVENT") || !isMeant.test(frame.get(2))) {
      frame = client.nextJson();
    }
  }

  @Test
  void housePlayerMovesOnAfterTheLeadersDeath() {
    DraftPlayer person = with(new DraftPlayer(cluster.url(cluster.followers().get(0))));
    List<String> time = List.of("time", "1800");
    Event invite =
        person.send(5000, "invite", List.of("p", house), List.of("color", "white"), time);
    assertThat(person.answerTo(invite)).isEqualTo("true");
    person.event("gameisfound");
    assertThat(person.say(5001, "e2e4")).isEqualTo("true");
    person.awaitMoveOf(house, 2);
    int leader = cluster.leader();
    cluster.kill(leader);
    person.comeBack();
    assertThat(person.say(5001, "a2a3")).isEqualTo("true");
    person.awaitMoveOf(house, 4);
    assertThat(person.say(5003, "resign")).isEqualTo("true resigned");
    cluster.restart(leader);
  }

  // ---- the leader is killed at any step

  /** What a player does at a step of the game in which the leader is killed. */
  private record Action(boolean isWhites, String name, int ply, String proposal, String end) {}

  private static final List<Action> ACTIONS =
      List.of(
          new Action(true, "e2e4", 1, "", ""),
          new Action(false, "e7e5", 2, "", ""),
          new Action(true, "g1f3", 3, "", ""),
          new Action(true, "takeback", 3, "takeback white", ""),
          new Action(false, "accept takeback", 2, "", ""),
          new Action(true, "g1f3", 3, "", ""),
          new Action(true, "draw", 3, "draw white", ""),
          new Action(false, "b8c6", 4, "", ""),
          new Action(false, "resign", 4, "", "1-0 resignation "));

  /** Of the search, the pairing, and each action. */
  private static final int STEPS = 2 + ACTIONS.size();

  @Test
  void gameContinuesWithOneSequenceOfMovesWhenTheLeaderIsKilledAtAnyStep() {
    long seed = System.nanoTime();
    List<Integer> steps = new ArrayList<>(IntStream.range(0, STEPS).boxed().toList());
    Collections.shuffle(steps, new Random(seed));
    steps = steps.subList(0, TestEffort.of(1, STEPS));
    try {
      playWithKills(steps);
    } catch (AssertionError e) {
      throw new AssertionError("the leader was killed at the steps " + steps, e);
    }
  }

  private void playWithKills(List<Integer> steps) {
    List<Integer> followers = cluster.followers();
    NodePlayer alice = with(NodePlayer.ofNip100(cluster, followers.get(0), relay));
    NodePlayer bob = with(NodePlayer.ephemeral(cluster, followers.get(1), relay));
    step(alice, alice.search(TIME), steps.contains(0), alice, bob).run();
    Runnable afterPairing = step(bob, bob.search(TIME), steps.contains(1), alice, bob);
    GameState first = alice.await(0, "", "");
    bob.await(0, "", "");
    afterPairing.run();
    seat(alice, bob, first);
    for (int i = 0; i < ACTIONS.size(); i++) {
      Action action = ACTIONS.get(i);
      NodePlayer player = action.isWhites() ? white : black;
      Runnable after =
          step(player, event(player, action.name()), steps.contains(i + 2), alice, bob);
      awaitBoth(action.ply(), action.proposal(), action.end());
      after.run();
      Stream.of(alice, bob)
          .filter(NodePlayer::hasStayed)
          .forEach(it -> assertThat(it.states()).doesNotHaveDuplicates());
    }
    assertSameRecord(first.game(), List.of("e2e4", "e7e5", "g1f3", "b8c6"), "1-0 resignation ");
  }

  private static Event event(NodePlayer player, String name) {
    return switch (name) {
      case "takeback" -> player.takeback();
      case "accept takeback" -> player.acceptTakeback();
      case "draw" -> player.offerDraw();
      case "resign" -> player.resign();
      default -> player.move(name);
    };
  }

  /**
   * Sends an event, and kills the leader while it is under way. A player of the killed node goes to
   * another one and sends the event again.
   *
   * @return starts the killed node again
   */
  private Runnable step(NodePlayer player, Event event, boolean isKilling, NodePlayer... players) {
    if (!isKilling) {
      player.send(event);
      return () -> {};
    }
    int leader = cluster.leader();
    player.publish(event);
    cluster.kill(leader);
    int next = cluster.leader();
    boolean isLost = player.node() == leader;
    for (NodePlayer each : players) {
      if (each.node() == leader) {
        each.moveTo(next);
      }
    }
    if (isLost) {
      player.publish(event); // has no effect if it had one
    } else {
      player.awaitAnswer(event);
    }
    return () -> cluster.restart(leader);
  }
}
