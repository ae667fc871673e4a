package gambit.app.server.search;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.util.List;
import java.util.Set;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of an event in which is searched, as {@code docs/protocol/relay.md} lists it for each
 * kind (NIP-50). Immutable.
 *
 * @param title the part in which a match counts for more
 * @param body the rest
 */
record EventText(String title, String body) {
  /** Maximum length of each part, in UTF-16 code units; the rest is not searched. */
  static final int MAX_LENGTH = 32_768;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> TITLE_TAGS = List.of("title", "name", "subject");
  private static final Set<String> PLAYERS = Set.of("White", "Black");
  private static final Set<String> GAME_TAGS =
      Set.of("Event", "Site", "Opening", "Variation", "ECO", "Annotator");

  /**
   * A tag pair (PGN standard 8.1) at the start of a text, or after another one. Possessive, since a
   * stranger's text must need neither the stack nor a second look.
   */
  private static final Pattern TAG_PAIR =
      Pattern.compile(
          "\\G \\[ ([\\p{javaLetterOrDigit}_]*+) \"((?:[^\"\\\\]|\\\\.)*+)\" ]"
              .replace(" ", "\\p{javaWhitespace}*+"),
          Pattern.DOTALL);

  private static final Pattern ESCAPED = Pattern.compile("\\\\(.)", Pattern.DOTALL);

  EventText {
    title = cut(title);
    body = cut(body);
  }

  static EventText of(Event event) {
    return switch (event.kind()) {
      case 0 -> ofProfile(event.content());
      case 64 -> ofGame(event.content());
      default -> ofTags(event.tags(), event.content());
    };
  }

  /** Whether the event has a content warning (NIP-36). */
  static boolean isSensitive(Event event) {
    return event.tags().has("content-warning");
  }

  String all() {
    return title + "\n" + body;
  }

  private static String cut(String text) {
    if (text.length() <= MAX_LENGTH) {
      return text;
    }
    boolean splitsPair = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 1));
    return text.substring(0, MAX_LENGTH - (splitsPair ? 1 : 0));
  }

  private static EventText ofProfile(String content) {
    try {
      JsonNode profile = JSON.readTree(content);
      return new EventText(
          fields(profile, "name", "display_name"), fields(profile, "nip05", "about"));
    } catch (JsonProcessingException e) {
      return new EventText("", "");
    }
  }

  private static String fields(JsonNode object, String... names) {
    StringJoiner text = new StringJoiner("\n");
    for (String name : names) {
      text.add(object.path(name).asText(""));
    }
    return text.toString();
  }

  private static EventText ofGame(String pgn) {
    StringJoiner players = new StringJoiner("\n");
    StringJoiner rest = new StringJoiner("\n");
    Matcher pair = TAG_PAIR.matcher(pgn);
    while (pair.find()) {
      String value = ESCAPED.matcher(pair.group(2)).replaceAll("$1");
      if (PLAYERS.contains(pair.group(1))) {
        players.add(value);
      } else if (GAME_TAGS.contains(pair.group(1))) {
        rest.add(value);
      }
    }
    return new EventText(players.toString(), rest.toString());
  }

  private static EventText ofTags(Tags tags, String content) {
    StringJoiner title = new StringJoiner("\n");
    TITLE_TAGS.forEach(name -> tags.first(name).ifPresent(title::add));
    StringJoiner body = new StringJoiner("\n");
    tags.first("summary").ifPresent(body::add);
    body.add(content);
    tags.named("t").filter(tag -> tag.size() > 1).forEach(tag -> body.add(tag.get(1)));
    return new EventText(title.toString(), body.toString());
  }
}
