package gambit.app.command.transfer;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import gambit.app.common.PrivateFile;
import gambit.app.tool.client.RelayFailure;
import gambit.core.model.Event;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Events that may be accepted once others are stored, in a temporary file: moves come before the
 * record of their game in most files. Thread-safe.
 */
final class PutAsideEvents implements AutoCloseable {
  @GuardedBy("this")
  private @Nullable Path file;

  @GuardedBy("this")
  private @Nullable DataOutputStream out;

  @GuardedBy("this")
  private long count;

  interface Receiver {
    boolean take(long line, byte[] json) throws RelayFailure, InterruptedException;
  }

  synchronized void add(long line, Event event) throws IOException {
    if (out == null) {
      file = Files.createTempDirectory("gambit-import").resolve("events");
      out =
          new DataOutputStream(
              new BufferedOutputStream(Channels.newOutputStream(PrivateFile.open(file))));
    }
    out.writeLong(line);
    out.writeInt(event.json().length);
    out.write(event.json());
    count++;
  }

  /** Passes on all events, until the receiver wants no more; none may be added any more. */
  void forEach(Receiver receiver) throws IOException, RelayFailure, InterruptedException {
    Path written;
    long left;
    synchronized (this) {
      if (out == null || file == null) {
        return;
      }
      out.flush();
      written = file;
      left = count;
    }
    try (DataInputStream in =
        new DataInputStream(new java.io.BufferedInputStream(Files.newInputStream(written)))) {
      boolean isWanted = true;
      for (; isWanted && left > 0; left--) {
        long line = in.readLong();
        isWanted = receiver.take(line, in.readNBytes(in.readInt()));
      }
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (out != null && file != null) {
      out.close();
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.toAbsolutePath().getParent());
    }
  }
}
