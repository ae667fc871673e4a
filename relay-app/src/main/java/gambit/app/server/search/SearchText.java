package gambit.app.server.search;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a {@code search} (NIP-50), read: an event must contain all its phrases. A part
 * between spaces, or between quotation marks, is a phrase of one or more successive words. {@code
 * nsfw:false} excludes events with a content warning (NIP-36). Other parts of the form {@code
 * key:value} are ignored. Everything else, wildcards and operators too, is plain text. Immutable.
 *
 * @param phrases what must be contained; none if the text has no word, and then nothing matches
 */
record SearchText(List<Phrase> phrases, boolean excludesSensitive) {
  static final int MAX_WORDS = 64;
  private static final Pattern EXTENSION = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*:(?!//)\\S+");
  private static final Pattern PART = Pattern.compile("\"([^\"]*)\"?|[^\\s\"]+");

  static SearchText read(String text, WordAnalyzer analyzer) {
    List<Phrase> phrases = new ArrayList<>();
    boolean excludesSensitive = false;
    Matcher part = PART.matcher(text);
    while (part.find()) {
      String quoted = part.group(1);
      if (quoted == null && EXTENSION.matcher(part.group()).matches()) {
        excludesSensitive |= part.group().equalsIgnoreCase("nsfw:false");
        continue;
      }
      List<String> words = analyzer.words(quoted == null ? part.group() : quoted);
      if (!words.isEmpty()) {
        phrases.add(new Phrase(words));
      }
    }
    return new SearchText(List.copyOf(phrases), excludesSensitive);
  }

  int wordCount() {
    return phrases.stream().mapToInt(phrase -> phrase.words().size()).sum();
  }

  /**
   * Successive words that a search asks for, found in time linear in the length of a text (Knuth,
   * Morris and Pratt). Immutable.
   */
  static final class Phrase {
    private final List<String> words;

    /** For each word, how many words before and with it are the beginning of the phrase again. */
    private final int[] repeated;

    Phrase(List<String> words) {
      this.words = words;
      this.repeated = new int[words.size()];
      for (int i = 1; i < repeated.length; i++) {
        repeated[i] = matched(repeated[i - 1], words.get(i));
      }
    }

    List<String> words() {
      return words;
    }

    boolean isIn(Iterable<String> text) {
      int matched = 0;
      for (String word : text) {
        matched = matched(matched, word);
        if (matched == words.size()) {
          return true;
        }
      }
      return false;
    }

    /** The number of matched words of the phrase, fewer than all, after one more word of a text. */
    private int matched(int before, String next) {
      int matched = before;
      while (matched > 0 && !words.get(matched).equals(next)) {
        matched = repeated[matched - 1];
      }
      return words.get(matched).equals(next) ? matched + 1 : matched;
    }
  }
}
