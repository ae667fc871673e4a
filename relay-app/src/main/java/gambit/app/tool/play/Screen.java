package gambit.app.tool.play;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.impl.LineReaderImpl;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.InfoCmp.Capability;

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

  /**
   * A screen that redraws itself: picture and messages are the prompt above the line that is
   * edited, so that the line reader keeps all of them on the screen, whatever its size. The number
   * of messages shown depends on the height. A picture that comes before a line is read is drawn
   * with the next one.
   */
  final class FullScreen implements Screen {
    private static final int MAX_MESSAGES = 100;

    /** The lines below the prompt that are left for completions. */
    private static final int FREE_LINES = 4;

    private static final int MIN_MESSAGES = 2;
    private static final String REDRAW = "gambit-redraw";
    private static final String PROMPT = "> ";

    private final Terminal terminal;
    private final LineReaderImpl reader;
    private final Deque<String> messages = new ArrayDeque<>();
    private volatile List<AttributedString> picture = List.of();
    private Size drawnSize;
    private volatile String prompt = PROMPT;

    FullScreen(Terminal terminal, Completer completer) {
      this.terminal = terminal;
      this.drawnSize = terminal.getSize();
      try {
        this.reader = new LineReaderImpl(terminal, "gambit");
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      reader.setCompleter(completer);
      reader.setOpt(LineReader.Option.ERASE_LINE_ON_FINISH);
      reader.setOpt(LineReader.Option.DISABLE_EVENT_EXPANSION);
      reader.unsetOpt(LineReader.Option.INSERT_TAB);
      reader.setVariable(LineReader.BELL_STYLE, "none");
      reader.getWidgets().put(REDRAW, this::redrawLocked);
      terminal.puts(Capability.enter_ca_mode);
      terminal.puts(Capability.clear_screen);
      terminal.flush();
    }

    @Override
    public void show(List<AttributedString> next) {
      picture = List.copyOf(next);
      redraw();
    }

    @Override
    public void message(String text) {
      messages.add(text);
      if (messages.size() > MAX_MESSAGES) {
        messages.remove();
      }
      redraw();
    }

    private void redraw() {
      AttributedStringBuilder text = new AttributedStringBuilder();
      int columns = Math.max(1, columns() - 1);
      for (AttributedString line : lines(columns)) {
        text.append(line.columnSubSequence(0, columns)).append("\n");
      }
      prompt = text.append(PROMPT).toAnsi(terminal);
      try {
        reader.callWidget(REDRAW);
      } catch (IllegalStateException e) {
        // No line is being read.
      }
    }

    /** Runs under the reader's lock. */
    private boolean redrawLocked() {
      Size now = terminal.getSize();
      boolean isResized = !now.equals(drawnSize);
      drawnSize = now;
      reader.setPrompt(prompt);
      if (isResized) {
        reader.clearScreen(); // a terminal wraps the lines of the old picture
      } else {
        reader.redisplay();
      }
      return true;
    }

    private List<AttributedString> lines(int columns) {
      int rows = terminal.getHeight();
      int room = Math.max(MIN_MESSAGES, rows - picture.size() - FREE_LINES - 1);
      List<AttributedString> lines = new ArrayList<>(picture);
      List<String> last = new ArrayList<>();
      messages.forEach(message -> last.addAll(wrapped(message, columns)));
      last.subList(Math.max(0, last.size() - room), last.size())
          .forEach(line -> lines.add(new AttributedString(line)));
      // In a window that is too small, the end is shown: the player's own side and the messages.
      return lines.subList(Math.max(0, lines.size() - Math.max(1, rows - 1)), lines.size());
    }

    /** The lines of a message, broken between words where possible. */
    static List<String> wrapped(String message, int columns) {
      List<String> lines = new ArrayList<>();
      String rest = message;
      while (new AttributedString(rest).columnLength() > columns) {
        String fitting = new AttributedString(rest).columnSubSequence(0, columns).toString();
        int length = Math.max(1, fitting.length());
        int blank = rest.lastIndexOf(' ', length);
        int end = blank > columns / 3 ? blank : length;
        lines.add(rest.substring(0, end));
        rest = rest.substring(end).stripLeading();
      }
      if (lines.isEmpty() || !rest.isEmpty()) {
        lines.add(rest);
      }
      return lines;
    }

    @Override
    public String readLine() {
      return reader.readLine(prompt);
    }

    @Override
    public int columns() {
      return terminal.getWidth();
    }

    @Override
    public void close() {
      terminal.puts(Capability.clear_screen);
      terminal.puts(Capability.exit_ca_mode);
      terminal.flush();
      picture.forEach(line -> terminal.writer().println(line.toAnsi(terminal)));
      terminal.flush();
    }
  }
}
