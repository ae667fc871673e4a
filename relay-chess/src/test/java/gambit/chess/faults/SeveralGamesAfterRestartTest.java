package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.ManyGames;
import gambit.chess.clients.ManyGames.StartedGame;
import gambit.chess.clients.TestPlayer;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.store.EventStore;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A restarted relay resumes all games of a player who has several. */
class SeveralGamesAfterRestartTest {
  private static final int GAMES = 20;
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");

  private final EventStore store = new MemoryEventStore(64 << 20);
  private TestRelay relay = new TestRelay(store, START, ManyGames.chess(GAMES));
  private ManyGames players = new ManyGames(relay);

  private void restart(ChessFeature chess) {
    Instant start = relay.time().instant().plusSeconds(60);
    relay.close();
    relay = new TestRelay(store, start, chess);
    players = new ManyGames(relay);
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void allGamesAreResumedAndContinue() {
    List<StartedGame> games = begin();
    restart(ManyGames.chess(GAMES));
    assertThat(players.connect(GAMES))
        .extracting(shown -> TestPlayer.tag(shown, "e"), shown -> TestPlayer.tag(shown, "moves"))
        .containsExactlyInAnyOrderElementsOf(
            games.stream().map(game -> tuple(game.id(), "e2e4")).toList());
    for (StartedGame game : games) {
      assertThat(players.act(game, 5001, "e7e5")).isEqualTo("true");
    }
    assertThat(players.answer(players.house(), players.event("house", 5001, "e7e5")))
        .startsWith("false invalid: name the game in an e tag: ");
  }

  @Test
  void gamesContinueIfThePlayerMayHaveOneOnly() {
    List<StartedGame> games = begin();
    restart(new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
    assertThat(players.connect(GAMES)).hasSize(GAMES);
    for (StartedGame game : games.subList(0, GAMES - 1)) {
      assertThat(players.act(game, 5003, "resign")).isEqualTo("true resigned");
    }
    assertThat(players.answer(players.house(), players.event("house", 5000, "invite")))
        .isEqualTo("false invalid: you are playing");
    assertThat(players.act(games.get(GAMES - 1), 5003, "resign")).isEqualTo("true resigned");
    assertThat(players.answer(players.house(), players.event("house", 5000, "invite")))
        .isEqualTo("true");
  }

  @Test
  void endingOfEveryGameWaitsForThePlayer() {
    List<StartedGame> games = begin();
    for (StartedGame game : games) {
      assertThat(players.act(game, 5001, "e7e5")).isEqualTo("true");
      assertThat(players.move(game, "g1f3")).isEqualTo("true");
      assertThat(players.act(game, 5001, "b8c6")).isEqualTo("true");
    }
    players.house().leave();
    relay.time().awaitAlarms(2 * GAMES);
    relay.time().advance(ChessSettings.DEFAULT.abandonGrace());
    games.forEach(game -> ManyGames.nextEvent(players.opponent(game.number()), "opponentresigned"));
    restart(ManyGames.chess(GAMES));
    players.house().publish(players.event("house", 5000, "connect"));
    List<String> ended = new ArrayList<>();
    while (ended.size() < GAMES) {
      JsonNode ending = ManyGames.nextEvent(players.house(), "gamelost");
      ended.add(TestPlayer.tag(ending, "e"));
    }
    assertThat(ended)
        .containsExactlyInAnyOrderElementsOf(games.stream().map(StartedGame::id).toList());
  }

  /** Games after the first move. */
  private List<StartedGame> begin() {
    List<StartedGame> games = players.begin(GAMES);
    for (StartedGame game : games) {
      assertThat(players.move(game, "e2e4")).isEqualTo("true");
    }
    return games;
  }
}
