package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.limit.CurrentLimits;
import gambit.core.limit.LimitValues;
import gambit.core.limit.MemoryBound;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.net.ServerMetrics.CloseCause;
import gambit.core.session.Outbox;
import gambit.core.session.ReservedFrame;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestMetrics;
import gambit.core.testkit.TestTime;
import gambit.core.wire.Frame;
import gambit.core.wire.FrameLabel;
import gambit.core.wire.RelayMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The outbox of a channel whose socket the test makes writable or not. */
class WebSocketOutboxTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final MemoryBound all = new MemoryBound(10_000);
  private final WebSocketOutbox outbox = outbox();
  private final List<String> gone = new ArrayList<>();

  private final class Task implements Outbox.WaitingTask {
    private final String name;
    private boolean over;

    Task(String name) {
      this.name = name;
    }

    @Override
    public void resume() {
      gone.add(name);
    }

    @Override
    public boolean isCancelled() {
      return over;
    }
  }

  @Test
  void queuedFramesAreWrittenTogetherOnceTheSocketIsWritable() {
    socketTakes(false);
    outbox.send(new RelayMessage.Notice("one").frame());
    outbox.send(new RelayMessage.Notice("two").frame());
    channel.runPendingTasks();
    assertThat(channel.outboundMessages()).isEmpty();
    assertThat(outbox.heldBytes()).isPositive().isEqualTo(all.used());
    socketTakes(true);
    outbox.drain();
    ByteBuf written = channel.readOutbound();
    assertThat(written.toString(StandardCharsets.UTF_8))
        .contains("[\"NOTICE\",\"one\"]", "[\"NOTICE\",\"two\"]");
    written.release();
    assertThat(outbox.heldBytes()).isZero();
    assertThat(all.used()).isZero();
  }

  @Test
  void waitingPagesResumeWithRoomAndReleaseTheirBytesOnceClosed() {
    socketTakes(false);
    Task over = new Task("over");
    outbox.whenDrained(over);
    channel.runPendingTasks();
    over.over = true;
    outbox.whenDrained(new Task("needed"));
    channel.runPendingTasks();
    assertThat(gone).containsExactly("over");
    socketTakes(true);
    outbox.drain();
    assertThat(gone).containsExactly("over", "needed");
  }

  @Test
  void taskThatArrivesWhileOthersResumeWaitsForTheFramesBeforeIt() {
    List<Integer> written = new ArrayList<>();
    outbox.whenDrained(
        () -> {
          outbox.send(new RelayMessage.Notice("one").frame());
          outbox.whenDrained(() -> written.add(channel.outboundMessages().size()));
        });
    channel.runPendingTasks();
    assertThat(written).containsExactly(1);
    assertThat(channel.outboundMessages()).allMatch(it -> ((ByteBuf) it).release());
  }

  @Test
  void clientWithAFullOutboxIsDisconnectedAndReleasesAllBytes() {
    socketTakes(false);
    int sent = 0;
    while (channel.isOpen() && sent < 1000) {
      outbox.send(new RelayMessage.Notice("x".repeat(100)).frame());
      sent++;
    }
    assertThat(sent).isBetween(20, 40);
    outbox.close(CloseCause.CLIENT);
    assertThat(outbox.heldBytes()).isZero();
    assertThat(all.used()).isZero();
    assertThat(outbox.reserve(new RelayMessage.Notice("late").frame())).isNull();
  }

  @Test
  void eventIsCountedOncePerClientAndOnceForAll() {
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(1000));
    WebSocketOutbox other = outbox();
    socketTakes(false);
    outbox.send(found("a", event));
    long shared = event.json().length;
    long frame = all.used() - shared;
    assertThat(frame).isBetween(1L, 200L);
    outbox.send(found("b", event));
    outbox.send(found("c", event));
    other.send(found("d", event));
    assertThat(outbox.heldBytes()).isEqualTo(shared + 3 * frame);
    assertThat(other.heldBytes()).isEqualTo(shared + frame);
    assertThat(all.used()).isEqualTo(shared + 4 * frame);
    outbox.close(CloseCause.CLIENT);
    assertThat(all.used()).isEqualTo(shared + frame);
    other.close(CloseCause.CLIENT);
    assertThat(all.used()).isZero();
  }

  @Test
  void compressedFormOfQueuedEventsIsCounted() {
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(1000));
    ReservedFrame held = Objects.requireNonNull(outbox.reserve(found("a", event)));
    long plain = all.used();
    byte[] compressed = held.frame().compressedRest(Compression::deflate, all);
    assertThat(all.used()).isEqualTo(plain + compressed.length);
    outbox.unreserve(held);
    assertThat(all.used()).isZero();
  }

  @Test
  void closedOutboxIsForgottenOnceItHoldsNothing() {
    ReservedFrame held =
        Objects.requireNonNull(outbox.reserve(new RelayMessage.Notice("").frame()));
    outbox.close(CloseCause.CLIENT);
    assertThat(all.holders()).isEqualTo(1);
    outbox.unreserve(held);
    assertThat(all.holders()).isZero();
    WebSocketOutbox empty = outbox();
    assertThat(all.holders()).isEqualTo(1);
    empty.close(CloseCause.CLIENT);
    assertThat(all.holders()).isZero();
    WebSocketOutbox writing = outbox();
    writing.send(new RelayMessage.Notice("").frame());
    writing.close(CloseCause.CLIENT);
    assertThat(all.holders()).isZero();
  }

  @Test
  void frameBeyondTheBoundIsNotReservedAndItsEventNotHeld() {
    socketTakes(false);
    Event known = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(500));
    Event large = Keys.of("alice").sign(2, 1, Tags.NONE, "x".repeat(4_500));
    WebSocketOutbox other = outbox();
    other.send(found("a", large));
    long held = all.used();
    outbox.send(found("a", known));
    assertThat(outbox.reserve(found("a", large))).isNull();
    assertThat(channel.isOpen()).isFalse();
    outbox.close(CloseCause.CLIENT);
    assertThat(outbox.heldBytes()).isZero();
    assertThat(all.used()).isEqualTo(held);
  }

  @Test
  void queuedFrameIsWrittenWithTheNextOneThatIsSent() {
    outbox.queueReserved(
        Objects.requireNonNull(outbox.reserve(new RelayMessage.Notice("one").frame())));
    channel.runPendingTasks();
    assertThat(channel.outboundMessages()).isEmpty();
    outbox.send(new RelayMessage.Notice("two").frame());
    channel.runPendingTasks();
    assertThat(channel.outboundMessages()).hasSize(1).allMatch(it -> ((ByteBuf) it).release());
  }

  @Test
  void taskThatFindsRoomResumesWithoutATurnOfTheEventLoop() {
    outbox.whenRoomy(new Task("roomy"));
    assertThat(gone).containsExactly("roomy");
  }

  private WebSocketOutbox outbox() {
    return new WebSocketOutbox(
        channel,
        null,
        FrameEncoding.PLAIN,
        () -> 5_000,
        all,
        new TestTime(),
        new ServerMetrics(
            new TestMetrics(), new Clients(new CurrentLimits(LimitValues.DEFAULT)), all));
  }

  private static Frame found(String subscription, Event event) {
    return new RelayMessage.EventMessage(FrameLabel.subscription(subscription), event).frame();
  }

  private void socketTakes(boolean takes) {
    Objects.requireNonNull(channel.unsafe().outboundBuffer()).setUserDefinedWritability(1, takes);
  }
}
