package gambit.chess.engine.uci;

import org.teavm.interop.Export;
import org.teavm.interop.Import;

/**
 * The engine in a browser's worker, whose script gives it UCI lines and takes its answers one
 * character at a time, and lets it work in between: see {@code clients/web/src/engine/worker.ts}.
 */
public final class BrowserEngine {
  private static final Uci UCI =
      new Uci(System::currentTimeMillis, line -> (line + "\n").chars().forEach(it -> send(it)));

  private static final StringBuilder LINE = new StringBuilder();

  private BrowserEngine() {}

  /** Required by the compiler. */
  public static void main(String[] args) {}

  /** Takes the next character of a line, or its end. */
  @Export(name = "receive")
  public static void receive(int character) {
    if (character == '\n') {
      String line = LINE.toString();
      LINE.setLength(0);
      UCI.receive(line);
    } else {
      LINE.append((char) character);
    }
  }

  /** Searches one ply deeper; 0 if there is nothing to do before the next line. */
  @Export(name = "work")
  public static int work() {
    return UCI.work() ? 1 : 0;
  }

  @Import(module = "gambit", name = "send")
  private static native void send(int character);
}
