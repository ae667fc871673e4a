package gambit.app.tool.client;

import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Tags;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads values of tags that a relay or another player sent. */
public final class EventTags {
  private EventTags() {}

  public static @Nullable Side side(String word) {
    return switch (word) {
      case "white" -> Side.WHITE;
      case "black" -> Side.BLACK;
      default -> null;
    };
  }

  public static String word(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }

  /** The number of a tag, of at most 15 decimal digits, or another value without one. */
  static long number(Tags tags, String name, long otherwise) {
    return number(tags.first(name).orElse(""), otherwise);
  }

  static long number(String text, long otherwise) {
    return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : otherwise;
  }

  static int smallNumber(Tags tags, String name, int otherwise) {
    return (int) Math.min(Integer.MAX_VALUE, number(tags, name, otherwise));
  }

  public static Optional<EventId> id(String hex) {
    return Hex.isLowerCase(hex, 64) ? Optional.of(EventId.ofHex(hex)) : Optional.empty();
  }

  /** The first tag with that name and at least one value. */
  static Optional<List<String>> tag(Tags tags, String name) {
    return tags.named(name).filter(tag -> tag.size() > 1).findFirst();
  }

  public static String at(List<String> tag, int index) {
    return tag.size() > index ? tag.get(index) : "";
  }
}
