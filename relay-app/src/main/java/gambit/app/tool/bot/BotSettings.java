package gambit.app.tool.bot;

import gambit.chess.engine.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a bot plays: with a UCI engine, or without a command with that of this program, in each of
 * its threads; at that level if an invite requests none; up to a maximum of games, beyond which
 * invites are rejected; and, of kind 30, also open starts that do not challenge it. Immutable.
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
