package gambit.app.server.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RestartDelayTest {
  private final PluginRunner.RestartDelay delay = new PluginRunner.RestartDelay();

  private List<Long> seconds(int failures) {
    return Stream.generate(() -> delay.afterFailure(Duration.ofSeconds(1)).toSeconds())
        .limit(failures)
        .toList();
  }

  @Test
  void firstRestartIsImmediateAndLaterOnesWaitTwiceAsLongEachTime() {
    assertThat(seconds(8)).containsExactly(0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L);
    assertThat(seconds(100)).containsOnly(30L);
  }

  @Test
  void failureAfterAGoodRunIsAFirstOne() {
    seconds(5);
    assertThat(delay.afterFailure(PluginRunner.RestartDelay.GOOD_RUN)).isZero();
    assertThat(seconds(1)).containsExactly(1L);
    delay.reset();
    assertThat(seconds(1)).containsExactly(0L);
  }
}
