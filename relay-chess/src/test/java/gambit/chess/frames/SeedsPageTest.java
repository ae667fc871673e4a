package gambit.chess.frames;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What ssb-chess, tkMOO chess and Django chessgames offer, found here: one test for each row of the
 * table in {@code docs/protocol/seeds.md}, named after it. Alice is White.
 */
class SeedsPageTest {
  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  private final TestPlayer alice = new TestPlayer("alice");
  private final TestPlayer bob = new TestPlayer("bob");
  private final TestPlayer carol = new TestPlayer("carol");
  private int nonce;

  @AfterEach
  void end() {
    alice.socket.close();
    bob.socket.close();
    carol.socket.close();
    relay.close();
  }

  @Test
  void everyRowOfThePageHasItsTest() throws IOException {
    List<String> named =
        Pattern.compile("`((ssbChess|tkMoo|django)\\w+)`")
            .matcher(Files.readString(Path.of("../docs/protocol/seeds.md")))
            .results()
            .map(result -> result.group(1))
            .toList();
    assertThat(SeedsPageTest.class.getDeclaredMethods())
        .filteredOn(method -> method.isAnnotationPresent(Test.class))
        .extracting(Method::getName)
        .filteredOn(name -> !name.startsWith("everyRow"))
        .containsExactlyInAnyOrderElementsOf(named);
  }

  @Test
  void ssbChessInviteNamesWhoIsInvitedAndTheInvitersColour() {
    Event invite = alice.does(5000, "invite", "", "p=" + bob, "color=black");
    assertThat(bob.finds("{\"kinds\":[5000],\"#p\":[\"" + bob + "\"]}"))
        .singleElement()
        .satisfies(found -> assertThat(id(found)).isEqualTo(invite.id().hex()));
    bob.does(5000, "accept", "", "e=" + invite.id().hex());
    assertThat(tag(bob.gets("gameisfound"), "p")).containsExactly(bob.toString(), "", "white");
  }

  @Test
  void ssbChessInviteAcceptLinksToTheInviteAndPutsTheGameInProgress() {
    Event invite = alice.does(5000, "invite", "", "p=" + bob, "color=white");
    Event accept = bob.does(5000, "accept", "", "e=" + invite.id().hex());
    bob.gets("gameisfound");
    assertThat(bob.socket.next()).isEqualTo(ok(accept, "black"));
    alice.gets("gameisfound");
    assertThat(alice.socket.next()).isEqualTo(ok(invite, "white"));
    alice.moves("e2e4", bob);
  }

  @Test
  void ssbChessMoveHasPlyOriginDestinationPromotionSanAndFen() {
    Event invite =
        alice.does(5000, "invite", "", "color=white", "fen=3n1k2/2P5/8/8/8/8/8/4K3 w - - 0 1");
    bob.accepts(invite, alice);
    Event move = alice.does(5001, "c7d8q", "", "ply=1");
    assertThat(id(bob.gets("c7d8q"))).isEqualTo(move.id().hex());
    JsonNode state = carol.findsStateOf(alice);
    assertThat(tag(state, "ply")).containsExactly("1");
    assertThat(tag(state, "move")).containsExactly("c7d8q");
    assertThat(tag(state, "san")).containsExactly("cxd8=Q+");
    assertThat(content(state)).isEqualTo("3Q1k2/8/8/8/8/8/8/4K3 b - - 0 1");
  }

  @Test
  void ssbChessGameEndHasStatusWinnerAndFinalPosition() {
    pair();
    carol.follows();
    play("f2f3 e7e5 g2g4 d8h4");
    for (TestPlayer player : List.of(alice, bob)) {
      JsonNode end = player.gets("gamecheckmate");
      assertThat(tag(end, "result")).containsExactly("0-1");
      assertThat(tag(end, "termination")).containsExactly("checkmate");
    }
    JsonNode last = carol.getsStateOfPly(4);
    assertThat(content(last)).startsWith("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w");
    assertThat(tag(last, "result")).containsExactly("0-1");
    assertThat(records(alice)).singleElement().asString().contains("2. g4", "Qh4#", "0-1");
  }

  @Test
  void ssbChessChatIsPrivateBetweenPlayersOrPublicAmongSpectators() {
    String game = pair();
    String root = "E=" + game;
    carol.does(1111, "Black is better", "", root);
    alice.does(1111, "good luck", "", root);
    String chat = "{\"kinds\":[1111],\"#E\":[\"" + game + "\"]}";
    assertThat(contents(bob.finds(chat))).containsExactly("good luck");
    assertThat(contents(carol.finds(chat))).containsExactly("Black is better");
    alice.does(1059, "sealed", "", "p=" + bob);
    bob.socket.login(relay.now(), bob.key);
    carol.socket.login(relay.now(), carol.key);
    assertThat(contents(bob.finds("{\"kinds\":[1059]}"))).containsExactly("sealed");
    assertThat(carol.finds("{\"kinds\":[1059]}")).isEmpty();
    alice.does(5003, "resign", "resigned");
    alice.gets("gamelost");
    bob.gets("opponentresigned");
    assertThat(contents(carol.finds(chat)))
        .containsExactlyInAnyOrder("good luck", "Black is better");
    assertThat(contents(bob.finds(chat))).hasSize(2);
  }

  @Test
  void ssbChessRematchObservableGamesPgnExportAndGamesOfAPlayer() {
    String first = pair();
    assertThat(tag(carol.findsStateOf(bob), "d")).containsExactly(first);
    alice.does(5003, "resign", "resigned");
    alice.gets("gamelost");
    bob.gets("opponentresigned");
    assertThat(carol.finds("{\"kinds\":[20302]}")).isEmpty();
    bob.does(5000, "rematch", "", "e=" + first);
    alice.does(5000, "rematch", "", "e=" + first);
    assertThat(tag(alice.gets("gameisfound"), "p")).containsExactly(bob.toString(), "", "white");
    alice.socket.next();
    bob.gets("gameisfound");
    bob.socket.next();
    alice.does(5003, "resign", "resigned");
    alice.gets("gamelost");
    bob.gets("opponentresigned");
    assertThat(records(alice)).hasSize(2).allMatch(pgn -> pgn.startsWith("[Event \""));
  }

  @Test
  void tkMooChessBoardIsPushedAfterEveryMoveWithBoardTurnColourAndSequence() {
    pair();
    carol.follows();
    alice.moves("e2e4", bob);
    JsonNode state = carol.getsStateOfPly(1);
    assertThat(content(state)).startsWith("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b");
    assertThat(tag(state, "turn")).containsExactly("black");
    assertThat(players(state)).containsExactly(alice.toString(), bob.toString());
    bob.moves("e7e5", alice);
    assertThat(tag(carol.getsStateOfPly(2), "turn")).containsExactly("white");
  }

  @Test
  void tkMooSequenceMismatchIsWarnedOfAndAnsweredWithAFreshBoard() {
    pair();
    alice.moves("e2e4", bob);
    Event late = bob.event(5001, "e7e5", "ply=1");
    assertThat(bob.socket.answerTo(late)).isEqualTo("invalid: stale, the next ply is 2");
    String old = id(carol.findsStateOf(alice));
    bob.moves("e7e5", alice);
    alice.does(5003, "resign", "resigned");
    alice.gets("gamelost");
    bob.gets("opponentresigned");

    String server = "p=" + relay.signer().pubkey().hex();
    TestPlayer dave = new TestPlayer("dave");
    TestPlayer erin = new TestPlayer("erin");
    dave.follows();
    dave.does(20300, "", "", server);
    erin.does(20300, "", "", server);
    dave.getsStateOfPly(0);
    dave.socket.publish(dave.event(20303, "e2e4", server, "e=" + old));
    List<JsonNode> answers = List.of(dave.socket.nextJson(), dave.socket.nextJson());
    assertThat(answers.get(0).get(0).asText()).isEqualTo("OK");
    assertThat(tag(answers.get(1).get(2), "ply")).containsExactly("0");
    dave.socket.close();
    erin.socket.close();
  }

  @Test
  void tkMooWishedForUndoAndAPreloadedStartingState() {
    String fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    Event invite = alice.does(5000, "invite", "", "color=white", "fen=" + fen);
    assertThat(tag(bob.accepts(invite, alice), "fen")).containsExactly(fen);
    alice.moves("e2e4", bob);
    alice.does(5002, "takeback", "takeback");
    bob.does(5002, "accept", "accept");
    assertThat(tag(alice.gets("gameisfound"), "fen")).containsExactly(fen);
    assertThat(tag(bob.gets("gameisfound"), "moves")).containsExactly("");
    alice.moves("e2e3", bob);
  }

  @Test
  void djangoHostGameIsPendingForSixtySecondsAndTimesOut() {
    Event hosted = alice.does(5000, "invite", "");
    relay.time().awaitAlarms(1);
    relay.time().advance(Duration.ofSeconds(59));
    assertThat(carol.finds("{\"kinds\":[5000]}")).hasSize(1);
    relay.time().advance(Duration.ofSeconds(1));
    assertThat(tag(alice.gets("inviteexpired"), "e")).containsExactly(hosted.id().hex());
    assertThat(carol.finds("{\"kinds\":[5000]}")).isEmpty();
  }

  @Test
  void djangoListOfGamesJoinAndWatch() {
    alice.does(5000, "invite", "", "color=white");
    JsonNode offered = bob.finds("{\"kinds\":[5000]}").get(0);
    Event accept = bob.does(5000, "accept", "", "e=" + id(offered));
    String game = id(bob.gets("gameisfound"));
    assertThat(bob.socket.next()).isEqualTo(ok(accept, "black"));
    assertThat(tag(carol.findsStateOf(alice), "d")).containsExactly(game);
  }

  @Test
  void djangoMoveWithRequestDrawIsAcceptedOnTheNextTurnOnly() {
    pair();
    alice.does(5001, "e2e4", "", "draw=offer");
    bob.gets("e2e4");
    bob.gets("offersent");
    bob.moves("e7e5", alice);
    assertThat(bob.socket.answerTo(bob.event(5002, "accept")))
        .isEqualTo("invalid: nothing to accept");
    alice.moves("g1f3", bob);
    bob.does(5001, "b8c6", "", "draw=offer");
    alice.gets("b8c6");
    alice.gets("offersent");
    alice.does(5002, "accept", "accept");
    assertThat(tag(alice.gets("gamedraw"), "termination")).containsExactly("agreement");
    bob.gets("gamedraw");
  }

  @Test
  void djangoStatusPromptIsAnsweredWithTheGameStatus() {
    String game = pair();
    alice.moves("e2e4", bob);
    JsonNode status = carol.finds("{\"kinds\":[20302],\"#d\":[\"" + game + "\"]}").get(0);
    assertThat(players(status)).containsExactly(alice.toString(), bob.toString());
    assertThat(tag(status, "turn")).containsExactly("black");
    bob.does(5000, "connect", "");
    JsonNode resumed = bob.gets("gameisfound");
    assertThat(tag(resumed, "moves")).containsExactly("e2e4");
    assertThat(tag(resumed, "e")).startsWith(game);
  }

  @Test
  void djangoGameStartAndGameEndWithWinnerAndOutOfTime() {
    Event invite = alice.does(5000, "invite", "", "color=white", "time=60");
    assertThat(tag(bob.accepts(invite, alice), "p")).startsWith(alice.toString());
    alice.moves("e2e4", bob);
    bob.moves("e7e5", alice);
    relay.time().awaitAlarms(1);
    relay.time().advance(Duration.ofSeconds(61));
    JsonNode end = bob.gets("opponentresigned");
    assertThat(tag(end, "result")).containsExactly("0-1");
    assertThat(tag(end, "termination")).containsExactly("timeout");
    alice.gets("gamelost");
  }

  @Test
  void djangoSixHundredSecondsAMoveAreTheDefault() {
    pair();
    play("e2e4 e7e5");
    relay.time().awaitAlarms(1);
    relay.time().advance(Duration.ofSeconds(600));
    alice.moves("g1f3", bob);
    assertThat(tag(carol.findsStateOf(alice), "clock")).startsWith("600000", "600000");
    relay.time().advance(Duration.ofSeconds(601));
    assertThat(tag(alice.gets("opponentresigned"), "termination")).containsExactly("timeout");
  }

  /** Lets Alice and Bob find each other; returns the game's id. */
  private String pair() {
    Event one = alice.does(5000, "connect", "");
    Event two = bob.does(5000, "connect", "");
    String game = id(alice.gets("gameisfound"));
    assertThat(alice.socket.next()).isEqualTo(ok(one, "white"));
    bob.gets("gameisfound");
    assertThat(bob.socket.next()).isEqualTo(ok(two, "black"));
    return game;
  }

  private void play(String moves) {
    boolean white = true;
    for (String uci : moves.split(" ")) {
      (white ? alice : bob).moves(uci, white ? bob : alice);
      white = !white;
    }
  }

  private List<String> records(TestPlayer player) {
    return contents(carol.finds("{\"kinds\":[64],\"#p\":[\"" + player + "\"]}"));
  }

  private static String ok(Event event, String text) {
    return "[\"OK\",\"" + event.id() + "\",true,\"" + text + "\"]";
  }

  private static String id(JsonNode event) {
    return event.get("id").asText();
  }

  private static String content(JsonNode event) {
    return event.get("content").asText();
  }

  private static List<String> contents(List<JsonNode> events) {
    return events.stream().map(SeedsPageTest::content).toList();
  }

  /** The values of the first tag of that name. */
  private static List<String> tag(JsonNode event, String name) {
    return tags(event, name).get(0);
  }

  private static List<String> players(JsonNode state) {
    return tags(state, "p").stream().map(tag -> tag.get(0)).toList();
  }

  private static List<List<String>> tags(JsonNode event, String name) {
    List<List<String>> found = new ArrayList<>();
    for (JsonNode tag : event.get("tags")) {
      if (tag.get(0).asText().equals(name)) {
        List<String> values = new ArrayList<>();
        tag.forEach(value -> values.add(value.asText()));
        found.add(values.subList(1, values.size()));
      }
    }
    return found;
  }

  /** Somebody with a key and a connection; written in hex as the public key. */
  private final class TestPlayer {
    final Signer key;
    final Client socket = relay.connect();

    TestPlayer(String name) {
      key = Keys.of(name);
    }

    @Override
    public String toString() {
      return key.pubkey().hex();
    }

    /**
     * Signs an event.
     *
     * @param tags as {@code name=value}
     */
    Event event(int kind, String content, String... tags) {
      List<List<String>> all = new ArrayList<>();
      for (String tag : tags) {
        all.add(List.of(tag.split("=", 2)));
      }
      all.add(List.of("nonce", "" + nonce++));
      return key.sign(relay.now(), kind, new Tags(all), content);
    }

    /** Publishes an event and gets the OK with that text. */
    Event does(int kind, String content, String text, String... tags) {
      Event event = event(kind, content, tags);
      socket.publish(event);
      assertThat(socket.next()).isEqualTo(ok(event, text));
      return event;
    }

    void moves(String uci, TestPlayer opponent) {
      does(5001, uci, "");
      opponent.gets(uci);
    }

    /** Accepts an invite; returns {@code gameisfound}. */
    JsonNode accepts(Event invite, TestPlayer inviter) {
      does(5000, "accept", "", "e=" + invite.id().hex());
      JsonNode game = gets("gameisfound");
      socket.next();
      inviter.gets("gameisfound");
      inviter.socket.next();
      return game;
    }

    /** The event in the next frame, which has that content. */
    JsonNode gets(String content) {
      JsonNode frame = socket.nextJson();
      assertThat(frame.get(0).asText()).as(frame.toString()).isEqualTo("EVENT");
      assertThat(content(frame.get(2))).isEqualTo(content);
      return frame.get(2);
    }

    List<JsonNode> finds(String filter) {
      socket.send("[\"REQ\",\"q\"," + filter + "]");
      List<JsonNode> events = new ArrayList<>();
      for (JsonNode frame : socket.until("EOSE")) {
        if (frame.get(0).asText().equals("EVENT")) {
          events.add(frame.get(2));
        }
      }
      socket.send("[\"CLOSE\",\"q\"]");
      return events;
    }

    JsonNode findsStateOf(TestPlayer player) {
      return finds("{\"kinds\":[20302],\"#p\":[\"" + player + "\"]}").get(0);
    }

    /** Subscribes to all running games. */
    void follows() {
      socket.send("[\"REQ\",\"games\",{\"kinds\":[20302]}]");
      socket.until("EOSE");
    }

    /** The first state of that ply that comes. */
    JsonNode getsStateOfPly(int ply) {
      JsonNode state = socket.nextJson();
      while (!state.path(1).asText().equals("games")
          || !tag(state.get(2), "ply").equals(List.of("" + ply))) {
        state = socket.nextJson();
      }
      return state.get(2);
    }
  }
}
