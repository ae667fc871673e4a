package gambit.app.server.search;

import java.util.List;

/**
 * Successive words that a search asks for, found in time linear in the length of a text (Knuth,
 * Morris and Pratt). Immutable.
 */
final class Phrase {
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
