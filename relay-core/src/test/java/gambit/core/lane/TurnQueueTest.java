package gambit.core.lane;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class TurnQueueTest {
  private final List<String> done = new ArrayList<>(); // read after the lane has ended

  @Test
  void ownersTakeTurnsHoweverManyTasksOneOfThemHas() {
    CountDownLatch go = new CountDownLatch(1);
    try (Lane lane = lane(10)) {
      hold(lane, go);
      TurnQueue one = new TurnQueue(lane);
      TurnQueue other = new TurnQueue(lane);
      for (int i = 0; i < 4; i++) {
        String name = "one " + i;
        assertThat(one.submit(Set.of(), () -> done.add(name))).isTrue();
      }
      assertThat(other.submit(Set.of(), () -> done.add("other 0"))).isTrue();
      other.put(() -> done.add("other 1"));
      go.countDown();
      awaitQuiet(lane);
    }
    assertThat(done).containsExactly("one 0", "other 0", "one 1", "other 1", "one 2", "one 3");
  }

  @Test
  void taskThatQueuesItsNextTurnYieldsToOthersOfItsOwner() {
    CountDownLatch go = new CountDownLatch(1);
    try (Lane lane = lane(10)) {
      hold(lane, go);
      TurnQueue one = new TurnQueue(lane);
      one.put(
          () -> {
            done.add("long, first turn");
            one.put(() -> done.add("long, second turn"));
          });
      one.put(() -> done.add("short"));
      go.countDown();
      awaitQuiet(lane);
    }
    assertThat(done).containsExactly("long, first turn", "short", "long, second turn");
  }

  @Test
  void fullQueueRefusesNewOwnersAndAcceptsTasksOfQueuedOnes() {
    CountDownLatch go = new CountDownLatch(1);
    try (Lane lane = lane(1)) {
      hold(lane, go);
      TurnQueue one = new TurnQueue(lane);
      TurnQueue late = new TurnQueue(lane);
      assertThat(one.submit(Set.of(), () -> done.add("first"))).isTrue();
      assertThat(one.submit(Set.of(), () -> done.add("second"))).isTrue();
      assertThat(late.submit(Set.of(), () -> done.add("late"))).isFalse();
      go.countDown();
      awaitQuiet(lane);
      assertThat(late.submit(Set.of(), () -> done.add("again"))).isTrue();
      awaitQuiet(lane);
    }
    assertThat(done).containsExactly("first", "second", "again");
  }

  @Test
  void taskThatThrowsDoesNotStopTheNext() {
    try (Lane lane = lane(10)) {
      TurnQueue one = new TurnQueue(lane);
      one.put(
          () -> {
            throw new IllegalStateException("on purpose");
          });
      one.put(() -> done.add("next"));
      awaitQuiet(lane);
    }
    assertThat(done).containsExactly("next");
  }

  @Test
  void endedTaskIsReleasedBeforeItsTurn() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger ended = new AtomicInteger();
    try (Lane lane = lane(10)) {
      hold(lane, go);
      TurnQueue one = new TurnQueue(lane);
      for (int i = 0; i < 1_000; i++) {
        assertThat(ended).as("only the newest one waits").hasValue(Math.max(0, i - 1));
        AtomicBoolean over = new AtomicBoolean();
        one.submit(
            Set.of(),
            new TurnQueue.Task() {
              @Override
              public boolean isCancelled() {
                return over.get();
              }

              @Override
              public void run() {
                ended.incrementAndGet();
              }
            });
        over.set(true);
      }
      one.put(() -> done.add("still needed"));
      assertThat(ended).hasValue(1_000);
      go.countDown();
      awaitQuiet(lane);
    }
    assertThat(done).containsExactly("still needed");
  }

  @Test
  void taskThatHasEndedBeforeItIsQueuedIsReleasedAtOnce() {
    CountDownLatch go = new CountDownLatch(1);
    AtomicInteger released = new AtomicInteger();
    try (Lane lane = lane(10)) {
      hold(lane, go);
      TurnQueue one = new TurnQueue(lane);
      one.submit(Set.of(), ended(released));
      assertThat(released).hasValue(1);
      one.put(ended(released));
      assertThat(released).hasValue(2);
      go.countDown();
      awaitQuiet(lane);
    }
    assertThat(released).hasValue(2);
  }

  private static TurnQueue.Task ended(AtomicInteger released) {
    return new TurnQueue.Task() {
      @Override
      public boolean isCancelled() {
        return true;
      }

      @Override
      public void run() {
        released.incrementAndGet();
      }
    };
  }

  private static Lane lane(int capacity) {
    return new Lane(
        "test",
        capacity,
        new TestMetrics(),
        death -> {
          throw new AssertionError(death);
        });
  }

  /** Keeps the lane busy until it may go. */
  private static void hold(Lane lane, CountDownLatch go) {
    CountDownLatch held = new CountDownLatch(1);
    lane.put(
        () -> {
          held.countDown();
          await(go);
        });
    await(held);
  }

  /** Waits until the lane is empty: each turn queues at most one other. */
  private static void awaitQuiet(Lane lane) {
    for (int i = 0; i < 20; i++) {
      CountDownLatch here = new CountDownLatch(1);
      lane.put(here::countDown);
      await(here);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
