package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RelayEvents;
import gambit.chess.dialect.nip100.Nip100;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Positions;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MoveEventIds;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.EventId;
import gambit.core.testkit.Keys;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GamesOfPlayerTest {
  private final GameSession first = game("aa");
  private final GameSession second = game("bb");

  @Test
  void eventThatNamesNoGameIsAboutTheOnlyOne() {
    GamesOfPlayer one = GamesOfPlayer.NONE.with(first);
    assertThat(GamesOfPlayer.NONE.about(Optional.empty())).isNull();
    assertThat(one.about(Optional.empty())).isSameAs(first);
    assertThat(one.with(second).about(Optional.empty())).isNull();
    assertThat(one.with(second).without(first).about(Optional.empty())).isSameAs(second);
  }

  @Test
  void eventThatNamesAGameIsAboutThatGameOnly() {
    GamesOfPlayer both = GamesOfPlayer.NONE.with(first).with(second);
    assertThat(both.about(Optional.of("bb".repeat(32)))).isSameAs(second);
    assertThat(both.about(Optional.of("cc".repeat(32)))).isNull();
    assertThat(both.about(Optional.of("BB".repeat(32)))).isNull();
    assertThat(both.about(Optional.of("bb"))).isNull();
    assertThat(GamesOfPlayer.NONE.with(first).about(Optional.of("bb".repeat(32)))).isNull();
  }

  @Test
  void aGameIsCountedOnce() {
    GamesOfPlayer games = GamesOfPlayer.NONE.with(first).with(second).with(first);
    assertThat(games.all()).containsExactly(first, second);
    assertThat(games.without(first).without(second).isEmpty()).isTrue();
  }

  private static GameSession game(String id) {
    Nip100 dialect = new Nip100(new RelayEvents(Keys.of("relay"), "wss://relay.example/"));
    GameRef ref =
        new GameRef(
            EventId.ofHex(id.repeat(32)),
            new GameRef.Seat(Keys.of("alice").pubkey(), dialect),
            new GameRef.Seat(Keys.of("bob").pubkey(), dialect));
    OngoingGame start =
        OngoingGame.start(Positions.initial(), TimeControl.TEN_MINUTES_A_MOVE, 30_000, 200, 0);
    return new GameSession(
        ref,
        new GameSnapshot(start, MoveEventIds.NONE, null),
        new ColourNotifications(),
        new ColourNotifications(),
        false);
  }
}
