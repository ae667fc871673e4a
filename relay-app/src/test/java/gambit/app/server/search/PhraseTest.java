package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.RandomAccess;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PhraseTest {

  @Test
  void phraseIsFoundWhereItsWordsFollowEachOther() {
    SearchText.Phrase phrase = new SearchText.Phrase(List.of("a", "b"));
    assertThat(phrase.isIn(List.of("x", "a", "a", "b"))).isTrue();
    assertThat(phrase.isIn(List.of("a", "x", "b"))).isFalse();
    assertThat(phrase.isIn(List.of("b", "a"))).isFalse();
    assertThat(phrase.isIn(List.of())).isFalse();
  }

  @Test
  void phrasesThatRepeatThemselvesAreFoundExactlyWhereTheyAre() {
    Random random = new Random(1);
    int found = 0;
    for (int i = 0; i < 5000; i++) {
      List<String> words = words(random, 1 + random.nextInt(6));
      List<String> text = words(random, random.nextInt(25));
      boolean isIn = new SearchText.Phrase(words).isIn(text);
      assertThat(isIn)
          .as(words + " " + text)
          .isEqualTo(Collections.indexOfSubList(text, words) >= 0);
      found += isIn ? 1 : 0;
    }
    assertThat(found).isBetween(1000, 4000);
  }

  private static List<String> words(Random random, int count) {
    return Stream.generate(() -> random.nextBoolean() ? "a" : "b").limit(count).toList();
  }

  @Test
  void workIsLinearForWordsThatAlmostMatchEverywhere() {
    CountedReads words = new CountedReads(phraseThatAlmostMatches());
    SearchText.Phrase phrase = new SearchText.Phrase(words);
    words.reads = 0;
    CountedReads text = new CountedReads(Collections.nCopies(32_000, "a"));
    assertThat(phrase.isIn(text)).isFalse();
    assertThat(text.reads).isEqualTo(32_000);
    assertThat(words.reads).isLessThan(4 * 32_000);
  }

  private static List<String> phraseThatAlmostMatches() {
    return Stream.concat(Collections.nCopies(63, "a").stream(), Stream.of("b")).toList();
  }

  private static final class CountedReads extends AbstractList<String> implements RandomAccess {
    private final List<String> words;
    private int reads;

    CountedReads(List<String> words) {
      this.words = words;
    }

    @Override
    public String get(int index) {
      reads++;
      return words.get(index);
    }

    @Override
    public int size() {
      return words.size();
    }
  }
}
