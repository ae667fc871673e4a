package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunningGamesTest {
  private final GameSession first = game("aa");
  private final GameSession second = game("bb");
  private final GameSession slow = game("dd", TimeControl.UNTIMED);

  @Test
  void eventThatNamesNoGameIsAboutTheOnlyOne() {
    assertThat(GameSession.about(List.of(), event(Optional.empty()))).isNull();
    assertThat(GameSession.about(List.of(first), event(Optional.empty()))).isSameAs(first);
    assertThat(GameSession.about(List.of(first, second), event(Optional.empty()))).isNull();
  }

  @Test
  void eventThatNamesAGameIsAboutThatGameOnly() {
    List<GameSession> both = List.of(first, second);
    assertThat(GameSession.about(both, event(Optional.of("bb".repeat(32))))).isSameAs(second);
    assertThat(GameSession.about(both, event(Optional.of("cc".repeat(32))))).isNull();
    assertThat(GameSession.about(both, event(Optional.of("BB".repeat(32))))).isNull();
    assertThat(GameSession.about(both, event(Optional.of("bb")))).isNull();
    assertThat(GameSession.about(List.of(first), event(Optional.of("bb".repeat(32))))).isNull();
  }

  @Test
  void aGameIsCountedOnce() {
    List<GameSession> games = RunningGames.with(RunningGames.with(List.of(first), second), first);
    assertThat(games).containsExactly(first, second);
    assertThat(RunningGames.without(games, first)).containsExactly(second);
  }

  @Test
  void eventThatNamesNoGameIsAboutTheLiveOneElseTheOnlySlowOne() {
    PlayerEvent unnamed = event(Optional.empty());
    assertThat(GameSession.about(List.of(slow), unnamed)).isSameAs(slow);
    assertThat(GameSession.about(List.of(slow, first, slow), unnamed)).isSameAs(first);
    assertThat(GameSession.about(List.of(slow, slow), unnamed)).isNull();
  }

  private static PlayerEvent event(Optional<String> named) {
    List<List<String>> tags = named.map(id -> List.of(List.of("e", id))).orElse(List.of());
    RefereeEvents relay = new RefereeEvents(Keys.of("relay"), "wss://relay.example/");
    return new Nip100(relay).read(Keys.of("alice").sign(1, 5003, new Tags(tags), "resign"));
  }

  private static GameSession game(String id) {
    return game(id, TimeControl.TEN_MINUTES_A_MOVE);
  }

  private static GameSession game(String id, TimeControl time) {
    Nip100 dialect = new Nip100(new RefereeEvents(Keys.of("relay"), "wss://relay.example/"));
    GameRef ref =
        new GameRef(
            EventId.ofHex(id.repeat(32)),
            new GameRef.Seat(Keys.of("alice").pubkey(), dialect),
            new GameRef.Seat(Keys.of("bob").pubkey(), dialect),
            time.isSlow(),
            null);
    OngoingGame start = OngoingGame.start(Position.initial(), time, 30_000, 200, 0);
    return new GameSession(
        ref,
        new GameSnapshot(start, List.of(), null),
        new ColourNotifications(),
        new ColourNotifications(),
        List.of());
  }
}
