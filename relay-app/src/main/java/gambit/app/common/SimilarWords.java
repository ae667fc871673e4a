package gambit.app.common;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Finds the word that was probably meant by a misspelt one. Pure. */
public final class SimilarWords {
  private SimilarWords() {}

  /** The most similar word, if one is similar enough: two letters, or a fifth of them, differ. */
  public static Optional<String> find(String word, Collection<String> known) {
    int most = Math.max(2, word.length() / 5);
    return known.stream()
        .filter(each -> distance(word, each) <= most && distance(word, each) < word.length())
        .min(Comparator.comparingInt(each -> distance(word, each)));
  }

  /** The number of characters to insert, remove or replace to get from one word to the other. */
  private static int distance(String from, String to) {
    int[] previous = new int[to.length() + 1];
    for (int column = 0; column <= to.length(); column++) {
      previous[column] = column;
    }
    for (int row = 1; row <= from.length(); row++) {
      int[] current = new int[to.length() + 1];
      current[0] = row;
      for (int column = 1; column <= to.length(); column++) {
        int replaced = from.charAt(row - 1) == to.charAt(column - 1) ? 0 : 1;
        current[column] =
            Math.min(
                previous[column - 1] + replaced,
                1 + Math.min(previous[column], current[column - 1]));
      }
      previous = current;
    }
    return previous[to.length()];
  }
}
