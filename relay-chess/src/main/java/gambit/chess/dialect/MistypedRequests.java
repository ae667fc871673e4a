package gambit.chess.dialect;

import gambit.chess.rules.Move;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Detects mistyped requests: contents of kinds 5000–5003 that are almost a word or a move of
 * NIP-100, in upper case, with blanks around them, in another kind, in SAN, or under another name.
 * The author gets a hint. Pure: the answer depends on the event alone.
 */
final class MistypedRequests {
  /** The maximum size of a content that is examined, blanks included, in encoded bytes. */
  static final int MAX_BYTES = 256;

  /** The words of NIP-100, by their kinds. */
  static final Map<Integer, List<String>> WORDS =
      Map.of(
          Nip100.LOBBY,
          List.of(
              "connect cancelsearch invite accept reject rematch abort stopreminders".split(" ")),
          Nip100.DRAW,
          List.of("offer", "accept", "decline", "claim", "takeback"),
          Nip100.RESIGN,
          List.of("resign"));

  /** Words that are not in NIP-100, and the correct ones. */
  private static final Map<String, String> OTHER_WORDS =
      Map.of(
          "search",
          "connect in kind 5000",
          "quit",
          "resign in kind 5003 or cancelsearch in kind 5000");

  private static final Pattern SAN =
      Pattern.compile(
          "(?:[KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](?:=?[QRBN])?|[O0o]-[O0o](?:-[O0o])?)"
              + "[+#]?[!?]{0,2}");

  private static final String BLANKS = "[\\p{javaWhitespace}\\p{javaSpaceChar}]+";
  private static final Pattern OUTER_BLANKS = Pattern.compile("^" + BLANKS + "|" + BLANKS + "\\z");

  private MistypedRequests() {}

  /**
   * The hint for the author of a mistyped request; empty if the content resembles no request.
   *
   * @param content no request of its kind, at most {@link #MAX_BYTES} long
   */
  static Optional<Reason> hint(int kind, String content) {
    String text = OUTER_BLANKS.matcher(content).replaceAll("");
    String lower = text.toLowerCase(Locale.ROOT);
    String right = null;
    boolean san = kind == Nip100.MOVE && SAN.matcher(text).matches();
    if (san && Move.parse(text).isEmpty()) {
      right = "a move like g1f3, e7e8q or e1g1 in kind 5001";
    } else if (Move.parse(lower).isPresent()) {
      right = right(lower, kind, Nip100.MOVE);
    } else if (!kinds(lower).isEmpty()) {
      right = word(lower, kind);
    } else if (OTHER_WORDS.containsKey(lower)) {
      right = OTHER_WORDS.get(lower);
    }
    String no = kind == Nip100.MOVE ? "not a UCI move, write " : "write ";
    return Optional.ofNullable(right).map(it -> Reason.invalid(no + it));
  }

  private static List<Integer> kinds(String word) {
    return WORDS.entrySet().stream()
        .filter(words -> words.getValue().contains(word))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static String word(String word, int kind) {
    List<Integer> kinds = kinds(word);
    if (kinds.contains(kind)) {
      return right(word, kind, kind);
    } else if (kinds.size() > 1) {
      return word + " in kind 5000 for an invite, in kind 5002 for an offer";
    }
    return right(word, kind, kinds.get(0));
  }

  private static String right(String text, int kind, int rightKind) {
    String same = kind == rightKind ? ", in lower case and without blanks" : "";
    return text + " in kind " + rightKind + same;
  }
}
