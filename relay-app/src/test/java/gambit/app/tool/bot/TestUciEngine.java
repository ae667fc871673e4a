package gambit.app.tool.bot;

import java.nio.file.Path;
import java.util.List;

/**
 * A UCI engine for tests, a script of the shell. It moves its queen's knight there and back, or
 * behaves as wrongly as its argument says.
 */
public final class TestUciEngine {

  /** What the engine does. */
  public enum Behaviour {
    CORRECT,
    /** Ends at once. */
    ENDS_AT_START,
    /** Reads, and never writes. */
    SILENT,
    /** Never answers {@code go}. */
    SILENT_AT_GO,
    /** Ends when it is to move. */
    ENDS_AT_GO,
    /** Closes its output when it is to move, and stays. */
    CLOSES_OUTPUT_AT_GO,
    /** Moves a piece that is not there. */
    ILLEGAL_MOVE,
    /** Moves no piece, as engines do in finished positions. */
    NO_MOVE,
    /** Answers with words that are no move. */
    WRONG_MOVE,
    /** Writes noise of all bytes, and empty and misplaced lines, around correct answers. */
    NOISE,
    /** Separates words by tabs. */
    TABS,
    /** Answers {@code go} twice. */
    SECOND_ANSWER,
    /** Writes each byte alone. */
    PIECEMEAL,
    /** Writes a line that does not end. */
    ENDLESS_LINE,
    /** Writes lines without end. */
    ENDLESS_LINES,
    /** Writes without end to its standard error, and plays correctly. */
    NOISY_ERRORS,
    /** Plays correctly, and does not end when it is told to quit. */
    STAYS
  }

  private static final Path SCRIPT =
      Path.of("src/test/resources/gambit/app/tool/bot/engine.sh").toAbsolutePath();

  private TestUciEngine() {}

  /** The command that starts this engine. */
  public static List<String> command(Behaviour behaviour) {
    return List.of(SCRIPT.toString(), behaviour.name());
  }
}
