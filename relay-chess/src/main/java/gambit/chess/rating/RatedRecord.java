package gambit.chess.rating;

import gambit.chess.game.Result;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the record of a rated game states of the chain and of both players' ratings. Nothing of it
 * is verified. Immutable.
 *
 * @param seq its number in the chain, from 1
 * @param prev the record before; {@link RatingChain#NOTHING} for the first
 * @param createdAt in seconds of Unix time
 */
public record RatedRecord(
    EventId id,
    PubKey referee,
    long seq,
    EventId prev,
    Category category,
    PubKey white,
    PubKey black,
    Result result,
    long createdAt,
    Change whites,
    Change blacks) {

  /**
   * A player's rating before and after the game, with the deviation and the volatility after it;
   * units as in {@link Rating}.
   */
  public record Change(int before, int after, int deviation, int volatility) {
    private static final Pattern HUNDREDTHS =
        Pattern.compile("(?!-0\\.00)-?(0|[1-9]\\d{0,5})\\.\\d\\d");
    private static final Pattern MILLIONTHS = Pattern.compile("(0|[1-9]\\d{0,2})\\.\\d{6}");

    static Change of(Rating before, Rating after) {
      return new Change(before.rating(), after.rating(), after.deviation(), after.volatility());
    }

    List<String> tag(String colour) {
      return List.of(
          "rating",
          colour,
          decimal(before, 2),
          decimal(after, 2),
          decimal(deviation, 2),
          decimal(volatility, 6));
    }

    private static Change read(Tags tags, String colour) {
      List<List<String>> found =
          tags.named("rating").filter(tag -> tag.size() > 1 && tag.get(1).equals(colour)).toList();
      if (found.size() != 1 || found.get(0).size() != 6) {
        throw new IllegalArgumentException("it has not one rating tag for " + colour);
      }
      List<String> tag = found.get(0);
      return new Change(
          number(tag.get(2), HUNDREDTHS),
          number(tag.get(3), HUNDREDTHS),
          number(tag.get(4), HUNDREDTHS),
          number(tag.get(5), MILLIONTHS));
    }
  }

  /** A number of hundredths (2 digits) or millionths (6) as decimal text. */
  public static String decimal(int number, int digits) {
    String magnitude = Long.toString(Math.abs((long) number));
    String text = "0".repeat(Math.max(0, digits + 1 - magnitude.length())) + magnitude;
    int point = text.length() - digits;
    return (number < 0 ? "-" : "") + text.substring(0, point) + "." + text.substring(point);
  }

  private static int number(String text, Pattern form) {
    if (!form.matcher(text).matches()) {
      throw new IllegalArgumentException("its rating tag has " + text);
    }
    return Integer.parseInt(text.replace(".", ""));
  }

  public static boolean isRated(Event event) {
    return event.kind() == 64 && event.tags().first("seq").isPresent();
  }

  /**
   * Reads the record of a rated game.
   *
   * @throws IllegalArgumentException when a fact is missing, malformed or there twice; the message
   *     names it
   */
  public static RatedRecord of(Event record) {
    Tags tags = record.tags();
    String seq = one(tags, "seq");
    String result = one(tags, "result");
    if (!seq.matches("[1-9]\\d{0,14}")) {
      throw new IllegalArgumentException("its seq tag has " + seq);
    }
    return new RatedRecord(
        record.id(),
        record.pubkey(),
        Long.parseLong(seq),
        EventId.ofHex(hex(one(tags, "prev"))),
        Category.ofWord(one(tags, "rated"))
            .orElseThrow(() -> new IllegalArgumentException("its category is unknown")),
        player(tags, "white"),
        player(tags, "black"),
        Result.of(result)
            .filter(it -> it != Result.NONE)
            .orElseThrow(() -> new IllegalArgumentException("its result tag has " + result)),
        record.createdAt(),
        Change.read(tags, "white"),
        Change.read(tags, "black"));
  }

  private static String one(Tags tags, String name) {
    List<List<String>> found = tags.named(name).toList();
    if (found.size() != 1 || found.get(0).size() != 2) {
      throw new IllegalArgumentException("it has not one " + name + " tag");
    }
    return found.get(0).get(1);
  }

  private static String hex(String text) {
    if (!Hex.isLowerCase(text, 64)) {
      throw new IllegalArgumentException("not 64 hex digits: " + text);
    }
    return text;
  }

  private static PubKey player(Tags tags, String colour) {
    List<List<String>> found =
        tags.named("p").filter(tag -> tag.size() > 3 && tag.get(3).equals(colour)).toList();
    if (found.size() != 1) {
      throw new IllegalArgumentException("it has not one p tag for " + colour);
    }
    return PubKey.ofHex(hex(found.get(0).get(1)));
  }
}
