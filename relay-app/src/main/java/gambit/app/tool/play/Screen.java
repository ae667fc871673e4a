package gambit.app.tool.play;

import java.util.List;
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
}
