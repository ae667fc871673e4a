package gambit.core.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.testkit.TestMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTest {
  private final CompletableFuture<Throwable> death = new CompletableFuture<>();
  private final TestMetrics metrics = new TestMetrics();

  @Test
  void tasksRunOneAtATimeInOrderOfSubmission() {
    List<Integer> done = new ArrayList<>(); // read after the lane has ended
    try (Lane lane = new Lane("test", 1000, metrics, death::complete)) {
      for (int i = 0; i < 1000; i++) {
        int number = i;
        assertThat(lane.submit(() -> done.add(number))).isTrue();
      }
    }
    assertThat(done).isEqualTo(IntStream.range(0, 1000).boxed().toList());
  }

  @Test
  void tasksBeyondTheBoundAreRefusedAndContinuationsAreAccepted() throws InterruptedException {
    List<String> done = new ArrayList<>();
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    try (Lane lane = new Lane("test", 2, metrics, death::complete)) {
      lane.put(
          () -> {
            busy.countDown();
            try {
              assertThat(goOn.await(2, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          });
      assertThat(busy.await(2, TimeUnit.MINUTES)).isTrue();
      assertThat(lane.submit(() -> done.add("first"))).isTrue();
      assertThat(lane.submit(() -> done.add("second"))).isTrue();
      assertThat(lane.submit(() -> done.add("too many"))).isFalse();
      lane.put(() -> done.add("continuation"));
      goOn.countDown();
    }
    assertThat(done).containsExactly("first", "second", "continuation");
  }

  @Test
  void ownerThatFillsItsShareOfTheInboxLeavesRoomForOthers() {
    Lane lane = Lane.withoutThread("test", 100, metrics);
    int accepted = 0;
    while (lane.submit(Set.of("greedy"), () -> {})) {
      accepted++;
    }
    assertThat(accepted).isEqualTo(50);
    for (int i = 0; i < 20; i++) {
      assertThat(lane.submit(Set.of("modest " + i), () -> {})).isTrue();
    }
    assertThat(lane.submit(Set.of("modest 21", "greedy"), () -> {})).isFalse();
    while (lane.runNext()) {
      // until the inbox is empty
    }
    assertThat(lane.submit(Set.of("greedy"), () -> {})).isTrue();
  }

  @Test
  void waitOfEachTaskIsRecordedUnderTheNameOfTheLane() {
    try (Lane lane = new Lane("test", 10, metrics, death::complete)) {
      lane.submit(() -> {});
      lane.put(() -> {});
    } // its end is the third task
    assertThat(metrics.read("lane_wait_seconds_count{lane=test}")).isEqualTo(3);
  }

  @Test
  void taskThatThrowsDoesNotStopTheLane() {
    List<String> done = new ArrayList<>();
    try (Lane lane = new Lane("test", 10, metrics, death::complete)) {
      lane.submit(
          () -> {
            throw new IllegalStateException("a bug, on purpose");
          });
      lane.submit(() -> done.add("next"));
    }
    assertThat(done).containsExactly("next");
    assertThat(death).isNotDone();
  }

  @Test
  void errorEndsTheLaneAndIsReported() {
    OutOfMemoryError error = new OutOfMemoryError("on purpose");
    try (Lane lane = new Lane("test", 10, metrics, death::complete)) {
      lane.submit(
          () -> {
            throw error;
          });
      assertThat(death).succeedsWithin(Duration.ofMinutes(2)).isSameAs(error);
    }
  }

  @Test
  void laneIsCurrentOnlyInItsTasks() {
    try (Lane lane = new Lane("test", 10, metrics, death::complete);
        Lane other = new Lane("other", 10, metrics, death::complete)) {
      assertThatThrownBy(lane::assertCurrent).isInstanceOf(IllegalStateException.class);
      assertThat(CompletableFuture.runAsync(lane::assertCurrent, lane::put))
          .succeedsWithin(Duration.ofMinutes(2));
      assertThat(CompletableFuture.runAsync(lane::assertCurrent, other::put))
          .failsWithin(Duration.ofMinutes(2))
          .withThrowableThat()
          .withMessageContaining("on other instead of test");
    }
  }
}
