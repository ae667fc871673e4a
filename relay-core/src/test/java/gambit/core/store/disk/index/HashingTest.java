package gambit.core.store.disk.index;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HashingTest {
  private static final byte[] KEY = {1, 2, 3};

  private final Hashing hashing = new Hashing(KEY);

  @Test
  void rememberedHashesAreThoseOfANewInstance() {
    for (int round = 0; round < 2; round++) {
      for (int i = 0; i < 20_000; i++) {
        String text = "text " + i % 7_000;
        assertThat(hashing.text('t', text)).isEqualTo(new Hashing(KEY).text('t', text));
      }
    }
  }

  @Test
  void textsWithOneHashCodeAndOtherLettersHaveOtherHashes() {
    assertThat("BB").hasSameHashCodeAs("Aa");
    Set<Long> hashes = new HashSet<>();
    for (int round = 0; round < 2; round++) {
      for (String text : new String[] {"Aa", "BB", "", "x".repeat(100)}) {
        hashes.add(hashing.text('e', text));
        hashes.add(hashing.text('p', text));
      }
    }
    assertThat(hashes).hasSize(8);
  }

  @Test
  void hashesDependOnTheKey() {
    assertThat(hashing.text('e', "a")).isNotEqualTo(new Hashing(new byte[3]).text('e', "a"));
  }
}
