package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SimultaneousGamesTest {
  private static final PubKey HOUSE = Keys.of("house").pubkey();
  private static final PubKey ALICE = Keys.of("alice").pubkey();

  @Test
  void theNamedPlayersHaveAMaximumOfTheirOwn() {
    ChessSettings settings =
        ChessSettings.DEFAULT.withSimultaneousGames(
            new SimultaneousGames(Set.of(HOUSE), SimultaneousGames.LIMIT));
    assertThat(settings.maxGamesOf(HOUSE)).isEqualTo(200);
    assertThat(settings.maxGamesOf(ALICE)).as("one live game and 50 slow ones").isEqualTo(51);
  }

  @Test
  void maximumIsBounded() {
    for (int max : new int[] {-1, 0, SimultaneousGames.LIMIT + 1}) {
      assertThatThrownBy(() -> new SimultaneousGames(Set.of(HOUSE), max))
          .hasMessage("max_games must be between 1 and 200");
    }
  }
}
