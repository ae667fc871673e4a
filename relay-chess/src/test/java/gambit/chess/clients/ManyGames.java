package gambit.chess.clients;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.SimultaneousGames;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A player with many games at once, {@code house}, and its opponents, who share connections. Not
 * thread-safe.
 */
public final class ManyGames {
  public static final PubKey HOUSE = Keys.of("house").pubkey();

  /** The number of opponents of a connection. */
  private static final int OPPONENTS_OF_A_CONNECTION = 50;

  private final TestRelay relay;
  private final List<Client> opponents = new ArrayList<>();
  private Client house;
  private int nonce;

  /** A game of the house player, who has Black. */
  public record StartedGame(int number, String id) {
    /** The tag that names it. */
    public List<String> tag() {
      return List.of("e", id, "", "root");
    }

    /** The name of the opponent. */
    public String opponent() {
      return "opponent" + number;
    }
  }

  public ManyGames(TestRelay relay) {
    this.relay = relay;
    this.house = relay.connect();
  }

  /** Chess in which the house player may have that number of games at once. */
  public static ChessFeature chess(int max) {
    SimultaneousGames house = new SimultaneousGames(Set.of(HOUSE), max);
    return new ChessFeature(
        ChessSettings.DEFAULT.withSimultaneousGames(house), ChosenLots.FIRST_IS_WHITE);
  }

  /** The current connection of the house player. */
  public Client house() {
    return house;
  }

  /** The house player connects again. */
  public void reconnect() {
    house = relay.connect();
  }

  /** The connection of an opponent. */
  public Client opponent(int number) {
    int index = number / OPPONENTS_OF_A_CONNECTION;
    while (opponents.size() <= index) {
      opponents.add(relay.connect());
    }
    return opponents.get(index);
  }

  /** Each opponent invites the house player, who accepts. */
  public List<StartedGame> begin(int count) {
    List<StartedGame> games = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Event invite = invite(i);
      assertAccepted(answer(opponent(i), invite));
      Event accept = event("house", 5000, "accept", List.of("e", invite.id().hex()));
      assertAccepted(answer(house, accept));
      games.add(new StartedGame(i, nextEvent(house, "gameisfound").get("id").asText()));
      assertAccepted(answerOf(house, accept)); // the colour
    }
    return games;
  }

  /** The invite of an opponent, who wants White. */
  public Event invite(int number) {
    List<String> p = List.of("p", HOUSE.hex());
    return event("opponent" + number, 5000, "invite", p, List.of("color", "white"));
  }

  /** An event that is like no other. */
  @SafeVarargs
  public final Event event(String player, int kind, String content, List<String>... tags) {
    List<List<String>> all = new ArrayList<>();
    for (List<String> tag : tags) {
      all.add(tag);
    }
    all.add(List.of("nonce", "" + nonce++));
    return Keys.of(player).sign(relay.now(), kind, new Tags(all), content);
  }

  /** An opponent moves; returns the content of the OK. */
  public String move(StartedGame game, String uci) {
    return answer(opponent(game.number()), event(game.opponent(), 5001, uci));
  }

  /** The house player does something in a game; returns the content of the OK. */
  public String act(StartedGame game, int kind, String content) {
    return answer(house, event("house", kind, content, game.tag()));
  }

  /** The house player connects; returns the games that it is shown, in order. */
  public List<JsonNode> connect(int count) {
    assertAccepted(answer(house, event("house", 5000, "connect")));
    List<JsonNode> shown = new ArrayList<>();
    while (shown.size() < count) {
      shown.add(nextEvent(house, "gameisfound"));
    }
    return shown;
  }

  /** Publishes, and returns the content of the OK: {@code "true offer"}. */
  public String answer(Client client, Event event) {
    client.publish(event);
    return answerOf(client, event);
  }

  /** The next event with a content. */
  public static JsonNode nextEvent(Client client, String content) {
    while (true) {
      JsonNode frame = client.nextJson();
      if (frame.get(0).asText().equals("EVENT")
          && frame.get(2).get("content").asText().equals(content)) {
        return frame.get(2);
      }
    }
  }

  /** The content of the next OK for an event. Other frames are skipped. */
  public String answerOf(Client client, Event event) {
    while (true) {
      JsonNode frame = client.nextJson();
      if (frame.get(0).asText().equals("OK") && frame.get(1).asText().equals(event.id().hex())) {
        return (frame.get(2).asBoolean() + " " + frame.get(3).asText()).strip();
      }
    }
  }

  private static void assertAccepted(String answer) {
    if (!answer.startsWith("true")) {
      throw new AssertionError(answer);
    }
  }
}
