package gambit.chess.rating;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class Glicko2Test {
  private static final Path VECTORS = Path.of("../docs/protocol/vectors/ratings.jsonl");
  private static final String COMMAND =
      "mvn -ntp test -pl relay-core,relay-chess -Dtest=Glicko2Test"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dgambit.regenerate=true";
  private static final Percentage ROUNDING = Percentage.withPercentage(1e-13);
  private static final int DAY = 86_400;

  @Test
  void thousandPublishedGamesHaveTheValuesOfThisArithmetic() throws IOException {
    List<String> games = RatingVectors.published();
    if (Boolean.getBoolean("gambit.regenerate")) {
      Files.writeString(VECTORS, String.join("\n", games) + "\n");
    }
    assertThat(games).hasSize(1_000);
    assertThat(Files.readString(VECTORS)).as(COMMAND).isEqualTo(String.join("\n", games) + "\n");
  }

  /**
   * The game of Glickman's paper against its first opponent alone; a published implementation gave
   * 1563.564, 175.403 and 0.05999698.
   */
  @Test
  void gameAfterOnePeriodHasTheValuesOfAPublishedImplementation() {
    long period = Math.round(DAY / 0.21436);
    Rating own = new Rating(150_000, 20_000, 60_000, 9, 0);
    Rating after = Glicko2.after(own, new Rating(140_000, 3_000, 60_000, 9, 0), 2, period);
    assertThat(after).isEqualTo(new Rating(156_356, 17_540, 59_997, 10, period));
  }

  @Test
  void exponentialAndLogarithmAreThoseOfTheLibraryButForRounding() {
    Random random = new Random(1);
    for (int i = 0; i < 100_000; i++) {
      double x = random.nextDouble() * 200 - 100;
      assertThat(Glicko2.exp(x)).isCloseTo(Math.exp(x), ROUNDING);
      double y = Math.exp(x);
      assertThat(Glicko2.ln(y)).isCloseTo(Math.log(y), ROUNDING);
    }
    assertThat(Glicko2.exp(0)).isEqualTo(1);
    assertThat(Glicko2.ln(1)).isZero();
  }

  @Test
  void valuesStayWithinTheirBoundsAndFollowTheScore() {
    Random random = new Random(2);
    int[] extremes = {Integer.MIN_VALUE, -1, 0, 1, 4_500, 50_000, 100_000, Integer.MAX_VALUE};
    for (int i = 0; i < 20_000; i++) {
      Rating own = anyRating(random, extremes);
      Rating opponent = anyRating(random, extremes);
      long time = random.nextLong() >> random.nextInt(64);
      Rating lost = Glicko2.after(own, opponent, 0, time);
      Rating drawn = Glicko2.after(own, opponent, 1, time);
      Rating won = Glicko2.after(own, opponent, 2, time);
      for (Rating after : List.of(lost, drawn, won)) {
        assertThat(after.deviation()).isBetween(4_500, 50_000);
        assertThat(after.volatility()).isBetween(1, 100_000);
      }
      assertThat(Glicko2.deviationAt(own, time)).isBetween(4_500, 50_000);
    }
  }

  private static Rating anyRating(Random random, int[] extremes) {
    return new Rating(
        extremes[random.nextInt(extremes.length)],
        extremes[random.nextInt(extremes.length)],
        extremes[random.nextInt(extremes.length)],
        random.nextInt(2),
        random.nextLong() >> random.nextInt(64));
  }

  @Test
  void deviationGrowsWithRestAndNeverByAClockThatIsSetBack() {
    Rating rested = new Rating(150_000, 4_500, 90_000, 9, 1_000_000);
    assertThat(Glicko2.deviationAt(rested, 1_000_000)).isEqualTo(4_500);
    assertThat(Glicko2.deviationAt(rested, 0)).isEqualTo(4_500);
    assertThat(Glicko2.deviationAt(rested, 1_000_000 + 365L * DAY)).isBetween(14_500, 14_600);
    assertThat(Glicko2.deviationAt(rested, Long.MAX_VALUE)).isEqualTo(50_000);
    assertThat(Glicko2.deviationAt(Rating.INITIAL, 1_000_000)).isEqualTo(50_000);
  }

  @Test
  void greatSurpriseRaisesTheVolatilityLittle() {
    Rating weak = new Rating(100_000, 4_500, 90_000, 99, 0);
    Rating strong = new Rating(250_000, 4_500, 90_000, 99, 0);
    assertThat(Glicko2.after(weak, strong, 2, DAY).volatility()).isBetween(90_100, 90_200);
    assertThat(Glicko2.after(weak, strong, 2, DAY).rating() / 100.0).isCloseTo(1012.6, within(1.0));
  }
}
