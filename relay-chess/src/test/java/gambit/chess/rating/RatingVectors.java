package gambit.chess.rating;

import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Rated games with all values, one a line, as {@code docs/protocol/ratings.md} describes them. */
public final class RatingVectors {
  private static final long START = 1_700_000_000;
  private static final int DAY = 86_400;
  private static final long[] RESTS = {0, 30 * DAY, 20 * 365 * DAY};
  private static final int[] DEVIATIONS = {4_500, 50_000};

  private RatingVectors() {}

  /** The games in {@code docs/protocol/vectors/ratings.jsonl}. */
  static List<String> published() {
    List<String> lines = new ArrayList<>();
    for (int halfPoints = 0; halfPoints <= 2; halfPoints++) {
      for (int white : new int[] {-100_000, -50_000, 150_000, 190_000, 450_000, 750_000}) {
        for (int whiteDeviation : DEVIATIONS) {
          for (int blackDeviation : DEVIATIONS) {
            for (long rest : RESTS) {
              lines.add(
                  line(
                      new Rating(white, whiteDeviation, 100_000, 60, START - rest),
                      new Rating(150_000, blackDeviation, 1_000, 1, START),
                      halfPoints,
                      START));
            }
          }
        }
      }
      lines.add(line(Rating.INITIAL, Rating.INITIAL, halfPoints, START));
      lines.add(line(Rating.INITIAL, lateRating(), halfPoints, START));
      lines.add(line(lateRating(), Rating.INITIAL, halfPoints, START));
    }
    Random random = new Random(38);
    while (lines.size() < 500) {
      Rating white = anyRating(random);
      lines.add(line(white, anyRating(random), random.nextInt(3), START));
    }
    lines.addAll(chain(20, 500, 38));
    return lines;
  }

  private static Rating anyRating(Random random) {
    return new Rating(
        random.nextInt(300_000),
        4_500 + random.nextInt(45_501),
        1_000 + random.nextInt(99_001),
        1 + random.nextInt(100),
        START - random.nextInt(500 * DAY));
  }

  /** The last game is later than the next game's time. */
  private static Rating lateRating() {
    return new Rating(150_000, 4_500, 90_000, 1, START + DAY);
  }

  /** Writes the published games and many more; returns how many in all. */
  public static int writeManyTo(Path file) throws IOException {
    List<String> lines = new ArrayList<>(published());
    lines.addAll(chain(100, TestEffort.of(10_000, 100_000), 1));
    Files.writeString(file, String.join("\n", lines) + "\n");
    return lines.size();
  }

  /** Games of random players whose ratings follow from the games before. */
  private static List<String> chain(int players, int games, long seed) {
    Random random = new Random(seed);
    List<Rating> ratings = new ArrayList<>(Collections.nCopies(players, Rating.INITIAL));
    List<String> lines = new ArrayList<>(games);
    long time = START;
    for (int i = 0; i < games; i++) {
      time += random.nextInt(100) == 0 ? random.nextInt(40 * DAY) : random.nextInt(7_200);
      int white = random.nextInt(players);
      int black = (white + 1 + random.nextInt(players - 1)) % players;
      // A player's strength grows with the number, so that ratings spread.
      double chance = 1 / (1 + StrictMath.exp((black - white) * 10.0 / players));
      double drawn = random.nextDouble();
      int halfPoints = random.nextInt(8) == 0 ? 1 : drawn < chance ? 2 : 0;
      Rating before = ratings.get(white);
      Rating beforeOfBlack = ratings.get(black);
      lines.add(line(before, beforeOfBlack, halfPoints, time));
      ratings.set(white, Glicko2.after(before, beforeOfBlack, halfPoints, time));
      ratings.set(black, Glicko2.after(beforeOfBlack, before, 2 - halfPoints, time));
    }
    return lines;
  }

  private static String line(Rating white, Rating black, int halfPoints, long time) {
    return ("[" + before(white) + "," + before(black) + "," + halfPoints + "," + time)
        + (",[" + Glicko2.deviationAt(white, time) + "," + Glicko2.deviationAt(black, time) + "],")
        + after(Glicko2.after(white, black, halfPoints, time))
        + ("," + after(Glicko2.after(black, white, 2 - halfPoints, time)) + "]");
  }

  private static String before(Rating it) {
    return ("[" + it.rating() + "," + it.deviation() + "," + it.volatility())
        + ("," + it.games() + "," + it.lastAt() + "]");
  }

  private static String after(Rating it) {
    return "[" + it.rating() + "," + it.deviation() + "," + it.volatility() + "]";
  }
}
