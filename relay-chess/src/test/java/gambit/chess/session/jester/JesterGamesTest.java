package gambit.chess.session.jester;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Games of kind 30 over the whole relay. */
class JesterGamesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final List<String> FOOLS_MATE = List.of("f2f3", "e7e5", "g2g4", "d8h4");

  private final TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT));
  private final Client client = relay.connect();
  private final Client follower = relay.connect();

  @AfterEach
  void close() {
    client.close();
    follower.close();
    relay.close();
  }

  private JesterLine start(Side side, String... opponent) {
    List<List<String>> tags = opponent.length == 0 ? List.of() : List.of(List.of("p", opponent[0]));
    return JesterLine.start(ALICE, side, relay.now(), tags);
  }

  private static List<Event> foolsMate(JesterLine line) {
    List<Event> events = new ArrayList<>(List.of(line.start()));
    for (String uci : FOOLS_MATE) {
      events.add(line.move(events.size() % 2 == 1 ? ALICE : BOB, uci));
    }
    return events;
  }

  private void requireAccepted(Event event) {
    client.publishAccepted(event);
  }

  private void requireRefused(Event event, String reason) {
    assertThat(client.answerTo(event)).isEqualTo(reason);
  }

  private List<JsonNode> query(String filter) {
    client.send("[\"REQ\",\"q\"," + filter + "]");
    List<JsonNode> found = client.until("EOSE");
    client.send("[\"CLOSE\",\"q\"]");
    return found.stream()
        .filter(message -> message.get(0).asText().equals("EVENT"))
        .map(message -> message.get(2))
        .toList();
  }

  /** The record of the only game, which may come after the answers to its events. */
  private JsonNode record() {
    follower.send("[\"REQ\",\"records\",{\"kinds\":[64]}]");
    JsonNode message = follower.nextJson();
    while (!message.get(0).asText().equals("EVENT")) {
      message = follower.nextJson();
    }
    return message.get(2);
  }

  private static String tag(JsonNode event, String name) {
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        return tag.get(1).asText();
      }
    }
    return "";
  }

  @Test
  void gameThatIsMatedHasRecord() {
    JesterLine line = start(Side.WHITE);
    foolsMate(line).forEach(this::requireAccepted);
    JsonNode record = record();
    assertThat(tag(record, "result")).isEqualTo("0-1");
    assertThat(tag(record, "termination")).isEqualTo("checkmate");
    assertThat(tag(record, "dialect")).isEqualTo("jester");
  }

  @Test
  void gameThatArrivesBackwardsHasRecord() {
    JesterLine line = start(Side.WHITE);
    List<Event> events = foolsMate(line);
    Collections.reverse(events);
    events.forEach(this::requireAccepted);
    assertThat(tag(record(), "termination")).isEqualTo("checkmate");
  }

  @Test
  void stateIsThatOfTheLastMoveOnceBothHaveMoved() {
    JesterLine line = start(Side.WHITE);
    requireAccepted(line.start());
    requireAccepted(line.move(ALICE, "e2e4"));
    String states = "{\"kinds\":[20302],\"#d\":[\"" + line.id() + "\"]}";
    assertThat(query(states)).isEmpty();
    requireAccepted(line.move(BOB, "e7e5"));
    assertThat(query(states))
        .singleElement()
        .satisfies(it -> assertThat(tag(it, "san")).isEqualTo("e5"));
  }

  @Test
  void secondMoveAtOnePlyIsRefused() {
    JesterLine line = start(Side.WHITE);
    requireAccepted(line.start());
    JesterLine fork = start(Side.WHITE);
    assertThat(fork.id()).isEqualTo(line.id());
    Event first = line.move(ALICE, "e2e4");
    requireAccepted(first);
    requireRefused(
        fork.move(ALICE, "d2d4"), "blocked: move 1 of white has been played: " + first.id().hex());
  }

  @Test
  void challengeIsForItsPlayer() {
    JesterLine line = start(Side.BLACK, BOB.pubkey().hex());
    JesterLine other = start(Side.BLACK, BOB.pubkey().hex());
    requireAccepted(line.start());
    requireRefused(other.move(CAROL, "e2e4"), "restricted: this challenge is for another player");
    requireAccepted(line.move(BOB, "e2e4"));
  }

  @Test
  void resignationEndsTheGameForTheOther() {
    JesterLine line = start(Side.WHITE);
    requireAccepted(line.start());
    requireAccepted(line.move(ALICE, "e2e4"));
    requireAccepted(line.move(BOB, "e7e5"));
    requireRefused(
        line.end(BOB, "0-1", "resignation"),
        "invalid: resignation gives the win to the other player: 1-0");
    requireAccepted(line.end(BOB, "1-0", "resignation"));
    assertThat(tag(record(), "termination")).isEqualTo("resignation");
    requireRefused(line.move(ALICE, "g1f3"), "invalid: this game is over: 1-0, resignation");
  }

  @Test
  void moveThatIsSignedASecondTimeIsAsGoodAHeadAsTheFirst() {
    JesterLine line = start(Side.WHITE);
    requireAccepted(line.start());
    JesterLine again = start(Side.WHITE);
    requireAccepted(line.move(ALICE, "e2e4"));
    requireAccepted(again.later().move(ALICE, "e2e4"));
    requireAccepted(again.move(BOB, "e7e5"));
  }

  @Test
  void challengeByHashIsForTheHashedPlayer() {
    JesterLine line = JesterLine.challengeByHash(ALICE, Side.WHITE, relay.now(), BOB.pubkey());
    requireAccepted(line.start());
    Event e4 = line.move(ALICE, "e2e4");
    requireAccepted(e4);
    JesterLine other = JesterLine.challengeByHash(ALICE, Side.WHITE, relay.now(), BOB.pubkey());
    other.move(ALICE, "e2e4");
    requireRefused(other.move(CAROL, "e7e5"), "restricted: this challenge is for another player");
    requireAccepted(line.move(BOB, "e7e5"));
  }

  @Test
  void oneOfTwoWhoMoveAtOnceTakesTheSeat() {
    for (int i = 0; i < 20; i++) {
      relay.time().advance(Duration.ofSeconds(1)); // another start
      JesterLine line = start(Side.BLACK);
      JesterLine other = start(Side.BLACK);
      requireAccepted(line.start());
      client.publish(line.move(BOB, "e2e4"));
      follower.publish(other.move(CAROL, "d2d4"));
      List<JsonNode> answers = List.of(client.nextJson(), follower.nextJson());
      assertThat(answers).extracting(it -> it.get(2).asBoolean()).containsOnlyOnce(true);
      assertThat(answers)
          .extracting(it -> it.get(3).asText())
          .containsExactlyInAnyOrder("", "restricted: you do not play this game");
    }
  }

  @Test
  void gameEndsWhereNobodyCanMate() {
    List<String> moves = new ArrayList<>();
    for (long seed = 0; moves.isEmpty(); seed++) {
      moves = movesToDeadPosition(new Random(seed));
    }
    JesterLine line = start(Side.WHITE);
    requireAccepted(line.start());
    for (int ply = 0; ply < moves.size(); ply++) {
      requireAccepted(line.move(ply % 2 == 0 ? ALICE : BOB, moves.get(ply)));
    }
    JsonNode record = record();
    assertThat(tag(record, "termination")).isEqualTo("deadposition");
    assertThat(tag(record, "result")).isEqualTo("1/2-1/2");
  }

  /** A game in which all that can be captured is; empty if it ends otherwise. */
  private static List<String> movesToDeadPosition(Random random) {
    List<String> moves = new ArrayList<>();
    Position position = Position.initial();
    while (position.outcome().isEmpty() && moves.size() < 400) {
      Position before = position;
      List<Move> legal = position.legalMoves();
      List<Move> captures = legal.stream().filter(move -> before.san(move).contains("x")).toList();
      List<Move> choice = captures.isEmpty() ? legal : captures;
      Move move = choice.get(random.nextInt(choice.size()));
      moves.add(move.uci());
      position = position.play(move).orElseThrow();
    }
    boolean isDead = position.outcome().equals(Optional.of(Outcome.DEAD_POSITION));
    return isDead ? moves : List.of();
  }
}
