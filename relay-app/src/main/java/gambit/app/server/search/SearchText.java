package gambit.app.server.search;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The text of a {@code search} (NIP-50), read: an event must contain all its phrases. A part
 * between spaces, or between quotation marks, is a phrase of one or more successive words. {@code
 * nsfw:false} excludes events with a content warning (NIP-36). Other parts of the form {@code
 * key:value} are extensions that this relay does not know, and are ignored. Everything else,
 * wildcards and operators too, is plain text. Immutable.
 *
 * @param phrases what must be contained; none if the text has no word, and then nothing matches
 */
record SearchText(List<Phrase> phrases, boolean excludesSensitive) {
  static final int MAX_WORDS = 64;
  private static final Pattern EXTENSION = Pattern.compile("[A-Za-z][A-Za-z0-9_-]*:(?!//)\\S+");
  private static final Pattern PART = Pattern.compile("\"([^\"]*)\"?|[^\\s\"]+");

  static SearchText read(String text, WordAnalyzer analyzer) {
    List<Phrase> phrases = new ArrayList<>();
    boolean[] excludesSensitive = new boolean[1];
    PART.matcher(text)
        .results()
        .forEach(
            part -> {
              String quoted = part.group(1);
              if (quoted == null && EXTENSION.matcher(part.group()).matches()) {
                excludesSensitive[0] |= part.group().equalsIgnoreCase("nsfw:false");
                return;
              }
              List<String> words = analyzer.words(quoted == null ? part.group() : quoted);
              if (!words.isEmpty()) {
                phrases.add(new Phrase(words));
              }
            });
    return new SearchText(List.copyOf(phrases), excludesSensitive[0]);
  }

  int wordCount() {
    return phrases.stream().mapToInt(phrase -> phrase.words().size()).sum();
  }
}
