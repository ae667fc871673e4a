package gambit.app.tool.play;

import java.util.List;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;

/**
 * The terminal: a picture, messages below it, and a line that the user edits. {@link #show} and
 * {@link #message} are called by one thread, {@link #readLine} by another.
 */
interface Screen extends AutoCloseable {

  /** Shows a picture instead of the last one; nothing happens if it is the same. */
  void show(List<AttributedString> picture);

  /** Shows a message of one line; it must be printable. */
  void message(String text);

  /** Waits for a line; JLine's exceptions report Ctrl-C, Ctrl-D and the end of the input. */
  String readLine();

  int columns();

  @Override
  void close();

  /**
   * A screen that prints line after line, for terminals that cannot move the cursor and for input
   * from a pipe. It prints a picture again only when the caller shows another one.
   */
  final class LineScreen implements Screen {
    private static final int COLUMNS = 80;

    private final Terminal terminal;
    private final LineReader reader;
    private List<AttributedString> shown = List.of();

    LineScreen(Terminal terminal, Completer completer) {
      this.terminal = terminal;
      this.reader =
          LineReaderBuilder.builder()
              .terminal(terminal)
              .completer(completer)
              .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
              .build();
    }

    @Override
    public void show(List<AttributedString> picture) {
      if (!picture.equals(shown)) {
        shown = List.copyOf(picture);
        for (AttributedString line : picture) {
          message(line.toString());
        }
      }
    }

    @Override
    public void message(String text) {
      terminal.writer().println(text);
      terminal.flush();
    }

    @Override
    public String readLine() {
      return reader.readLine();
    }

    @Override
    public int columns() {
      return terminal.getWidth() > 0 ? terminal.getWidth() : COLUMNS;
    }

    @Override
    public void close() {
      terminal.flush();
    }
  }
}
