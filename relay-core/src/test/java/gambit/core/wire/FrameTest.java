package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;

class FrameTest {
  private static final FrameLabel LABEL = FrameLabel.subscription("a");

  @Test
  void frameKeepsTheBytesOfItsEventButNotTheEvent() {
    Event event = Keys.of("alice").sign(1, 1, new Tags(List.of(List.of("t", "x"))), "hello");
    String text = "[\"EVENT\",\"a\"," + event + "]";
    Frame frame = new RelayMessage.EventMessage(LABEL, event).frame();
    WeakReference<Event> gone = new WeakReference<>(event);
    event = null;
    await()
        .until(
            () -> {
              System.gc();
              return gone.refersTo(null);
            });
    assertThat(frame).hasToString(text);
  }
}
