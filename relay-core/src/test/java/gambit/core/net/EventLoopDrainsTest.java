package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import gambit.core.lane.Lane;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.session.Outbox;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestMetrics;
import gambit.core.wire.Frame;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.RelayMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.local.LocalChannel;
import io.netty.channel.local.LocalIoHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * How often event loops are woken, and channels written to, when one task sends to many clients.
 */
class EventLoopDrainsTest {
  private static final int LOOPS = 2;
  private static final int CLIENTS = 100;
  private static final int FRAMES = 16;
  private static final int MAX_ALLOCATED = 105;

  private final List<Throwable> deaths = new ArrayList<>();
  private final EventLoops loops =
      new EventLoops("test-loop", LOOPS, LocalIoHandler.newFactory(), deaths::add);
  private final Lane lane = new Lane("test-lane", 10, new TestMetrics(), deaths::add);
  private final MemoryBound all = new MemoryBound(10_000_000);
  private final TestMetrics recorded = new TestMetrics();
  private final ServerMetrics metrics =
      new ServerMetrics(recorded, new Clients(new CurrentLimits(LimitValues.DEFAULT)), all);
  private final List<Client> clients =
      IntStream.range(0, CLIENTS).mapToObj(i -> new Client()).toList();

  @AfterEach
  void end() {
    lane.close();
    loops.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly();
    assertThat(deaths).isEmpty();
  }

  /** Counts what its outbox does to its channel, which takes everything. */
  private final class Client extends ChannelOutboundHandlerAdapter {
    private final WebSocketOutbox outbox;
    private int writes;
    private int flushes;
    private long bytes;

    Client() {
      LocalChannel channel = new LocalChannel();
      loops.register(channel).syncUninterruptibly();
      channel.pipeline().addLast(this);
      outbox =
          new WebSocketOutbox(
              channel,
              null,
              FrameEncoding.PLAIN,
              () -> 1_000_000,
              all,
              InstantSource.system(),
              metrics);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise written) {
      writes++;
      bytes += ((ByteBuf) message).readableBytes();
      ReferenceCountUtil.release(message);
      written.setSuccess();
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
      flushes++;
    }
  }

  @Test
  void taskThatSendsManyFramesToManyClientsCausesOneTaskALoopAndOneWriteAClient() throws Exception {
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(280));
    CountDownLatch sent = new CountDownLatch(1);
    occupyLoopsUntil(sent);
    onLane(
        () -> {
          for (int i = 0; i < FRAMES; i++) {
            clients.forEach(client -> client.outbox.send(found(event)));
          }
          assertThat(pendingTasks()).isZero(); // they are not woken yet
        });
    assertThat(pendingTasks()).isEqualTo(LOOPS);
    sent.countDown();
    awaitLoops();
    assertThat(recorded.read("event_loop_wait_seconds_count")).isEqualTo(LOOPS);
    int length = found(event).length() + 4; // with the head of a frame
    assertThat(clients)
        .allSatisfy(
            client -> {
              assertThat(client.writes).isEqualTo(1);
              assertThat(client.flushes).isEqualTo(1);
              assertThat(client.bytes).isEqualTo((long) FRAMES * length);
            });
    assertThat(all.used()).isZero();
  }

  /** Those that report when an event was handed to the socket, for example. */
  @Test
  void tasksThatWaitForOutputCauseNoFurtherTaskAndRunAfterTheWrites() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    occupyLoopsUntil(sent);
    List<Integer> flushesBefore = new CopyOnWriteArrayList<>();
    onLane(
        () -> {
          for (Client client : clients) {
            client.outbox.send(new RelayMessage.Notice("one").frame());
            client.outbox.whenDrained(new Report(() -> flushesBefore.add(client.flushes)));
          }
          assertThat(pendingTasks()).isZero();
        });
    assertThat(pendingTasks()).isEqualTo(LOOPS);
    sent.countDown();
    awaitLoops();
    assertThat(flushesBefore).hasSize(CLIENTS).containsOnly(1);
    assertThat(recorded.read("event_loop_wait_seconds_count")).isEqualTo(LOOPS);
  }

  private record Report(Runnable whenDrained) implements Outbox.WaitingTask {
    @Override
    public void resume() {
      whenDrained.run();
    }

    @Override
    public boolean isCancelled() {
      return false;
    }
  }

  @Test
  void answerOfManyEventsIsWrittenInFullBuffersAndFewFlushes() throws Exception {
    int events = 500;
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(280));
    Client client = clients.get(0);
    onLane(
        () -> {
          for (int i = 0; i < events; i++) {
            client.outbox.queueReserved(
                Objects.requireNonNull(client.outbox.reserve(found(event))));
          }
          client.outbox.flush();
        });
    awaitLoops();
    awaitLoops(); // a turn of the loop ends after 256 KB
    long bytes = (long) events * (found(event).length() + 4);
    assertThat(client.bytes).isEqualTo(bytes);
    assertThat(client.writes).isLessThanOrEqualTo((int) (bytes / (31 * 1024)) + 2);
    assertThat(client.flushes).isLessThanOrEqualTo(2);
  }

  /** The frame, its place in the queue, and its part of a buffer's objects. */
  @Test
  void deliveryOfAnEventAllocatesLittle() throws Exception {
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(280));
    FrameLabel label = FrameLabel.subscription("s");
    Runnable sending =
        () -> {
          for (int i = 0; i < FRAMES; i++) {
            for (Client client : clients) {
              client.outbox.send(label.frame(event));
            }
          }
        };
    long[] threads = threads();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) { // the first ones load classes and fill pools
      CountDownLatch sent = new CountDownLatch(1);
      occupyLoopsUntil(sent);
      long before = allocated(threads);
      onLane(sending);
      sent.countDown();
      awaitLoops();
      least = Math.min(least, allocated(threads) - before);
    }
    assertThat(least / (FRAMES * CLIENTS))
        .as("bytes allocated for each delivery")
        .isLessThanOrEqualTo(MAX_ALLOCATED);
  }

  /** The threads of the lane and of the loops. */
  private long[] threads() throws Exception {
    List<Long> ids = new ArrayList<>();
    onLane(() -> ids.add(Thread.currentThread().getId()));
    for (EventExecutor loop : loops) {
      ids.add(loop.submit(() -> Thread.currentThread().getId()).get(2, TimeUnit.MINUTES));
    }
    return ids.stream().mapToLong(id -> id).toArray();
  }

  private static long allocated(long[] threads) {
    ThreadMXBean counters = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    return LongStream.of(counters.getThreadAllocatedBytes(threads)).sum();
  }

  /** Otherwise what one task sends to very many clients would wait for its end. */
  @Test
  void longTaskWakesTheLoopsBeforeItsEnd() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    occupyLoopsUntil(sent);
    Runnable wakeUp = () -> clients.get(0).outbox.send(new RelayMessage.Notice("one").frame());
    onLane(
        () -> {
          for (int i = 0; i < 4095; i++) {
            Lane.wake(wakeUp);
          }
          assertThat(clients.get(0).outbox.heldBytes()).isZero();
          Lane.wake(wakeUp);
          assertThat(clients.get(0).outbox.heldBytes()).isPositive();
        });
    sent.countDown();
    awaitLoops();
    assertThat(clients.get(0).writes).isEqualTo(1);
  }

  /** A task that fails has sent frames before. */
  @Test
  void framesOfATaskThatFailsAreWritten() throws Exception {
    lane.put(
        () ->
            lane.gatherWakeUps(
                () -> {
                  clients.get(1).outbox.send(new RelayMessage.Notice("one").frame());
                  throw new IllegalStateException("a bug on purpose");
                }));
    onLane(() -> {});
    awaitLoops();
    assertThat(clients.get(1).writes).isEqualTo(1);
  }

  private void onLane(Runnable task) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lane.put(
        () -> {
          try {
            lane.gatherWakeUps(task);
            done.complete(null);
          } catch (Throwable e) {
            done.completeExceptionally(e);
          }
        });
    done.get(2, TimeUnit.MINUTES);
    CompletableFuture<Void> after = new CompletableFuture<>();
    lane.put(() -> after.complete(null));
    after.get(2, TimeUnit.MINUTES); // what follows the task is over, too
  }

  private void occupyLoopsUntil(CountDownLatch latch) throws Exception {
    CountDownLatch occupied = new CountDownLatch(LOOPS);
    for (EventExecutor loop : loops) {
      loop.execute(
          () -> {
            occupied.countDown();
            try {
              latch.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    assertThat(occupied.await(2, TimeUnit.MINUTES)).isTrue();
  }

  private int pendingTasks() {
    int pending = 0;
    for (EventExecutor loop : loops) {
      pending += ((SingleThreadEventExecutor) loop).pendingTasks();
    }
    return pending;
  }

  private void awaitLoops() throws Exception {
    for (EventExecutor loop : loops) {
      loop.submit(() -> {}).get(2, TimeUnit.MINUTES);
    }
  }

  private static Frame found(Event event) {
    return new RelayMessage.EventMessage(FrameLabel.subscription("s"), event).frame();
  }
}
