package gambit.app.tool.play;

import org.jline.terminal.Terminal;
import org.jline.utils.AttributedStyle;
import org.jline.utils.InfoCmp.Capability;

/**
 * The abilities of a terminal: whether the board has colours and chess characters. Immutable.
 *
 * @param colours at least eight colours, and NO_COLOR is not set
 * @param rich at least 256 colours
 * @param unicode chess characters instead of letters
 */
record Palette(boolean colours, boolean rich, boolean unicode) {
  static Palette of(Terminal terminal, boolean ascii, String noColor) {
    Integer count = terminal.getNumericCapability(Capability.max_colors);
    boolean isDumb = terminal.getType().startsWith(Terminal.TYPE_DUMB);
    boolean isUtf8 = terminal.encoding().name().equals("UTF-8");
    int colours = isDumb || count == null || !noColor.isEmpty() ? 0 : count;
    return new Palette(colours >= 8, colours >= 256, isUtf8 && !ascii && !isDumb);
  }

  AttributedStyle square(boolean light, boolean marked, boolean white) {
    if (!colours) {
      return AttributedStyle.DEFAULT;
    } else if (!rich) {
      AttributedStyle style =
          AttributedStyle.DEFAULT.foreground(white ? AttributedStyle.WHITE : AttributedStyle.BLACK);
      int back =
          marked ? AttributedStyle.YELLOW : light ? AttributedStyle.CYAN : AttributedStyle.BLUE;
      return (white ? style.bold() : style).background(back);
    }
    int back = marked ? (light ? 143 : 136) : light ? 109 : 66;
    return AttributedStyle.DEFAULT.foreground(white ? 231 : 16).background(back).bold();
  }

  AttributedStyle faint() {
    return colours ? AttributedStyle.DEFAULT.faint() : AttributedStyle.DEFAULT;
  }

  AttributedStyle strong() {
    return colours ? AttributedStyle.DEFAULT.bold() : AttributedStyle.DEFAULT;
  }

  AttributedStyle alarm() {
    return colours
        ? AttributedStyle.DEFAULT.foreground(AttributedStyle.RED).bold()
        : AttributedStyle.DEFAULT;
  }
}
