package gambit.app.common;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.jline.utils.Levenshtein;

/** Finds the word that was probably meant by a misspelt one. Pure. */
public final class SimilarWords {
  private SimilarWords() {}

  /** The most similar word, if one is similar enough: two letters, or a fifth of them, differ. */
  public static Optional<String> find(String word, Collection<String> known) {
    int most = Math.max(2, word.length() / 5);
    return known.stream()
        .filter(
            each ->
                Levenshtein.distance(word, each) <= most
                    && Levenshtein.distance(word, each) < word.length())
        .min(Comparator.comparingInt(each -> Levenshtein.distance(word, each)));
  }
}
