package gambit.app.tool.bot;

import gambit.app.common.ErrorMessages;
import gambit.app.common.OutputFile;
import gambit.chess.engine.Level;
import gambit.core.log.LimitedLog;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The levels at which a bot plays its games, {@link #MAX_GAMES} at most, of which ended ones are
 * forgotten first: the relay does not keep an accepted invite. They can be kept in a file, which is
 * replaced whole, so that resumed games go on at their level; without it, they have the bot's usual
 * one. Owned by one thread.
 */
final class GameLevels {
  private static final LimitedLog LOG = LimitedLog.of(GameLevels.class);
  static final int MAX_GAMES = 500;

  private final @Nullable Path file;
  private final Predicate<EventId> isRunning;

  /** In the order in which the games have begun; a game that ends becomes the last. */
  private final Map<EventId, Level> levels = new LinkedHashMap<>();

  /** In the file, there is a line for each game: its id, a blank, and its level. */
  GameLevels(@Nullable Path file, Predicate<EventId> isRunning) {
    this.file = file;
    this.isRunning = isRunning;
    if (file != null && Files.exists(file)) {
      try {
        List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        lines.stream().limit(MAX_GAMES).forEach(this::read);
      } catch (IOException e) {
        LOG.warn("Cannot read {}: {}", file, ErrorMessages.of(e));
      }
    }
  }

  private void read(String line) {
    String[] parts = line.split(" ", 3);
    if (parts.length == 2 && Hex.isLowerCase(parts[0], 64) && parts[1].matches("[1-5]")) {
      Level.of(Integer.parseInt(parts[1]))
          .ifPresent(level -> levels.put(EventId.ofHex(parts[0]), level));
    }
  }

  Optional<Level> of(EventId game) {
    return Optional.ofNullable(levels.get(game));
  }

  void put(EventId game, Level level) {
    if (level == levels.put(game, level)) {
      return;
    }
    if (levels.size() > MAX_GAMES) {
      levels.remove(oldestExcept(game));
    }
    if (file != null) {
      write(file);
    }
  }

  private EventId oldestExcept(EventId added) {
    List<EventId> others = levels.keySet().stream().filter(each -> !each.equals(added)).toList();
    return others.stream().filter(isRunning.negate()).findFirst().orElse(others.get(0));
  }

  /** A game has ended; its level is kept for a rematch. */
  void ended(EventId game) {
    Level level = levels.remove(game);
    if (level != null) {
      levels.put(game, level);
    }
  }

  private void write(Path to) {
    StringBuilder text = new StringBuilder();
    levels.forEach((game, level) -> text.append(game.hex() + " " + level.number() + "\n"));
    try {
      OutputFile.write(to, text.toString());
    } catch (IOException e) {
      LOG.warn("Cannot write {}: {}", to, ErrorMessages.of(e));
    }
  }
}
