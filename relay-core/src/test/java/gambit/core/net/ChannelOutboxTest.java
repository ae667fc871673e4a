package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.session.Outbox;
import gambit.core.session.SharedBound;
import gambit.core.wire.RelayMessage;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The outbox of a channel whose socket is opened and closed by hand. */
class ChannelOutboxTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final SharedBound all = new SharedBound(10_000);
  private final ChannelOutbox outbox = new ChannelOutbox(channel, Frames.PLAIN, 5_000, all);
  private final List<String> gone = new ArrayList<>();

  private final class Task implements Outbox.Waiting {
    private final String name;
    private boolean over;

    Task(String name) {
      this.name = name;
    }

    @Override
    public void goOn() {
      gone.add(name);
    }

    @Override
    public boolean isOver() {
      return over;
    }
  }

  @Test
  void framesThatWaitAreWrittenInOneGoWhenTheSocketTakesThem() {
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
  void whatWaitsForRoomGoesOnThenAndWhatIsOverAtOnceToGiveBackWhatItHolds() {
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
  void aClientForWhichTooMuchWaitsIsDisconnectedAndGivesEverythingBack() {
    socketTakes(false);
    int sent = 0;
    while (channel.isOpen() && sent < 1000) {
      outbox.send(new RelayMessage.Notice("x".repeat(100)).frame());
      sent++;
    }
    assertThat(sent).isBetween(20, 40);
    outbox.close(Ending.CLIENT);
    assertThat(outbox.heldBytes()).isZero();
    assertThat(all.used()).isZero();
    assertThat(outbox.reserve(new RelayMessage.Notice("late").frame())).isFalse();
  }

  private void socketTakes(boolean takes) {
    Objects.requireNonNull(channel.unsafe().outboundBuffer()).setUserDefinedWritability(1, takes);
  }
}
