package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.nip100.Nip100;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MoveEventIds;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.EventId;
import gambit.core.testkit.Keys;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RunningGamesTest {
  private final GameSession first = game("aa");
  private final GameSession second = game("bb");

  @Test
  void eventThatNamesNoGameIsAboutTheOnlyOne() {
    assertThat(GameSession.about(List.of(), Optional.empty())).isNull();
    assertThat(GameSession.about(List.of(first), Optional.empty())).isSameAs(first);
    assertThat(GameSession.about(List.of(first, second), Optional.empty())).isNull();
  }

  @Test
  void eventThatNamesAGameIsAboutThatGameOnly() {
    List<GameSession> both = List.of(first, second);
    assertThat(GameSession.about(both, Optional.of("bb".repeat(32)))).isSameAs(second);
    assertThat(GameSession.about(both, Optional.of("cc".repeat(32)))).isNull();
    assertThat(GameSession.about(both, Optional.of("BB".repeat(32)))).isNull();
    assertThat(GameSession.about(both, Optional.of("bb"))).isNull();
    assertThat(GameSession.about(List.of(first), Optional.of("bb".repeat(32)))).isNull();
  }

  @Test
  void aGameIsCountedOnce() {
    List<GameSession> games = RunningGames.with(RunningGames.with(List.of(first), second), first);
    assertThat(games).containsExactly(first, second);
    assertThat(RunningGames.without(games, first)).containsExactly(second);
  }

  private static GameSession game(String id) {
    Nip100 dialect = new Nip100(new RefereeEvents(Keys.of("relay"), "wss://relay.example/"));
    GameRef ref =
        new GameRef(
            EventId.ofHex(id.repeat(32)),
            new GameRef.Seat(Keys.of("alice").pubkey(), dialect),
            new GameRef.Seat(Keys.of("bob").pubkey(), dialect));
    OngoingGame start =
        OngoingGame.start(Position.initial(), TimeControl.TEN_MINUTES_A_MOVE, 30_000, 200, 0);
    return new GameSession(
        ref,
        new GameSnapshot(start, MoveEventIds.NONE, null),
        new ColourNotifications(),
        new ColourNotifications(),
        false);
  }
}
