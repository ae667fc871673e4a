package gambit.chess.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.PendingInvite;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.testkit.Client;
import gambit.core.testkit.RepeatedRuns;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/**
 * Races between several threads with several sockets: there is one outcome, and players, their
 * other devices and spectators are sent the same one.
 */
class ConcurrentCommandsTest {
  private static final String IS_OVER = "false invalid: the game is over: ";
  private static final String OVER = "false invalid: no such invite, or it is over";

  private final TestRelay relay =
      new TestRelay(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final TestPlayer spectator = new TestPlayer("spectator", relay);
  private final TestPlayer alice = new TestPlayer("alice", relay);
  private final TestPlayer alice2 = new TestPlayer("alice", relay);
  private final TestPlayer bob = new TestPlayer("bob", relay);
  private final TestPlayer bob2 = new TestPlayer("bob", relay);
  private final TestPlayer carol = new TestPlayer("carol", relay);
  private final boolean late;

  ConcurrentCommandsTest(int run) {
    late = run % 2 == 0;
  }

  @AfterEach
  void end() {
    threads.shutdownNow();
    relay.close();
  }

  @RepeatedRuns(usual = 2, many = 6)
  void bothResign() throws Exception {
    begin();
    List<String> answers = atOnce(alice, 5003, "resign", bob, 5003, "resign");
    String result = answers.get(0).startsWith("true") ? "0-1" : "1-0";
    assertThat(answers)
        .containsExactlyInAnyOrder("true resigned", IS_OVER + "resignation, " + result);
    assertEnding(result, "resignation");
  }

  @RepeatedRuns(usual = 2, many = 6)
  void offerMeetsOffer() throws Exception {
    begin();
    play("e2e4", "e7e5");
    assertThat(atOnce(alice, 5002, "offer", bob, 5002, "offer"))
        .containsExactlyInAnyOrder("true offer", "true accept");
    assertEnding("1/2-1/2", "agreement");
  }

  @RepeatedRuns(usual = 2, many = 6)
  void aMatingMoveAgainstResigning() throws Exception {
    begin();
    play("f2f3", "e7e5", "g2g4");
    List<String> answers = atOnce(bob, 5001, "d8h4", alice, 5003, "resign");
    if (answers.get(0).equals("true")) {
      assertThat(answers.get(1)).isEqualTo(IS_OVER + "checkmate, 0-1");
      assertEnding("0-1", "checkmate");
    } else {
      assertThat(answers).containsExactly(IS_OVER + "resignation, 0-1", "true resigned");
      assertEnding("0-1", "resignation");
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void aDrawIsAcceptedAgainstAMoveOfTheSamePlayer() throws Exception {
    begin();
    play("e2e4");
    assertThat(alice.say(5002, "offer")).isEqualTo("true offer");
    List<String> answers = atOnce(bob, 5002, "accept", bob2, 5001, "e7e5");
    if (answers.get(0).equals("true accept")) {
      assertThat(answers.get(1)).isEqualTo(IS_OVER + "agreement, 1/2-1/2");
      assertEnding("1/2-1/2", "agreement");
    } else {
      assertThat(answers).containsExactly("false invalid: nothing to accept", "true");
      assertGoesOn("2");
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void aTakebackIsAcceptedAgainstAMoveOfTheSamePlayer() throws Exception {
    begin();
    play("e2e4");
    assertThat(alice.say(5002, "takeback")).isEqualTo("true takeback");
    List<String> answers = atOnce(bob, 5002, "accept", bob2, 5001, "e7e5");
    if (answers.get(0).equals("true accept")) {
      assertThat(answers.get(1)).isEqualTo("false invalid: not your turn");
      assertGoesOn("0");
    } else {
      assertThat(answers).containsExactly("false invalid: nothing to accept", "true");
      assertGoesOn("2");
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void aTakebackIsAcceptedAgainstAMoveOfWhoHasAsked() throws Exception {
    begin();
    play("e2e4", "e7e5");
    assertThat(alice.say(5002, "takeback")).isEqualTo("true takeback");
    Event accept = bob.sign(5002, "accept");
    Event move = alice.sign(5001, "g1f3", List.of("ply", "3"));
    List<String> answers = atOnce(bob, accept, alice, move);
    assertThat(answers.get(0)).isEqualTo("true accept");
    if (answers.get(1).equals("true")) {
      assertGoesOn("2");
    } else {
      assertThat(answers.get(1)).isEqualTo("false invalid: stale, the next ply is 1");
      assertGoesOn("0");
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void twoDevicesOfAPlayerMove() throws Exception {
    begin();
    List<String> answers = atOnce(alice, 5001, "e2e4", alice2, 5001, "d2d4");
    assertThat(answers).containsExactlyInAnyOrder("true", "false invalid: not your turn");
    String played = answers.get(0).equals("true") ? "e2e4" : "d2d4";
    assertThat(contents(bob, 5001)).containsExactly(played);
    assertThat(contents(bob2, 5001)).containsExactly(played);
    assertThat(TestPlayer.tag(lastState(), "move")).isEqualTo(played);
    assertGoesOn("1");
  }

  @RepeatedRuns(usual = 2, many = 6)
  void aMoveAgainstTheFlag() throws Exception {
    begin(List.of("time", "10"));
    play("e2e4", "e7e5");
    relay.time().advance(Duration.ofSeconds(4));
    play("g1f3", "b8c6");
    Event move = alice.sign(5001, "f1c4");
    String answer =
        atOnce(() -> alice.answerTo(move), () -> timePasses(Duration.ofMillis(6_500))).get(0);
    if (answer.equals("true")) {
      assertGoesOn("5");
    } else {
      assertThat(answer).isEqualTo(IS_OVER + "timeout, 0-1");
      assertEnding("0-1", "timeout");
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void comingBackAgainstTheEndOfTheGrace() throws Exception {
    begin();
    play("e2e4", "e7e5");
    bob.socket().abort();
    bob2.socket().abort();
    relay.time().awaitAlarms(2); // of the move and of the grace
    TestPlayer back = new TestPlayer("bob", relay);
    Event connect = back.sign(5000, "connect");
    String answer =
        atOnce(() -> back.answerTo(connect), () -> timePasses(ChessSettings.DEFAULT.abandonGrace()))
            .get(0);
    assertThat(answer).isEqualTo("true");
    await().until(() -> back.events().size() > 0);
    if (back.events().get(0).get("content").asText().equals("gamelost")) {
      assertThat(endings(back)).as("the ending has waited").containsExactly("1-0 abandoned");
      assertThat(
              Stream.of(endings(alice), endings(alice2), endings(spectator)).flatMap(List::stream))
          .hasSize(4) // the record as well
          .containsOnly("1-0 abandoned");
    } else {
      assertThat(fens(List.of(alice, alice2, back)))
          .containsOnly(lastState().get("content").asText());
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void oneOfManyAcceptsAnOpenInvite() throws Exception {
    String invite = invite(alice);
    List<TestPlayer> people =
        Stream.of("bob", "carol", "dave", "erin").map(name -> new TestPlayer(name, relay)).toList();
    List<String> answers = atOnce(people.stream().map(it -> accepting(it, invite)).toList());
    assertThat(answers).containsOnlyOnce("true");
    assertThat(answers.stream().filter(it -> !it.equals("true"))).containsOnly(OVER);
    TestPlayer plays = people.get(answers.indexOf("true"));
    String game = plays.event("gameisfound").get("id").asText();
    assertThat(alice.event("gameisfound").get("id").asText()).isEqualTo(game);
    people.stream().filter(it -> it != plays).forEach(it -> assertThat(it.events()).isEmpty());
    awaitGames(1);
  }

  @RepeatedRuns(usual = 2, many = 6)
  void anInviteIsAcceptedAgainstItsWithdrawal() throws Exception {
    String invite = invite(alice);
    Event withdrawal = alice2.sign(5000, "reject", List.of("e", invite));
    List<String> answers =
        atOnce(List.of(accepting(bob, invite), () -> alice2.answerTo(withdrawal)));
    assertThat(answers).containsExactlyInAnyOrder("true", OVER);
    assertInvited(answers.get(0).equals("true"));
  }

  @RepeatedRuns(usual = 2, many = 6)
  void anInviteIsAcceptedAgainstItsDeletion() throws Exception {
    String invite = invite(alice);
    Event deletion = alice2.sign(5, "", List.of("e", invite));
    List<String> answers = atOnce(List.of(accepting(bob, invite), () -> alice2.answerTo(deletion)));
    assertThat(answers.get(1)).isEqualTo("true");
    assertThat(answers.get(0)).isIn("true", OVER, "false invalid: it is over");
    assertInvited(answers.get(0).equals("true"));
  }

  @RepeatedRuns(usual = 2, many = 6)
  void anInviteIsAcceptedAgainstItsExpiry() throws Exception {
    String invite = invite(alice, List.of("expiration", "" + (relay.now() + 10)));
    relay.time().awaitAlarms(1); // set when the invite has been answered
    List<String> answers =
        atOnce(List.of(accepting(bob, invite), () -> timePasses(Duration.ofSeconds(10))));
    assertThat(answers.get(0)).isIn("true", OVER);
    boolean isAccepted = answers.get(0).equals("true");
    String notice = isAccepted ? "gameisfound" : "inviteexpired";
    alice.event(notice); // the expiry may be committed after the refusal
    assertInvited(isAccepted);
    assertThat(contents(alice, 5000)).containsExactly(notice);
  }

  @RepeatedRuns(usual = 2, many = 6)
  void anInviteIsAcceptedWhileItsAuthorFindsAnotherGame() throws Exception {
    assertThat(carol.say(5000, "connect")).isEqualTo("true");
    String invite = invite(alice);
    Event connect = alice2.sign(5000, "connect");
    List<String> answers = atOnce(List.of(accepting(bob, invite), () -> alice2.answerTo(connect)));
    assertThat(answers.get(1)).isEqualTo("true");
    JsonNode found = alice2.event("gameisfound");
    boolean invited = answers.get(0).equals("true");
    assertThat(found.get("tags").toString()).contains((invited ? bob : carol).pubkey());
    if (!invited) {
      assertThat(answers.get(0)).isEqualTo("false invalid: who invites you is playing");
    }
    assertThat(contents(bob, 5000)).hasSize(invited ? 1 : 0);
    assertThat(contents(carol, 5000)).hasSize(invited ? 0 : 1);
    awaitGames(1);
    await().until(() -> relay.metrics().read("chess_searching") == (invited ? 1 : 0));
  }

  @RepeatedRuns(usual = 2, many = 6)
  void pairingAgainstDisconnecting() throws Exception {
    spectator.follows("{\"kinds\":[20302,64]}");
    assertThat(alice.say(5000, "connect")).isEqualTo("true");
    Event connect = bob.sign(5000, "connect");
    atOnce(
        () -> bob.answerTo(connect),
        () -> {
          giveAdvantage();
          alice.socket().abort();
          return "";
        });
    await().until(() -> relay.metrics().read("connections") == 5);
    String answerAgain = bob.say(5000, "connect");
    if (answerAgain.equals("true")) {
      relay.time().awaitAlarms(2); // of the first move and of the grace
      relay.time().advance(ChessSettings.DEFAULT.abandonGrace());
      bob.event("gameaborted");
      assertThat(endings(bob)).containsExactly("* aborted");
      assertThat(endings(spectator)).containsExactly("* aborted");
    } else {
      assertThat(answerAgain).isEqualTo("true duplicate: already searching");
      assertThat(bob.events()).isEmpty();
      assertThat(spectator.events()).isEmpty();
    }
  }

  @RepeatedRuns(usual = 2, many = 6)
  void pairingAgainstCancelling() throws Exception {
    spectator.follows("{\"kinds\":[20302,64]}");
    assertThat(alice.say(5000, "connect")).isEqualTo("true");
    assertThat(atOnce(alice, 5000, "cancelsearch", bob, 5000, "connect")).containsOnly("true");
    await().until(() -> relay.metrics().read("chess_searching") == 1);
    awaitGames(0);
    assertThat(contents(bob, 5000)).isEqualTo(contents(alice, 5000));
    assertThat(endings(bob)).isEqualTo(endings(alice)).isEqualTo(endings(spectator));
    assertThat(bob.say(5000, "connect")).isEqualTo("true duplicate: already searching");
  }

  /** Begins a game between Alice (White) and Bob, which both follow on a second device. */
  @SafeVarargs
  private void begin(List<String>... tags) {
    spectator.follows("{\"kinds\":[20302,64]}");
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(person.say(5000, "connect", tags)).isEqualTo("true");
    }
    alice.event("gameisfound");
    bob.event("gameisfound");
    for (TestPlayer person : List.of(alice2, bob2)) {
      assertThat(person.say(5000, "connect", tags)).isEqualTo("true");
      person.event("gameisfound");
    }
  }

  private void play(String... moves) {
    TestPlayer turn = alice;
    for (String move : moves) {
      assertThat(turn.say(5001, move)).isEqualTo("true");
      turn = turn == alice ? bob : alice;
    }
  }

  @SafeVarargs
  private String invite(TestPlayer author, List<String>... tags) {
    Event invite = author.sign(5000, "invite", tags);
    assertThat(author.answerTo(invite)).isEqualTo("true");
    return invite.id().hex();
  }

  private static Call accepting(TestPlayer person, String invite) {
    Event accept = person.sign(5000, "accept", List.of("e", invite));
    return () -> person.answerTo(accept);
  }

  /** Whether the invite led to a game: everyone received it, and the invite is gone in any case. */
  private void assertInvited(boolean plays) {
    for (TestPlayer person : List.of(alice, bob)) {
      assertThat(contents(person, 5000).contains("gameisfound")).isEqualTo(plays);
    }
    awaitGames(plays ? 1 : 0);
    await().until(() -> relay.metrics().read("chess_invites") == 0);
    await().until(() -> relay.store().rows(PendingInvite.TABLE).isEmpty());
    assertThat(
            carol.socket().queryIds("{\"kinds\":[5000],\"authors\":[\"" + alice.pubkey() + "\"]}"))
        .isEmpty();
  }

  /**
   * Asserts that everyone who has not resigned was sent this ending once, and spectators one
   * record.
   */
  private void assertEnding(String result, String termination) {
    String ending = result + " " + termination;
    assertThat(endings(alice2)).containsExactly(ending);
    assertThat(endings(bob2)).containsExactly(ending);
    assertThat(endings(spectator))
        .as("the last state and the record")
        .containsExactly(ending, ending);
    assertThat(endings(alice)).isSubsetOf(ending);
    assertThat(endings(bob)).isSubsetOf(ending);
    awaitGames(0);
  }

  /**
   * Asserts that no ending was sent, and everyone has the same position after that number of plies.
   */
  private void assertGoesOn(String plies) {
    List<TestPlayer> players = List.of(alice, alice2, bob, bob2);
    players.forEach(player -> assertThat(endings(player)).isEmpty());
    assertThat(endings(spectator)).isEmpty();
    assertThat(TestPlayer.tag(lastState(), "ply")).isEqualTo(plies);
    assertThat(fens(players)).containsOnly(lastState().get("content").asText());
  }

  /** The positions that returning players receive. */
  private static List<String> fens(List<TestPlayer> players) {
    List<String> fens = new ArrayList<>();
    for (TestPlayer player : players) {
      assertThat(player.say(5000, "connect")).isEqualTo("true");
      fens.add(TestPlayer.tag(player.event("gameisfound"), "fen"));
    }
    return fens;
  }

  private JsonNode lastState() {
    List<JsonNode> states =
        spectator.events().stream().filter(it -> it.get("kind").asInt() == 20302).toList();
    return states.get(states.size() - 1);
  }

  private static List<String> endings(TestPlayer person) {
    return person.events().stream()
        .filter(it -> !TestPlayer.tag(it, "termination").isEmpty())
        .map(it -> TestPlayer.tag(it, "result") + " " + TestPlayer.tag(it, "termination"))
        .toList();
  }

  private static List<String> contents(TestPlayer person, int kind) {
    return person.events().stream()
        .filter(it -> it.get("kind").asInt() == kind)
        .map(it -> it.get("content").asText())
        .toList();
  }

  /** Every other time, the faster thread waits for the time of a request and its answer. */
  private void giveAdvantage() {
    if (late) {
      carol.events();
    }
  }

  /** Moves the clock on. */
  private String timePasses(Duration by) {
    giveAdvantage();
    relay.time().advance(by);
    return "";
  }

  /** Asserts that the gauges agree with the messages sent. */
  private void awaitGames(int games) {
    await().until(() -> relay.metrics().read("chess_games") == games);
  }

  /** An action with a result. */
  private interface Call {
    String run();
  }

  private List<String> atOnce(
      TestPlayer one, int kind, String content, TestPlayer two, int otherKind, String other)
      throws Exception {
    return atOnce(one, one.sign(kind, content), two, two.sign(otherKind, other));
  }

  private List<String> atOnce(TestPlayer one, Event first, TestPlayer two, Event second)
      throws Exception {
    return atOnce(() -> one.answerTo(first), () -> two.answerTo(second));
  }

  private List<String> atOnce(Call one, Call two) throws Exception {
    return atOnce(List.of(one, two));
  }

  /** Starts threads at the same moment, and returns their results. */
  private List<String> atOnce(List<Call> calls) throws Exception {
    CyclicBarrier start = new CyclicBarrier(calls.size());
    List<Future<String>> running = new ArrayList<>();
    for (Call call : calls) {
      running.add(
          threads.submit(
              () -> {
                start.await();
                return call.run();
              }));
    }
    List<String> results = new ArrayList<>();
    for (Future<String> one : running) {
      results.add(one.get(Client.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
    }
    return results;
  }
}
