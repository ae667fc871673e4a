package gambit.app.common;

import java.nio.charset.Charset;
import java.util.function.Consumer;

/**
 * Splits the output of a program into lines of limited length: of a longer line, the rest is
 * skipped. Confined to one thread.
 */
public final class LineSplitter {
  private final Charset charset;
  private final byte[] line;
  private int length;

  public LineSplitter(int maxLineBytes, Charset charset) {
    this.line = new byte[maxLineBytes];
    this.charset = charset;
  }

  /** Passes on each line that ends within the next bytes of output, without its end. */
  public void split(byte[] bytes, int count, Consumer<String> lines) {
    for (int i = 0; i < count; i++) {
      if (bytes[i] == '\n') {
        pass(lines);
      } else if (length < line.length) {
        line[length++] = bytes[i];
      }
    }
  }

  /** Passes on a last line that has no end. Called after the last bytes of output. */
  public void end(Consumer<String> lines) {
    if (length > 0) {
      pass(lines);
    }
  }

  private void pass(Consumer<String> lines) {
    String ended = new String(line, 0, length, charset);
    length = 0;
    lines.accept(ended);
  }
}
