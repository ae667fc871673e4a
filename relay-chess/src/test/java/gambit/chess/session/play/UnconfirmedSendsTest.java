package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnconfirmedSendsTest {
  private final ReturningPlayers.UnconfirmedSends<String> sends =
      new ReturningPlayers.UnconfirmedSends<>();
  private final List<String> repeated = new ArrayList<>();

  @Test
  void anItemIsSentOnceUntilTheResultIsKnown() {
    assertThat(begin("game", "first")).isTrue();
    assertThat(begin("game", "second")).isFalse();
    assertThat(begin("ending", "third")).as("another item").isTrue();
    sends.end("game", true);
    assertThat(repeated).as("it has arrived").isEmpty();
    assertThat(begin("game", "fourth")).isTrue();
  }

  @Test
  void aSendThatReachedNobodyIsRepeatedWhereItWasLastWantedAgain() {
    begin("game", "first");
    begin("game", "second");
    begin("game", "third");
    sends.end("game", false);
    assertThat(repeated).containsExactly("third");
    assertThat(begin("game", "fourth")).as("nothing is unconfirmed").isTrue();
  }

  @Test
  void aSendThatReachedNobodyAndIsNotWantedAgainIsNotRepeated() {
    begin("game", "first");
    sends.end("game", false);
    assertThat(repeated).isEmpty();
  }

  private boolean begin(String item, String again) {
    return sends.begin(item, () -> repeated.add(again));
  }
}
