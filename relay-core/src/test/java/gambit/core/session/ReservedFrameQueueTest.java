package gambit.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.AllocationLimit;
import gambit.core.wire.Frame;
import gambit.core.wire.RelayMessage;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReservedFrameQueueTest {
  private static final int THREADS = 4;
  private static final int FRAMES = 50_000;

  private final ReservedFrame.Queue queue = new ReservedFrame.Queue();

  private static ReservedFrame frame() {
    return new ReservedFrame(new RelayMessage.Notice("a frame").frame());
  }

  @Test
  void framesAreTakenInTheOrderInWhichTheyWereAdded() {
    List<ReservedFrame> all = IntStream.range(0, 6).mapToObj(i -> frame()).toList();
    all.subList(0, 3).forEach(queue::add);
    assertThat(queue.peek()).isSameAs(all.get(0));
    assertThat(queue.poll()).isSameAs(all.get(0));
    all.subList(3, 6).forEach(queue::add);
    for (ReservedFrame next : all.subList(1, 6)) {
      assertThat(queue.isEmpty()).isFalse();
      assertThat(queue.peek()).isSameAs(next);
      assertThat(queue.poll()).isSameAs(next);
      assertThat(next.next).as("a taken frame keeps no other reachable").isNull();
    }
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.poll()).isNull();
  }

  @Test
  void queueAllocatesNothing() {
    List<ReservedFrame> all = IntStream.range(0, 100).mapToObj(i -> frame()).toList();
    AllocationLimit.requireAtMost(
        200,
        () -> {
          for (int i = 0; i < all.size(); i++) {
            queue.add(all.get(i));
          }
          for (int i = 0; i < all.size(); i++) {
            queue.poll();
          }
          return queue;
        });
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void framesOfSeveralThreadsAllArriveEachInItsOrder() throws InterruptedException {
    Map<Frame, Integer> senders = new IdentityHashMap<>();
    List<List<ReservedFrame>> sent = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      Frame frame = frame().frame();
      senders.put(frame, i);
      sent.add(IntStream.range(0, FRAMES).mapToObj(n -> new ReservedFrame(frame)).toList());
    }
    List<Thread> threads =
        sent.stream().map(it -> new Thread(() -> it.forEach(queue::add))).toList();
    threads.forEach(Thread::start);
    int[] taken = new int[THREADS];
    for (int left = THREADS * FRAMES; left > 0; ) {
      ReservedFrame next = queue.poll();
      if (next == null) {
        Thread.yield();
        continue;
      }
      int sender = senders.get(next.frame());
      assertThat(next == sent.get(sender).get(taken[sender]++)).isTrue();
      left--;
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(queue.isEmpty()).isTrue();
  }
}
