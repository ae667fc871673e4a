package gambit.app.tool.bot;

import gambit.chess.engine.Level;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnReader;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * The openings that the levels below the strongest know: the lines of {@code openings.txt}. A move
 * is the more likely, the more lines continue with it. Immutable.
 */
final class OpeningBook {
  private static final String RESOURCE = "openings.txt";

  /** The number of the last move that each level knows; the strongest finds its own. */
  private static final int[] LAST_MOVES = {2, 3, 4, 6, 0};

  static final OpeningBook BOOK = new OpeningBook();

  /** The continuations of each position, one for each line. */
  final Map<String, List<Move>> moves = new HashMap<>();

  private OpeningBook() {
    try (InputStream in = OpeningBook.class.getResourceAsStream(RESOURCE)) {
      byte[] all = Objects.requireNonNull(in, RESOURCE).readAllBytes();
      new String(all, StandardCharsets.US_ASCII).lines().forEach(this::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds a line: the name of the opening, a colon, and moves in SAN. */
  private void add(String line) {
    try {
      Position position = Position.initial();
      String san = line.substring(line.indexOf(':') + 1);
      for (Move move : PgnReader.read(san + " *").moves().toList()) {
        moves.computeIfAbsent(key(position), each -> new ArrayList<>()).add(move);
        position = position.play(move).orElseThrow();
      }
    } catch (PgnException e) {
      throw new IllegalStateException(line, e);
    }
  }

  /** The position without its counters, so that other orders of the moves lead to it, too. */
  private static String key(Position position) {
    String[] fields = position.fen().split(" ", 4);
    return fields[0] + fields[1] + fields[2];
  }

  Optional<Move> move(Position position, Level level, RandomGenerator random) {
    if (position.fullmoveNumber() > LAST_MOVES[level.number() - 1]) {
      return Optional.empty();
    }
    List<Move> known = moves.getOrDefault(key(position), List.of());
    return known.isEmpty()
        ? Optional.empty()
        : Optional.of(known.get(random.nextInt(known.size())));
  }
}
