package gambit.chess.races;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.clients.ManyGames;
import gambit.chess.clients.ManyGames.StartedGame;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Simultaneous events about the games of a player who may have several. */
class SeveralGamesRacesTest {
  private static final int MAX = 5;

  @Test
  void pipelinedAcceptancesBeyondTheMaximumAreRefused() {
    try (TestRelay relay = new TestRelay(ManyGames.chess(MAX))) {
      ManyGames players = new ManyGames(relay);
      List<Event> accepts = new ArrayList<>();
      for (int i = 0; i < 2 * MAX; i++) {
        Event invite = players.invite(i);
        players.answer(players.opponent(i), invite);
        accepts.add(players.event("house", 5000, "accept", List.of("e", invite.id().hex())));
      }
      assertThat(answersTo(players.house(), accepts))
          .hasSize(2 * MAX)
          .startsWith("true", "true", "true", "true", "true")
          .endsWith(refused("you have"), refused("you have"), refused("you have"));
    }
  }

  @Test
  void simultaneousAcceptancesOfOpenInvitesBeyondTheMaximumAreRefused() {
    try (TestRelay relay = new TestRelay(ManyGames.chess(MAX))) {
      ManyGames players = new ManyGames(relay);
      List<Event> accepts = new ArrayList<>();
      for (int i = 0; i < 2 * MAX; i++) {
        Event invite = players.event("house", 5000, "invite");
        players.answer(players.house(), invite);
        String acceptor = "opponent" + i;
        accepts.add(players.event(acceptor, 5000, "accept", List.of("e", invite.id().hex())));
      }
      List<String> answers = answersTo(relay.connect(), accepts);
      assertThat(answers).filteredOn("true"::equals).hasSize(MAX);
      assertThat(answers).filteredOn(refused("who invites you has")::equals).hasSize(MAX);
    }
  }

  @Test
  void twoPlayersWithSeveralGamesMayPlayTwoAgainstEachOther() {
    SimultaneousGames both =
        new SimultaneousGames(Set.of(ManyGames.HOUSE, Keys.of("opponent0").pubkey()), MAX);
    ChessSettings settings = ChessSettings.DEFAULT.withSimultaneousGames(both);
    try (TestRelay relay = new TestRelay(new ChessFeature(settings, ChosenLots.FIRST_IS_WHITE))) {
      ManyGames players = new ManyGames(relay);
      StartedGame first = players.begin(1).get(0);
      StartedGame second = players.begin(1).get(0);
      Client opponent = players.opponent(0);
      assertThat(players.move(first, "e2e4"))
          .isEqualTo(
              "false invalid: name the game in an e tag: " + first.id() + ", " + second.id());
      for (StartedGame game : List.of(second, first)) {
        Event move = players.event("opponent0", 5001, "e2e4", game.tag());
        assertThat(players.answer(opponent, move)).isEqualTo("true");
        assertThat(players.act(game, 5001, "e7e5")).isEqualTo("true");
      }
      assertThat(players.act(first, 5003, "resign")).isEqualTo("true resigned");
      assertThat(players.move(second, "g1f3")).isEqualTo("true");
    }
  }

  private static String refused(String has) {
    return "false restricted: " + has + " " + MAX + " games, the maximum, try again later";
  }

  /** Its rate limit is used up; the replies in all games arrive at once. */
  @Test
  void movesInAllGamesAtOnceAreExemptFromRateLimits() {
    int count = SimultaneousGames.LIMIT;
    int events = count + 1;
    Rate rate = Rate.parse(events + "/" + events + "h"); // a token is refilled in an hour
    RateLimits rates = new RateLimits(Map.of(), Map.of(Verb.EVENT, rate));
    try (TestRelay relay =
        new TestRelay(
            LimitValues.DEFAULT, rates, TransportSettings.DEFAULT, ManyGames.chess(count))) {
      ManyGames players = new ManyGames(relay);
      List<StartedGame> games = players.begin(count);
      String slowDown = "false rate-limited: slow down, wait \\d+ s";
      assertThat(players.act(games.get(0), 5003, "blah")).isEqualTo("false invalid: not resign");
      assertThat(players.act(games.get(0), 5003, "resign")).matches(slowDown);
      for (List<String> round : List.of(List.of("e2e4", "e7e5"), List.of("g1f3", "b8c6"))) {
        List<Event> replies = new ArrayList<>();
        for (StartedGame game : games) {
          assertThat(players.move(game, round.get(0))).isEqualTo("true");
          replies.add(players.event("house", 5001, round.get(1), game.tag()));
        }
        assertThat(answersTo(players.house(), replies)).containsOnly("true");
      }
      assertThat(players.act(games.get(0), 5001, "d7d5")).as("out of turn").matches(slowDown);
      Event unnamed = players.event("house", 5001, "d7d5");
      assertThat(players.answer(players.house(), unnamed)).matches(slowDown);
    }
  }

  /** The answers to events that are sent at once, in the order of the events. */
  private static List<String> answersTo(Client client, List<Event> events) {
    events.forEach(client::publishWithoutWaiting);
    Map<String, String> answers = new HashMap<>();
    while (answers.size() < events.size()) {
      var frame = client.nextJson();
      if (frame.get(0).asText().equals("OK")) {
        String text = (frame.get(2).asBoolean() + " " + frame.get(3).asText()).strip();
        answers.putIfAbsent(frame.get(1).asText(), text); // a second OK has the colour
      }
    }
    return events.stream().map(event -> answers.get(event.id().hex())).toList();
  }
}
