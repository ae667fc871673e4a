package gambit.core.testkit;

import gambit.core.model.Event;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;

/** A second implementation of NIP-01's serialization, as an oracle. */
public final class Serialization {
  private static final String ESCAPED = "\n\"\\\r\t\b\f";
  private static final String ESCAPES = "n\"\\rtbf";

  private Serialization() {}

  /** The id of the event, with the seven named escapes and everything else verbatim. */
  public static String idOf(Event event) {
    return hash(serialized(event));
  }

  /** The id as some clients compute it, with the other control characters escaped by number. */
  public static String idWithNumberedEscapesOf(Event event) {
    StringBuilder out = new StringBuilder();
    for (char c : serialized(event).toCharArray()) {
      out.append(c < ' ' ? "\\u%04x".formatted((int) c) : String.valueOf(c));
    }
    return hash(out.toString());
  }

  private static String serialized(Event event) {
    return "[0,%s,%d,%d,%s,%s]"
        .formatted(
            quoted(event.pubkey().hex()),
            event.createdAt(),
            event.kind(),
            tagsOf(event),
            quoted(event.content()));
  }

  private static String hash(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private static String tagsOf(Event event) {
    return event.tags().list().stream()
        .map(
            tag ->
                tag.stream().map(Serialization::quoted).collect(Collectors.joining(",", "[", "]")))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      int escape = ESCAPED.indexOf(c);
      if (escape < 0) {
        out.append(c);
      } else {
        out.append('\\').append(ESCAPES.charAt(escape));
      }
    }
    return out.append('"').toString();
  }
}
