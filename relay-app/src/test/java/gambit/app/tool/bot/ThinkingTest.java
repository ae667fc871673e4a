package gambit.app.tool.bot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ThinkingTest {

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aThreadWhoseTaskHasFailedGoesOnWithANewChooser(boolean isError) throws Exception {
    AtomicInteger choosers = new AtomicInteger();
    CompletableFuture<MoveChooser> failing = new CompletableFuture<>();
    CompletableFuture<MoveChooser> next = new CompletableFuture<>();
    try (Thinking thinking =
        new Thinking(
            1,
            10,
            () -> {
              choosers.incrementAndGet();
              return new MoveChooser.OwnEngine(new Random(1), () -> false);
            })) {
      thinking.submit(
          Duration.ZERO,
          chooser -> {
            failing.complete(chooser);
            if (isError) {
              throw new StackOverflowError();
            }
            throw new IllegalStateException();
          });
      thinking.submit(Duration.ofMinutes(1), next::complete);
      assertThat(next.get(2, TimeUnit.MINUTES)).isNotSameAs(failing.get(2, TimeUnit.MINUTES));
      assertThat(choosers).hasValue(2);
    }
  }
}
