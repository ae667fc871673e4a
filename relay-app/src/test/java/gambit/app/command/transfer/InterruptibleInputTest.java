package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.SequenceInputStream;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InterruptibleInputTest {
  @Test
  void bytesOfTheInputAreReadUnchangedUpToItsEnd() throws IOException {
    byte[] bytes = new byte[1_000_000];
    new Random(1).nextBytes(bytes);
    try (InputStream in = new InterruptibleInput(new ByteArrayInputStream(bytes), () -> false)) {
      assertThat(in.read()).isEqualTo(bytes[0] & 0xff);
      byte[] others = in.readAllBytes();
      assertThat(others).hasSize(bytes.length - 1).endsWith(bytes[bytes.length - 1]);
      assertThat(bytes).endsWith(others);
      assertThat(in.read()).isEqualTo(-1);
    }
  }

  @Test
  void failureOfTheInputComesAfterTheBytesBeforeIt() throws IOException {
    InputStream failing =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("broken");
          }
        };
    InputStream source = new SequenceInputStream(new ByteArrayInputStream(new byte[] {7}), failing);
    try (InputStream in = new InterruptibleInput(source, () -> false)) {
      assertThat(in.read()).isEqualTo(7);
      assertThatThrownBy(in::read).isInstanceOf(IOException.class).hasMessage("broken");
    }
  }

  @Test
  void idleInputEndsWhenTheCommandIsToEnd() throws IOException {
    AtomicBoolean isStopping = new AtomicBoolean();
    try (PipedOutputStream writer = new PipedOutputStream();
        InputStream in = new InterruptibleInput(new PipedInputStream(writer), isStopping::get)) {
      writer.write(7);
      writer.flush();
      assertThat(in.read()).isEqualTo(7);
      isStopping.set(true);
      assertThat(in.read()).isEqualTo(-1);
    }
  }
}
