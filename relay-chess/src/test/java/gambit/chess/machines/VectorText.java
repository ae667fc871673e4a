package gambit.chess.machines;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.model.Nip19;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts a message of a golden file into the notation of docs/protocol/vectors/README.md. */
final class VectorText {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The difference in seconds that is allowed between a time and the time expected. */
  private static final int TIME_TOLERANCE = 10;

  /** The difference in milliseconds that is allowed between a clock and the clock expected. */
  private static final int CLOCK_TOLERANCE = 3000;

  private static final Pattern TIME = Pattern.compile("\\$now(ms)?([+-]\\d+)?");
  private static final Pattern NUMERIC_TIME =
      Pattern.compile("(?<=[:,\\[])\\$(now|nowms)([+-]\\d+)?(?=[,}\\]])");
  private static final Pattern CONVERTED_TIME = Pattern.compile("\\$\\{now([+-]\\d+)?}");
  private static final Pattern CONVERTED_MILLIS = Pattern.compile("\\$\\{nowms([+-]\\d+)?}");
  private static final Pattern NUMBER = Pattern.compile("\\d+");

  private static final Map<String, String> NPUBS =
      Stream.of("alice", "bob", "carol", "dave", "erin")
          .collect(Collectors.toMap(name -> name, name -> Nip19.npub(Keys.of(name).pubkey())));

  private VectorText() {}

  /** A message to send. */
  static JsonNode sent(String text) throws JsonProcessingException {
    String number = "{\"\\$number\":\"\\${$1$2}\"}";
    return withVariables(JSON.readTree(NUMERIC_TIME.matcher(text).replaceAll(number)));
  }

  /** A frame to receive. */
  static JsonNode expected(String text) throws JsonProcessingException {
    String time = "\"\\${$1$2}\"";
    return withTolerances(
        withVariables(JSON.readTree(NUMERIC_TIME.matcher(text).replaceAll(time))));
  }

  /** Replaces variables, wildcards, and what depends on the keys, the relay and the date. */
  private static JsonNode withVariables(JsonNode node) {
    if (node.isTextual()) {
      return JSON.getNodeFactory().textNode(withVariables(node.asText()));
    } else if (node.isArray()) {
      ArrayNode copy = JSON.createArrayNode();
      node.forEach(element -> copy.add(withVariables(element)));
      return copy;
    } else if (node.isObject()) {
      ObjectNode copy = JSON.createObjectNode();
      node.properties().forEach(field -> copy.set(field.getKey(), withVariables(field.getValue())));
      return copy;
    }
    return node;
  }

  private static String withVariables(String text) {
    if (text.startsWith("${")) {
      return text;
    } else if (TIME.matcher(text).matches() || text.matches("\\$[A-Za-z]\\w*")) {
      return "${" + text.substring(1) + "}";
    }
    String converted = text.endsWith("*") ? text.substring(0, text.length() - 1) + "${*}" : text;
    for (Map.Entry<String, String> npub : NPUBS.entrySet()) {
      converted = converted.replace(npub.getValue(), "${npub:" + npub.getKey() + "}");
    }
    return converted
        .replaceAll("(?<= )\\$([a-z]\\w*)", "\\${$1}")
        .replace(TestRelay.URL, "${url}")
        .replace("wss://gambit.example", "${url}")
        .replace("wss://GAMBIT.example", "${URL}")
        .replaceAll("\\[(Date|UTCDate|UTCTime) \"[0-9.:]+\"]", "[$1 \"\\${*}\"]")
        .replaceAll("\\[%clk [0-9:]+]", "[%clk \\${*}]"); // a busy machine plays slowly
  }

  /** Replaces times, and the milliseconds of clocks: real time passes while a vector is played. */
  private static JsonNode withTolerances(JsonNode node) {
    if (node.isObject()) {
      ObjectNode copy = JSON.createObjectNode();
      node.properties()
          .forEach(field -> copy.set(field.getKey(), withTolerances(field.getValue())));
      return copy;
    } else if (node.isArray() && node.path(0).asText().equals("clock")) {
      ArrayNode copy = JSON.createArrayNode();
      node.forEach(value -> copy.add(clockWithTolerance(value)));
      return copy;
    } else if (node.isArray()) {
      ArrayNode copy = JSON.createArrayNode();
      node.forEach(value -> copy.add(withTolerances(value)));
      return copy;
    } else if (CONVERTED_TIME.matcher(node.asText()).matches()) {
      return about(node.asText(), TIME_TOLERANCE);
    }
    return node;
  }

  private static JsonNode clockWithTolerance(JsonNode clock) {
    if (CONVERTED_MILLIS.matcher(clock.asText()).matches()) {
      return about(clock.asText(), 1000 * TIME_TOLERANCE);
    }
    boolean number = NUMBER.matcher(clock.asText()).matches();
    return number ? about(clock.asText(), CLOCK_TOLERANCE) : clock;
  }

  private static ObjectNode about(String value, int tolerance) {
    return JSON.createObjectNode().put("$about", value).put("by", tolerance);
  }
}
