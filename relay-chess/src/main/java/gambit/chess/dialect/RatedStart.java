package gambit.chess.dialect;

import gambit.chess.dialect.Request.MalformedTagException;
import gambit.chess.rating.Category;
import gambit.chess.rules.Side;
import gambit.core.model.Tags;
import java.util.List;

/** That a game is rated, and both players' ratings when it began. Immutable. */
public record RatedStart(Category category, Strength white, Strength black) {
  private static final String TAG = "rated";

  /** A rating and its deviation, as whole numbers. */
  public record Strength(int rating, int deviation) {
    public static Strength of(int rating, int deviation) {
      return new Strength(rounded(rating), rounded(deviation));
    }

    private static int rounded(int hundredths) {
      return Math.floorDiv(hundredths + 50, 100);
    }
  }

  /** Whether a request is for a rated game, by its {@code rated} tag. */
  public static boolean isRequested(Tags tags) throws MalformedTagException {
    return switch (tags.first(TAG).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new MalformedTagException("rated is true or false");
    };
  }

  /** Whether the first event of a game is that of a rated one. */
  public static boolean isIn(Tags gameIsFound) {
    return gameIsFound.has(TAG);
  }

  public Strength of(Side side) {
    return side == Side.WHITE ? white : black;
  }

  public List<List<String>> tags() {
    return List.of(List.of(TAG, category.word()), tag(Side.WHITE), tag(Side.BLACK));
  }

  private List<String> tag(Side side) {
    Strength strength = of(side);
    return List.of(
        "rating", RefereeEvents.colour(side), "" + strength.rating(), "" + strength.deviation());
  }
}
