package gambit.chess.session.lobby;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.TimeControl;
import gambit.chess.session.runtime.ColourNotifications;
import gambit.core.model.PubKey;
import gambit.core.testkit.Keys;
import org.junit.jupiter.api.Test;

class SearchQueuesTest {
  private static final long NOW = 1_772_389_805_000L;
  private static final TimeControl TIME = TimeControl.TEN_MINUTES_A_MOVE;

  private final SearchQueues queues = new SearchQueues();
  private final PubKey alice = Keys.of("alice").pubkey();
  private final PubKey bob = Keys.of("bob").pubkey();
  private final PubKey carol = Keys.of("carol").pubkey();

  @Test
  void searchesThatAreRestoredKeepTheirPlacesBeforeThoseThatBeganMeanwhile() {
    queues.add(carol, queues.last(TIME, none(), NOW));
    queues.add(bob, new SearchQueues.Search(TIME, none(), NOW - 1_000));
    queues.add(alice, new SearchQueues.Search(TIME, none(), NOW - 2_000));
    queues.sort(TIME);
    assertThat(queues.players(TIME)).containsExactly(alice, bob, carol);
  }

  @Test
  void laterSearchHasALaterPlaceAlsoIfTheClockIsSetBack() {
    long place = queues.last(TIME, none(), NOW).place();
    assertThat(queues.last(TIME, none(), NOW).place()).isGreaterThan(place);
    assertThat(queues.last(TIME, none(), 0).place()).isGreaterThan(place + 1);
    long end = queues.passPlaces(NOW + 5_000);
    assertThat(queues.last(TIME, none(), NOW + 5_000).place()).isGreaterThan(end);
  }

  private static ColourNotifications none() {
    return new ColourNotifications();
  }
}
