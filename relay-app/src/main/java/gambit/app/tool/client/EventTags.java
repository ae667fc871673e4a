package gambit.app.tool.client;

import gambit.chess.rules.Side;
import gambit.core.model.Tags;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads values of tags that a relay or another player sent. */
final class EventTags {
  private EventTags() {}

  /** The side of the word {@code white} or {@code black}, otherwise null. */
  static @Nullable Side side(String word) {
    return switch (word) {
      case "white" -> Side.WHITE;
      case "black" -> Side.BLACK;
      default -> null;
    };
  }

  static String word(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }

  /** A number of at most that many decimal digits, or another value for any other text. */
  static long number(String text, int maxDigits, long otherwise) {
    return !text.isEmpty()
            && text.length() <= maxDigits
            && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Long.parseLong(text)
        : otherwise;
  }

  /** The first tag with that name and at least one value. */
  static Optional<List<String>> tag(Tags tags, String name) {
    return tags.named(name).filter(tag -> tag.size() > 1).findFirst();
  }

  static String at(List<String> tag, int index) {
    return tag.size() > index ? tag.get(index) : "";
  }
}
