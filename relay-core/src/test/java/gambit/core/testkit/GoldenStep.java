package gambit.core.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One line of a golden frame file, in the notation of {@link GoldenFile}. */
public sealed interface GoldenStep {
  /** A comment; the text is without the {@code #}. */
  record Comment(String text) implements GoldenStep {}

  /** A client sends a message; {@code name} is the name of its event, if it has one. */
  record Send(String client, String text, @Nullable String name) implements GoldenStep {}

  /** A player signs an event to send it later. */
  record Sign(String client, String text, String name) implements GoldenStep {}

  /** A client sends the event of that name, again or for the first time. */
  record Resend(String client, String name) implements GoldenStep {}

  /** The next frame that a client receives. */
  record Receive(String client, String text) implements GoldenStep {}

  /** The admin makes a call of NIP-86, which is answered with JSON, or with a status only. */
  record Call(String json, String answer) implements GoldenStep {}

  /** A client disconnects. */
  record Leaves(String client) implements GoldenStep {}

  /** The clock advances. */
  record After(long seconds) implements GoldenStep {}

  /** That number of deadlines is set. */
  record Alarms(int count) implements GoldenStep {}

  /** That number of tasks waits for the next second. */
  record Updates(int count) implements GoldenStep {}

  /** A publication of the players who are here is due. */
  record PlayersDue() implements GoldenStep {}

  /** A step and where it is written. */
  record Located(GoldenStep step, String place) {}

  /** The person whose connection a client is: {@code alice} of {@code alice/2}. */
  static String person(String client) {
    return client.replaceFirst("/.*", "");
  }

  /**
   * The steps of a file and of those that it includes, in order, without its first line if that has
   * settings, and without empty lines.
   */
  static List<Located> read(Path file) {
    List<Located> steps = new ArrayList<>();
    read(file, steps);
    return steps;
  }

  private static void read(Path file, List<Located> steps) {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).strip();
      Matcher include = Lines.INCLUDE.matcher(line);
      if (line.isEmpty() || i == 0 && line.startsWith("relay ")) {
        continue;
      } else if (include.matches()) {
        read(file.resolveSibling(include.group(1) + ".frames"), steps);
      } else {
        steps.add(new Located(parse(line), file.getFileName() + ":" + (i + 1)));
      }
    }
  }

  private static GoldenStep parse(String line) {
    Matcher match;
    if (line.startsWith("#")) {
      return new Comment(line.substring(1).strip());
    } else if ((match = Lines.RESEND.matcher(line)).matches()) {
      return new Resend(match.group(1), match.group(2));
    } else if ((match = Lines.SIGN.matcher(line)).matches()) {
      return new Sign(match.group(1), match.group(2), match.group(3));
    } else if ((match = Lines.SEND.matcher(line)).matches()) {
      return new Send(match.group(1), match.group(2), match.group(3));
    } else if ((match = Lines.RECEIVE.matcher(line)).matches()) {
      return new Receive(match.group(1), match.group(2));
    } else if ((match = Lines.CALL.matcher(line)).matches()) {
      return new Call(match.group(1), match.group(2));
    } else if ((match = Lines.LEAVES.matcher(line)).matches()) {
      return new Leaves(match.group(1));
    } else if ((match = Lines.AFTER.matcher(line)).matches()) {
      return new After(Long.parseLong(match.group(1)));
    } else if ((match = Lines.ALARMS.matcher(line)).matches()) {
      return new Alarms(Integer.parseInt(match.group(1)));
    } else if ((match = Lines.UPDATES.matcher(line)).matches()) {
      return new Updates(Integer.parseInt(match.group(1)));
    } else if (line.equals("players due")) {
      return new PlayersDue();
    }
    throw new AssertionError("cannot read: " + line);
  }

  /** The forms of a line. */
  final class Lines {
    private static final Pattern RESEND = Pattern.compile("(\\S+) > \\$(\\w+)");
    private static final Pattern SIGN = Pattern.compile("(\\S+) signs (.*) as \\$(\\w+)");
    private static final Pattern SEND = Pattern.compile("(\\S+) > (.*?)(?: as \\$(\\w+))?");
    private static final Pattern RECEIVE = Pattern.compile("(\\S+) < (.*)");
    private static final Pattern CALL = Pattern.compile("admin calls (\\{.*}) = (.*)");
    private static final Pattern LEAVES = Pattern.compile("(\\S+) leaves");
    private static final Pattern AFTER = Pattern.compile("after (\\d+)s");
    private static final Pattern ALARMS = Pattern.compile("alarms (\\d+)");
    private static final Pattern UPDATES = Pattern.compile("updates (\\d+)");
    private static final Pattern INCLUDE = Pattern.compile("include (\\S+)");

    private Lines() {}
  }
}
