package gambit.app.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.LocalRelay;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.app.tool.client.RecordingPlayer;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The house player of a relay in this process. */
class HouseTest {
  private static final String ON = "chess.house.enabled=auto";
  private static final String FAST = "chess.house.move_time=20ms";

  @TempDir Path data;

  private static JsonNode house(LocalRelay relay) {
    return Client.parse(Client.httpRequest("GET", relay.uri(), "application/nostr+json").body())
        .at("/chess/house");
  }

  private static List<Event> profiles(EnginePlayer client, JsonNode house) throws Exception {
    return eventsOf(house, 0, client);
  }

  /** The stored events with which the house player has declined a proposal. */
  private static List<Event> declined(EnginePlayer client, JsonNode house) throws Exception {
    return eventsOf(house, 5002, client).stream()
        .filter(event -> event.content().equals("decline"))
        .toList();
  }

  private static List<Event> eventsOf(JsonNode house, int kind, EnginePlayer client)
      throws Exception {
    String key = house.path("pubkey").asText();
    return client
        .client()
        .query("{\"kinds\":[" + kind + "],\"authors\":[\"" + key + "\"]}")
        .get(2, TimeUnit.MINUTES);
  }

  @Test
  void itsProfileNamesABotAndTheInformationDocumentItsLevels() throws Exception {
    Event profile;
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST);
        EnginePlayer person = new EnginePlayer(relay.uri(), 0)) {
      assertThat(house(relay).path("levels").toString()).isEqualTo("[1,2,3,4,5]");
      await().until(() -> !profiles(person, house(relay)).isEmpty());
      profile = profiles(person, house(relay)).get(0);
      JsonNode content = Client.parse(profile.content());
      assertThat(content.path("bot").asBoolean()).isTrue();
      assertThat(content.path("name").asText()).isNotBlank();
    }
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST);
        EnginePlayer person = new EnginePlayer(relay.uri(), 1)) {
      person.inviteHouse(1).awaitMoves(1);
      assertThat(profiles(person, house(relay)))
          .as("the same key, and the same profile, which is not published again")
          .containsExactly(profile);
    }
  }

  @Test
  void aRelayWithoutAHousePlayerNamesNone() throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0);
        EnginePlayer person = new EnginePlayer(relay.uri(), 0)) {
      assertThat(person.relay().house()).isNull();
      assertThat(data.resolve("house.key")).doesNotExist();
    }
  }

  @Test
  void takebacksAreAcceptedAndEarlyDrawOffersDeclined() throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST);
        EnginePlayer person = new EnginePlayer(relay.uri(), 1)) {
      person.inviteHouse(2).awaitMoves(1); // so early that the bot cannot be losing
      person.client().act(person.game(), Act.OFFER_DRAW).get(2, TimeUnit.MINUTES);
      await().until(() -> !declined(person, house(relay)).isEmpty());
      await().until(() -> person.game().proposal() == null);
      assertThat(person.game().isRunning()).isTrue();
      Position later = person.game().position();
      person.client().act(person.game(), Act.ASK_TAKEBACK);
      await()
          .until(
              () ->
                  person.game().isOurTurn()
                      && person.game().position().fullmoveNumber() < later.fullmoveNumber());
      Move move = person.game().position().legalMoves().get(0);
      person.client().move(person.game(), move, false);
      person.awaitMoves(1);
    }
  }

  @Test
  void aWeakLevelAnswersNoSoonerThanAPersonAndDeclinesADrawBeforeItMoves() throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0, ON);
        EnginePlayer person = new EnginePlayer(relay.uri(), 1)) {
      GameView game = person.inviteHouse(1).awaitMoves(1).game();
      assertThat(game.terms().level(game.terms().ours().opponent())).isEqualTo(1);
      long start = System.nanoTime();
      Move move = game.position().legalMoves().get(0);
      person.client().move(game, move, true).get(2, TimeUnit.MINUTES);
      person.awaitMoves(game.position().fullmoveNumber());
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(400));
      assertThat(declined(person, house(relay))).hasSize(1);
    }
  }

  /** Invites the house player to a game from a position. */
  private static EnginePlayer inviteFrom(String fen, EnginePlayer person, JsonNode house)
      throws Exception {
    List<List<String>> tags =
        List.of(
            List.of("p", house.path("pubkey").asText()),
            List.of("color", "white"),
            List.of("time", "300"),
            List.of("level", "3"),
            List.of("fen", fen));
    person.client().publish(5000, new Tags(tags), "invite").get(2, TimeUnit.MINUTES);
    return person.awaitGame();
  }

  @Test
  void itResignsWhenItHasBeenLostForLongAndOffersADrawThatIsOne() throws Exception {
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST);
        EnginePlayer winner = new EnginePlayer(relay.uri(), 1000);
        EnginePlayer other = new EnginePlayer(relay.uri(), 0)) {
      String lost = "4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1";
      GameView won = inviteFrom(lost, winner, house(relay)).awaitEnd().game();
      assertThat(won.ending().termination()).isEqualTo("resignation");
      assertThat(won.position().fullmoveNumber()).isBetween(4, 9);
      inviteFrom("8/4k3/5r2/8/8/3R4/4K3/8 w - - 0 60", other, house(relay));
      Move move = Move.parse("d3c3").orElseThrow();
      other.client().move(other.game(), move, false).get(2, TimeUnit.MINUTES);
      await().until(() -> other.game().hasProposalOfOpponent());
      other.client().act(other.game(), Act.ACCEPT).get(2, TimeUnit.MINUTES);
      assertThat(other.awaitEnd().game().ending().termination()).isEqualTo("agreement");
    }
  }

  @Test
  void itPlaysWhereLoginsAreRequiredAndTheRelayIsKnownUnderAnotherUrl() throws Exception {
    try (LocalRelay relay =
            new LocalRelay(
                data,
                0,
                ON,
                FAST,
                "chess.require_auth=true",
                "chess.require_relay_tag=true",
                "relay.url=wss://relay.example");
        EnginePlayer person = new EnginePlayer(relay.uri(), "wss://relay.example", 2)) {
      person.inviteHouse(1).awaitMoves(2);
    }
  }

  @Test
  void itPlaysOnAPrivateRelayWithRatesAndProofOfWork() throws Exception {
    Signer member = Signer.random();
    String key = member.pubkey().hex();
    try (LocalRelay relay =
            new LocalRelay(
                data,
                0,
                ON,
                FAST,
                "admission.writers=" + key,
                "admission.pubkeys=" + key,
                "admission.trusted=" + key,
                "reads.auth_kinds=*",
                "reads.readers=" + key,
                "rates.by_address.event=1/h",
                "rates.by_pubkey.event=1/h",
                "nips.min_difficulty=60");
        EnginePlayer person = new EnginePlayer(relay.uri(), relay.uri().toString(), member, 2)) {
      person.inviteHouse(1).awaitMoves(2);
    }
  }

  @Test
  void playersAtOneAddressHaveAPartOfItsGamesOfEachSort() throws Exception {
    List<RecordingPlayer> people = new ArrayList<>();
    try (LocalRelay relay = new LocalRelay(data, 0, ON, "chess.house.max_games=10")) {
      for (String time : List.of("300", "2592000")) {
        for (int i = 0; i <= 2; i++) {
          RecordingPlayer person = new RecordingPlayer(relay.uri());
          people.add(person);
          InviteOptions terms =
              new InviteOptions(
                  PubKey.ofHex(house(relay).path("pubkey").asText()),
                  TimeControl.parse(time).orElseThrow(),
                  null,
                  0);
          if (i < 2) {
            person.client.invite(terms).get(2, TimeUnit.MINUTES);
            person.awaitGame();
          } else {
            assertThat(person.client.invite(terms))
                .failsWithin(2, TimeUnit.MINUTES)
                .withThrowableOfType(ExecutionException.class)
                .withMessageContaining(
                    "invalid: who you invite has the maximum of such games with players at one"
                        + " address");
          }
        }
      }
    } finally {
      people.forEach(RecordingPlayer::close);
    }
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void challengeOfKind30IsPlayedOverARestartToTheEnd(Side challenger) throws Exception {
    JesterPerson person;
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST)) {
      List<List<String>> tags = List.of(List.of("p", house(relay).path("pubkey").asText()));
      person = new JesterPerson(relay.uri(), challenger, tags);
      assertThat(person.play(2)).isFalse();
      person.offerDraw(); // so early that the bot cannot be losing
      assertThat(person.play(1)).isFalse();
      person.close();
    }
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST);
        Client client = new Client(relay.uri())) {
      person.connect(relay.uri());
      assertThat(person.play(200)).isTrue();
      String records = "{\"kinds\":[64],\"#e\":[\"" + person.line.id() + "\"]}";
      await().until(() -> client.queryIds(records).size() == 1);
    } finally {
      person.close();
    }
  }

  @Test
  void openStartOfKind30IsPlayedIfTheSettingSaysSo() throws Exception {
    String open = "chess.house.open_starts=true";
    try (LocalRelay relay = new LocalRelay(data, 0, ON, FAST, open);
        JesterPerson person = new JesterPerson(relay.uri(), Side.WHITE, List.of())) {
      assertThat(person.play(3)).isFalse();
    }
  }

  @Test
  void itPlaysWithoutLogins() throws Exception {
    try (LocalRelay relay =
            new LocalRelay(data, 0, ON, FAST, "nips.42=false", "nips.4=false", "nips.59=false");
        EnginePlayer person = new EnginePlayer(relay.uri(), 2)) {
      person.inviteHouse(1).awaitMoves(2);
    }
  }
}
