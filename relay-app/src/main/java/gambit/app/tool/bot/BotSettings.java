package gambit.app.tool.bot;

import gambit.chess.engine.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a bot plays. Immutable.
 *
 * @param engine the command of a UCI engine, or an empty list for the engine of this program
 * @param threads the number of threads that think, each with an engine of its own
 * @param maxGames the maximum of games at once; further invites are rejected
 * @param level the strength against players whose invite requests none
 * @param openStarts whether it plays the open starts of kind 30, too, not only those that challenge
 *     it
 */
public record BotSettings(
    List<String> engine,
    int threads,
    int maxGames,
    Duration moveTime,
    Level level,
    boolean openStarts) {
  private static final int MAX_THREADS = 64;
  static final Duration MAX_MOVE_TIME = Duration.ofMinutes(10);
  private static final Pattern ARGUMENT = Pattern.compile("\"([^\"]*)\"|(\\S+)");

  public BotSettings {
    engine = List.copyOf(engine);
    if (threads < 1 || threads > MAX_THREADS) {
      throw new IllegalArgumentException("threads must be between 1 and " + MAX_THREADS);
    }
    if (maxGames < 1) {
      throw new IllegalArgumentException("max_games must be at least 1");
    }
    if (moveTime.toMillis() < 1 || moveTime.compareTo(MAX_MOVE_TIME) > 0) {
      throw new IllegalArgumentException("move_time must be between 1 ms and 10 minutes");
    }
  }

  /** A program and its arguments, separated by blanks; double quotes keep blanks in one of them. */
  public static List<String> command(String text) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = ARGUMENT.matcher(text);
    while (matcher.find()) {
      parts.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
    }
    return parts;
  }
}
