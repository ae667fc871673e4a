package gambit.app.tool.play;

import java.util.List;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;

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
