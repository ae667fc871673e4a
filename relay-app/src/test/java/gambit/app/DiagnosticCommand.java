package gambit.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A command that a Java process runs about itself, such as {@code GC.run}: by {@code jcmd}, and
 * from the second one on by the socket that Java on Linux then has, which needs no process.
 */
public final class DiagnosticCommand {
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private DiagnosticCommand() {}

  /** Whether this Java has the program; some have not. */
  public static boolean isAvailable() {
    return Files.isExecutable(JCMD);
  }

  /** Runs a command without arguments, and returns what the process answers. */
  public static String run(long pid, String command) throws IOException {
    Path socket = Path.of("/tmp/.java_pid" + pid);
    if (!Files.exists(socket)) {
      Process jcmd = new ProcessBuilder(JCMD.toString(), "" + pid, command).start();
      try (InputStream answer = jcmd.getInputStream()) {
        return read(answer);
      }
    }
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
      String request = "1\0jcmd\0" + command + "\0\0\0"; // version, operation, three arguments
      channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
      return read(Channels.newInputStream(channel));
    }
  }

  private static String read(InputStream answer) throws IOException {
    return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
  }
}
