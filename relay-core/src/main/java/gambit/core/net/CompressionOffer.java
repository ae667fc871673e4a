package gambit.core.net;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The negotiation of permessage-deflate (RFC 7692, section 7.1). Neither side keeps a context
 * between messages, which a server may always require. An offer that requires a smaller window of
 * the server than the default is declined.
 */
final class CompressionOffer {
  private static final String ACCEPTED =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  /** A name, optionally with a plain or quoted value (RFC 6455, section 9.1). */
  private static final Pattern PART =
      Pattern.compile(
          "\\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\\s*(?:=\\s*(?:\"([^\"]+)\"|([^\\s\";,]+))\\s*)?");

  private static final Pattern WINDOW = Pattern.compile("[89]|1[0-5]");

  private CompressionOffer() {}

  /** The answer to the first acceptable offer, or nothing if there is none. */
  static Optional<String> accept(List<String> headers) {
    for (String offer : String.join(",", headers).split(",", -1)) {
      Optional<String> answer = answer(offer);
      if (answer.isPresent()) {
        return answer;
      }
    }
    return Optional.empty();
  }

  private static Optional<String> answer(String offer) {
    String[] parts = offer.split(";", -1);
    if (!parts[0].trim().toLowerCase(Locale.ROOT).equals("permessage-deflate")) {
      return Optional.empty();
    }
    Map<String, String> parameters = new HashMap<>();
    for (int i = 1; i < parts.length; i++) {
      Matcher part = PART.matcher(parts[i]);
      if (!part.matches() || parameters.put(name(part), value(part)) != null) {
        return Optional.empty();
      }
    }
    return parameters.entrySet().stream().allMatch(it -> isAcceptable(it.getKey(), it.getValue()))
        ? Optional.of(
            parameters.containsKey("server_max_window_bits")
                ? ACCEPTED + "; server_max_window_bits=15"
                : ACCEPTED)
        : Optional.empty();
  }

  private static String name(Matcher part) {
    return part.group(1);
  }

  /** The value, or an empty text without one. */
  private static String value(Matcher part) {
    String quoted = part.group(2);
    String plain = part.group(3);
    return quoted != null ? quoted : plain != null ? plain : "";
  }

  private static boolean isAcceptable(String name, String value) {
    return switch (name) {
      case "server_no_context_takeover", "client_no_context_takeover" -> value.isEmpty();
      case "client_max_window_bits" -> value.isEmpty() || WINDOW.matcher(value).matches();
      case "server_max_window_bits" -> value.equals("15");
      default -> false;
    };
  }
}
