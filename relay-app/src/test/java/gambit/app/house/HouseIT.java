package gambit.app.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.app.tool.bot.TestUciEngine;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.GameView;
import gambit.core.model.EventId;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** People play with the house player of the packaged jar. */
@ThoroughOnly
class HouseIT {
  private static final String ON = "chess.house.enabled=auto";
  private static final String FAST = "chess.house.move_time=30ms";
  private static final int ALL = 1000;

  @TempDir Path data;

  private GambitProcess relay(String... settings) throws IOException {
    List<String> arguments = new ArrayList<>(List.of("--set", ON, "--set", FAST));
    for (String setting : settings) {
      arguments.addAll(List.of("--set", setting));
    }
    return GambitProcess.relay(data, arguments.toArray(String[]::new));
  }

  @Test
  void aPersonPlaysAWholeGameAndARematchWithTheHousePlayer() throws Exception {
    try (GambitProcess relay = relay();
        EnginePlayer person = new EnginePlayer(relay.url(), ALL)) {
      GameView game = person.inviteHouse(1).awaitEnd().game();
      assertThat(game.position().outcome()).isPresent();
      assertThat(game.ending().termination()).isEqualTo("checkmate");
      person.client().rematch(game).get(2, TimeUnit.MINUTES);
      await().until(() -> person.game().isRunning());
      assertThat(person.game().terms().ours()).isEqualTo(game.terms().ours().opponent());
      person.awaitMoves(3).client().act(person.game(), Act.RESIGN);
      person.awaitEnd();
      assertThat(relay.metric("gambit_house_moves_total{engine=\"own\"}")).isGreaterThan(5);
      assertThat(relay.metric("gambit_house_moves_total{engine=\"fallback\"}")).isZero();
      await().until(() -> relay.metric("gambit_house_games") == 0);
      assertThat(relay.terminate().exitStatus()).isZero();
      assertThat(relay.errors()).doesNotContain("ERROR").doesNotContain("connects again");
    }
  }

  @Test
  void tenPeoplePlayAtOnceAndOneMoreAtTheirAddressMustWait() throws Exception {
    List<EnginePlayer> people = new ArrayList<>();
    try (LocalRelay relay =
        new LocalRelay(data, 0, ON, "chess.house.max_games=50", "chess.house.move_time=50ms")) {
      for (int i = 0; i < 10; i++) {
        people.add(new EnginePlayer(relay.uri(), 1).inviteHouse(1 + i % 5));
      }
      Set<EventId> games = new HashSet<>();
      for (EnginePlayer person : people) {
        games.add(person.awaitMoves(1).game().id());
      }
      assertThat(games).hasSize(10);
      try (EnginePlayer next = new EnginePlayer(relay.uri(), 2)) {
        assertThatThrownBy(() -> next.inviteHouse(1))
            .hasMessageContaining("players at one address");
        EnginePlayer first = people.get(0);
        first.client().act(first.game(), Act.RESIGN);
        first.awaitEnd();
        next.inviteHouse(1).awaitMoves(2);
      }
    } finally {
      people.forEach(EnginePlayer::close);
    }
  }

  @Test
  void aGameThatEndsInTheTurnOfTheHousePlayerIsNotThoughtAboutAgain() throws Exception {
    try (GambitProcess relay = relay("chess.house.move_time=100ms");
        EnginePlayer leaver = new EnginePlayer(relay.url(), 0);
        EnginePlayer other = new EnginePlayer(relay.url(), 8)) {
      GameView game = leaver.inviteHouse(5).awaitMoves(0).game();
      leaver.client().move(game, game.position().legalMoves().get(0), false);
      leaver.client().act(game, Act.RESIGN);
      leaver.awaitEnd();
      other.inviteHouse(5).awaitMoves(8); // some seconds, in which the ended game could be retried
      int moves = game.moves().size() + (other.game().moves().size() + 1) / 2;
      assertThat(relay.metric("gambit_house_moves_total{engine=\"own\"}"))
          .as("the move that was being chosen at the end may be counted")
          .isBetween((double) moves - 1, (double) moves + 1);
    }
  }

  @Test
  void gamesContinueWhenTheRelayIsKilledAndStartedAgain() throws Exception {
    int port = FreePort.any();
    List<EnginePlayer> people = new ArrayList<>();
    try {
      try (GambitProcess relay = GambitProcess.relayAt(port, data, "--set", ON, "--set", FAST)) {
        for (int i = 0; i < 3; i++) {
          people.add(new EnginePlayer(relay.url(), 3).inviteHouse(1 + 2 * i));
        }
        for (EnginePlayer person : people) {
          person.awaitMoves(3);
        }
        relay.kill();
        relay.exitStatus();
      }
      people.forEach(person -> person.setMaxMoves(6));
      try (GambitProcess relay = GambitProcess.relayAt(port, data, "--set", ON, "--set", FAST)) {
        for (EnginePlayer person : people) {
          person.awaitMoves(6);
        }
        assertThat(people)
            .extracting(person -> person.game().terms())
            .extracting(terms -> terms.level(terms.ours().opponent()))
            .containsExactly(1, 3, 5);
        assertThat(relay.metric("gambit_house_games")).isEqualTo(3);
      }
    } finally {
      people.forEach(EnginePlayer::close);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = TestUciEngine.Behaviour.class,
      names = {"CORRECT", "ENDS_AT_GO"})
  void aGameGoesOnWhateverAConfiguredEngineDoes(TestUciEngine.Behaviour behaviour)
      throws Exception {
    String command = String.join(" ", TestUciEngine.command(behaviour));
    try (GambitProcess relay = relay("chess.house.engine=" + command);
        EnginePlayer person = new EnginePlayer(relay.url(), 6)) {
      person.inviteHouse(1).awaitMoves(6);
      boolean isCorrect = behaviour == TestUciEngine.Behaviour.CORRECT;
      String source = isCorrect ? "uci" : "fallback";
      assertThat(relay.metric("gambit_house_moves_total{engine=\"" + source + "\"}"))
          .isGreaterThanOrEqualTo(isCorrect ? 1 : 3); // the first moves may be known
      long pid = relay.pid();
      List<ProcessHandle> engines =
          ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).toList();
      assertThat(relay.terminate().exitStatus()).isZero();
      assertThat(engines)
          .allSatisfy(engine -> assertThat(engine.onExit()).succeedsWithin(Duration.ofMinutes(2)));
    }
  }
}
