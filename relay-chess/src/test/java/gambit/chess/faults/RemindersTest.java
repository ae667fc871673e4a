package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.TestPlayer;
import gambit.chess.game.TimeControl;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.crypto.OpenedWrap;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Private messages remind players of slow games, each as often as the rule says. */
class RemindersTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Pattern TOKEN = Pattern.compile("/#/reminders/off/([0-9a-f]{96})");

  private final FaultyStore store = new FaultyStore();
  private TestRelay relay = start(TestTime.START);
  private TestPlayer alice = new TestPlayer("alice", relay);

  private TestRelay start(Instant at) {
    return new TestRelay(store, at, new ChessFeature(settings(), ChosenLots.FIRST_IS_WHITE));
  }

  private static ChessSettings settings() {
    ChessSettings usual = ChessSettings.DEFAULT;
    return new ChessSettings(
        usual.maxClockSkew(),
        Duration.ofDays(1),
        Duration.ofDays(1),
        usual.lagAllowance(),
        TimeControl.TEN_MINUTES_A_MOVE,
        false,
        false,
        50,
        true,
        200,
        100_000,
        SimultaneousGames.NONE);
  }

  @AfterEach
  void end() {
    alice.close();
    relay.close();
  }

  private void restart(Duration later) {
    Instant at = relay.time().instant().plus(later);
    alice.close();
    relay.close();
    relay = start(at);
    alice = new TestPlayer("alice", relay);
  }

  /** A slow game of Alice, who has White. */
  private String begin(String opponent) {
    TestPlayer other = new TestPlayer(opponent, relay);
    Event invite = inviteTo(alice, other, "white", "1/259200");
    other.say(5000, "accept", List.of("e", invite.id().hex()));
    String game = other.event("gameisfound").get("id").asText();
    leave(other);
    return game;
  }

  private Event inviteTo(TestPlayer inviter, TestPlayer invited, String colour, String time) {
    Event invite =
        inviter.sign(
            5000,
            "invite",
            List.of("p", invited.pubkey()),
            List.of("color", colour),
            List.of("time", time));
    assertThat(inviter.answerTo(invite)).isEqualTo("true");
    return invite;
  }

  private void leave(TestPlayer player) {
    long left = relay.metrics().read("connections") - 1;
    player.close();
    await().until(() -> relay.metrics().read("connections") == left);
    awaitSettled();
  }

  /** Waits until the lane knows what Alice has done, by a request that is refused: no commit. */
  private void awaitSettled() {
    assertThat(alice.say(5002, "offer", List.of("e", "0".repeat(64)))).startsWith("false ");
  }

  private void choose(String player, String choice) {
    try (Client client = relay.connect()) {
      List<List<String>> tags =
          List.of(List.of("d", "gambit-reminders"), List.of("p", relay.signer().pubkey().hex()));
      client.publishAccepted(Keys.of(player).sign(relay.now(), 30078, new Tags(tags), choice));
    }
  }

  private void move(TestPlayer player, String game, String uci) {
    assertThat(player.say(5001, uci, List.of("e", game, "", "root"))).isEqualTo("true");
  }

  /** Waits until reminders are scheduled for that number of players. */
  private void awaitScheduled(int players) {
    relay.time().awaitAlarmsOf("ReminderKey", players);
  }

  private void advance(Duration by) {
    relay.time().advance(by);
  }

  private void awaitReminders(long count) {
    await().until(() -> relay.metrics().read("chess_reminders") == count);
  }

  /** The texts that a player has, the oldest first. */
  private List<String> messagesOf(String player) {
    try (Client client = relay.connect().login(relay.now(), Keys.of(player))) {
      client.send("[\"REQ\",\"mine\",{\"kinds\":[1059]}]");
      List<JsonNode> messages = new ArrayList<>();
      for (JsonNode frame : client.until("EOSE")) {
        if (frame.get(0).asText().equals("EVENT")) {
          OpenedWrap opened = OpenedWrap.of(frame.get(2), Keys.of(player));
          assertThat(opened.seal().get("pubkey").asText()).isEqualTo(relay.signer().pubkey().hex());
          messages.add(opened.message());
        }
      }
      return messages.stream()
          .sorted(
              (a, b) -> Long.compare(a.get("created_at").asLong(), b.get("created_at").asLong()))
          .map(message -> message.get("content").asText())
          .toList();
    }
  }

  /** Bob has been reminded of a turn. */
  private String remindBob() {
    choose("bob", "on");
    String game = begin("bob");
    move(alice, game, "e2e4");
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(1);
    return game;
  }

  @Test
  void messageHasLinksToTheGameAndToItsEnd() {
    String game = remindBob();
    List<String> messages = messagesOf("bob");
    assertThat(messages).hasSize(1);
    assertThat(messages.get(0))
        .startsWith("It is your move against nostr:npub1")
        .contains("https://gambit.example/#/game/" + game)
        .containsPattern(TOKEN);
    assertThat(messagesOf("alice")).isEmpty();
    alice.say(5003, "resign", List.of("e", game, "", "root"));
    assertThat(store.rows("chess.reminders")).isEmpty();
  }

  @Test
  void whoHasNotAskedIsNotReminded() {
    choose("carol", "on");
    advance(Duration.ofSeconds(1));
    choose("carol", "off");
    String carols = begin("carol");
    String daves = begin("dave");
    move(alice, carols, "e2e4");
    move(alice, daves, "e2e4");
    awaitScheduled(2);
    advance(MINUTE);
    remindOther("bob");
    assertThat(messagesOf("carol")).isEmpty();
    assertThat(messagesOf("dave")).isEmpty();
  }

  /** Another player is reminded: after all that was due before. */
  private void remindOther(String player) {
    long before = relay.metrics().read("chess_reminders");
    awaitScheduled(0);
    choose(player, "on");
    move(alice, begin(player), "d2d4");
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(before + 1);
  }

  @Test
  void anybodyWithTheTokenStopsThemUntilTheyAreWantedAgain() {
    String game = remindBob();
    Matcher token = TOKEN.matcher(messagesOf("bob").get(0));
    assertThat(token.find()).isTrue();
    TestPlayer stranger = new TestPlayer("stranger", relay);
    String wrong = token.group(1).substring(0, 95) + (token.group(1).endsWith("0") ? "1" : "0");
    String ofOther = Keys.of("carol").pubkey().hex() + token.group(1).substring(64);
    for (String guess : List.of(wrong, ofOther, "", "x", token.group(1) + "0")) {
      assertThat(stranger.say(5000, "stopreminders", List.of("token", guess)))
          .isEqualTo("false invalid: no such token");
    }
    assertThat(stranger.say(5000, "stopreminders"))
        .isEqualTo("false invalid: a token tag is needed");
    advance(Duration.ofSeconds(1));
    for (int i = 0; i < 2; i++) {
      assertThat(stranger.say(5000, "stopreminders", List.of("token", token.group(1))))
          .isEqualTo("true");
    }
    leave(stranger);
    restart(Duration.ofHours(2));
    nextTurn(game, "e7e5", "g1f3");
    awaitScheduled(1);
    advance(MINUTE);
    remindOther("carol");
    choose("bob", "on");
    nextTurn(game, "b8c6", "f1b5");
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(2);
    assertThat(messagesOf("bob")).hasSize(2);
  }

  /** Bob comes, moves and leaves; Alice moves. */
  private void nextTurn(String game, String bobs, String alices) {
    TestPlayer bob = new TestPlayer("bob", relay);
    bob.say(5000, "cancelsearch");
    move(bob, game, bobs);
    leave(bob);
    alice.say(5000, "cancelsearch");
    move(alice, game, alices);
  }

  @Test
  void gameRemindsOnceAnHour() {
    String game = remindBob();
    advance(Duration.ofMinutes(10));
    nextTurn(game, "e7e5", "g1f3");
    awaitScheduled(1);
    advance(MINUTE);
    awaitScheduled(1);
    advance(Duration.ofMinutes(40));
    assertThat(relay.metrics().read("chess_reminders")).isEqualTo(1);
    advance(Duration.ofMinutes(10));
    awaitReminders(2);
    assertThat(messagesOf("bob")).hasSize(2);
  }

  @Test
  void otherGameDoesNotWaitForTheHour() {
    String other = begin("bob");
    String game = remindBob();
    nextTurn(game, "e7e5", "g1f3");
    awaitScheduled(1);
    advance(MINUTE);
    awaitScheduled(1); // after the hour
    move(alice, other, "e2e4");
    awaitSettled();
    advance(MINUTE);
    awaitReminders(2);
    assertThat(messagesOf("bob").get(1)).contains(other).doesNotContain(game);
  }

  @Test
  void whoComesWithinTheMinuteIsNotReminded() {
    choose("bob", "on");
    String game = begin("bob");
    move(alice, game, "e2e4");
    awaitScheduled(1);
    TestPlayer bob = new TestPlayer("bob", relay);
    bob.say(5000, "cancelsearch");
    awaitScheduled(0);
    leave(bob);
    restart(MINUTE);
    advance(MINUTE);
    remindOther("carol");
    assertThat(messagesOf("bob")).isEmpty();
  }

  @Test
  void playerOfALiveGameIsRemindedAfterIt() {
    choose("bob", "on");
    String game = begin("bob");
    TestPlayer bob = new TestPlayer("bob", relay);
    TestPlayer carol = new TestPlayer("carol", relay);
    Event invite = inviteTo(carol, bob, "white", "7200");
    bob.say(5000, "accept", List.of("e", invite.id().hex()));
    leave(bob);
    move(alice, game, "e2e4");
    awaitScheduled(1);
    advance(MINUTE);
    awaitScheduled(0);
    assertThat(carol.say(5000, "abort")).isEqualTo("true");
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(1);
    assertThat(messagesOf("bob")).hasSize(1);
    carol.close();
  }

  @Test
  void restartNeitherLosesNorRepeatsAReminder() {
    choose("bob", "on");
    String game = begin("bob");
    move(alice, game, "e2e4");
    awaitScheduled(1);
    restart(Duration.ofSeconds(10));
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(1);
    restart(Duration.ofHours(2));
    advance(MINUTE);
    remindOther("carol");
    assertThat(messagesOf("bob")).hasSize(1);
  }

  @Test
  void fullStoreAndFailedCommitsDelayAReminder() {
    choose("bob", "on");
    String game = begin("bob");
    move(alice, game, "e2e4");
    awaitScheduled(1);
    store.setFull(true);
    advance(MINUTE);
    awaitScheduled(1);
    store.setFull(false);
    store.failCommitsOf(event -> event.kind() == 1059);
    advance(MINUTE);
    awaitScheduled(1);
    assertThat(relay.metrics().read("chess_reminders")).isZero();
    store.failCommitsOf(event -> false);
    advance(MINUTE);
    awaitReminders(1);
    assertThat(messagesOf("bob")).hasSize(1);
  }

  @Test
  void turnThatHasPassedIsNotAReminder() {
    choose("bob", "on");
    String game = begin("bob");
    move(alice, game, "e2e4");
    awaitScheduled(1);
    alice.say(5003, "resign", List.of("e", game, "", "root"));
    awaitSettled();
    advance(MINUTE);
    remindOther("carol");
    assertThat(messagesOf("bob")).isEmpty();
  }

  @Test
  void manyGamesAreFewMessages() {
    choose("bob", "on");
    List<String> games = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      games.add(begin("bob"));
    }
    games.forEach(game -> move(alice, game, "e2e4"));
    awaitSettled();
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(1);
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(2);
    List<String> messages = messagesOf("bob");
    assertThat(messages.get(0).split("It is your move")).hasSize(21);
    assertThat(messages.get(1).split("It is your move")).hasSize(6);
  }

  @Test
  void directInvitesToSlowGamesRemindOnceAnHour() {
    choose("bob", "on");
    TestPlayer bob = new TestPlayer("bob", relay);
    leave(bob);
    String first = inviteTo(alice, bob, "white", "1/86400").id().hex();
    String second = inviteTo(alice, bob, "white", "1/259200").id().hex();
    awaitSettled(); // both are owed
    awaitScheduled(1);
    advance(MINUTE);
    awaitReminders(1);
    assertThat(messagesOf("bob").get(0))
        .contains("invites you to a slow game: https://gambit.example/#/challenge/" + first)
        .contains("https://gambit.example/#/challenge/" + second);
    restart(MINUTE);
    inviteTo(alice, bob, "black", "1/86400");
    awaitScheduled(1);
    advance(MINUTE);
    awaitScheduled(1);
    assertThat(relay.metrics().read("chess_reminders")).isZero(); // since the restart
  }

  @Test
  void messagesAreForTheirReceiverOnly() {
    remindBob();
    try (Client carol = relay.connect().login(relay.now(), Keys.of("carol"))) {
      carol.send(
          "[\"REQ\",\"his\",{\"kinds\":[1059],\"#p\":[\"%s\"]}]"
              .formatted(Keys.of("bob").pubkey().hex()));
      assertThat(carol.next()).startsWith("[\"CLOSED\",\"his\",\"restricted: ");
    }
    assertThat(relay.information().at("/chess/reminders").asBoolean()).isTrue();
  }
}
