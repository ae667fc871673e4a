package gambit.app.tool.bot;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A UCI engine for tests, run in a process of its own. It plays the legal move that comes first in
 * the alphabet, or behaves as wrongly as its argument says.
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

  private final Behaviour behaviour;
  private final PrintStream out;
  private Position position = Position.initial();

  private TestUciEngine(Behaviour behaviour) {
    this.behaviour = behaviour;
    this.out = System.out;
  }

  /** The command that starts this engine. */
  public static List<String> command(Behaviour behaviour) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xmx64m",
        "-cp",
        classes(TestUciEngine.class) + ":" + classes(Position.class),
        TestUciEngine.class.getName(),
        behaviour.name());
  }

  private static String classes(Class<?> type) {
    return Path.of(URI.create(type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    new TestUciEngine(Behaviour.valueOf(arguments[0])).run();
  }

  private void run() throws IOException, InterruptedException {
    if (behaviour == Behaviour.ENDS_AT_START) {
      System.exit(3);
    } else if (behaviour == Behaviour.NOISY_ERRORS) {
      Thread noise =
          new Thread(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  System.err.println("bestmove a1a1 bestmove a1a1 bestmove a1a1");
                }
              });
      noise.setDaemon(true);
      noise.start();
    }
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      handle(line);
    }
    stayIfTold();
  }

  private void stayIfTold() throws InterruptedException {
    if (behaviour == Behaviour.STAYS) {
      new CountDownLatch(1).await();
    }
  }

  private void handle(String line) throws InterruptedException {
    if (behaviour == Behaviour.SILENT) {
      return;
    }
    if (line.equals("uci")) {
      write("id name Test " + behaviour);
      write("option name UCI_LimitStrength type check default false");
      write("option name UCI_Elo type spin default 1500 min 1200 max 2000");
      write("uciok");
    } else if (line.equals("isready")) {
      write("readyok");
    } else if (line.startsWith("position ")) {
      setPosition(line);
    } else if (line.startsWith("go ")) {
      move();
    } else if (line.equals("quit")) {
      stayIfTold();
      System.exit(0);
    }
  }

  private void setPosition(String line) {
    String[] parts = line.split(" moves ");
    position =
        parts[0].equals("position startpos")
            ? Position.initial()
            : Position.parseFen(parts[0].substring("position fen ".length())).orElseThrow();
    if (parts.length > 1) {
      for (String uci : parts[1].split(" ")) {
        position = position.play(Move.parse(uci).orElseThrow()).orElseThrow();
      }
    }
  }

  private void move() throws InterruptedException {
    write("info depth 1 score cp 31 pv");
    switch (behaviour) {
      case SILENT_AT_GO -> {}
      case ENDS_AT_GO -> System.exit(139);
      case CLOSES_OUTPUT_AT_GO -> {
        out.close();
        new CountDownLatch(1).await();
      }
      case ILLEGAL_MOVE -> write("bestmove e5e6");
      case NO_MOVE -> write("bestmove (none)");
      case WRONG_MOVE -> write("bestmove \u0007\u001b[31mcastles");
      case ENDLESS_LINE -> endless("bestmove ");
      case ENDLESS_LINES -> endless("info depth 1\n");
      case SECOND_ANSWER -> {
        play();
        write("bestmove h2h3");
      }
      default -> play();
    }
  }

  private void play() {
    write(
        "bestmove "
            + position.legalMoves().stream()
                .map(Move::uci)
                .min(Comparator.naturalOrder())
                .orElseThrow()
            + " ponder e2e4");
  }

  private void endless(String text) {
    while (!out.checkError()) {
      out.print(text);
    }
  }

  private void write(String line) {
    if (behaviour == Behaviour.NOISE) {
      byte[] noise = new byte[10_000];
      for (int i = 0; i < noise.length; i++) {
        noise[i] = (byte) i;
      }
      out.writeBytes(noise);
      out.print("\n\n   \n\r\nbestmoves\nINFO\noption\n \t" + line + " \r\n");
    } else if (behaviour == Behaviour.TABS) {
      out.println(line.replace(' ', '\t'));
    } else if (behaviour == Behaviour.PIECEMEAL) {
      for (char c : (line + "\n").toCharArray()) {
        out.print(c);
        out.flush();
      }
    } else {
      out.println(line);
    }
    out.flush();
  }
}
