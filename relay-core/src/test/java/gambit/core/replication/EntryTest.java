package gambit.core.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import gambit.core.store.LogGroup;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class EntryTest {
  @Property(tries = 100)
  void entryIsReadAsItWasWritten(@ForAll long seed) {
    Entry entry = entry(new RandomValues(new Random(seed)));
    Entry read = Entry.decode(entry.encode());
    assertThat(read).usingRecursiveComparison().isEqualTo(entry);
  }

  private static Entry entry(RandomValues random) {
    return new Entry(
        random.anyNumber(),
        random.anyNumber(),
        random.anyNumber(),
        (int) random.anyNumber(),
        new LogGroup(1 + random.below(9), random.natural(), random.below(9), random.someBytes()),
        random.someBytes());
  }

  @Property(tries = 300)
  void damagedEntryIsReadOrRefused(@ForAll long seed) {
    RandomValues random = new RandomValues(new Random(seed));
    byte[] damaged = random.damaged(entry(random).encode());
    try {
      assertThat(Entry.decode(damaged).encode()).isEqualTo(damaged);
    } catch (IllegalArgumentException | RecordCodec.UnknownVersion e) {
      assertThat(e).hasMessageMatching(".+");
    }
  }

  @Test
  void entryThatEndsWithinItsRecordsIsRefused() {
    byte[] encoded =
        new Entry(1, 2, 3, 4, new LogGroup(5, 6, 1, new byte[10]), new byte[0]).encode();
    for (int length = 0; length < encoded.length; length++) {
      byte[] truncated = Arrays.copyOf(encoded, length);
      assertThatExceptionOfType(IllegalArgumentException.class)
          .isThrownBy(() -> Entry.decode(truncated));
    }
  }

  @Test
  void entryOfANewerVersionTellsOperatorsToUpgrade() {
    byte[] encoded =
        new Entry(1, 2, 3, 4, new LogGroup(5, 6, 1, new byte[10]), new byte[0]).encode();
    encoded[0] = (byte) 200;
    assertThatExceptionOfType(RecordCodec.UnknownVersion.class)
        .isThrownBy(() -> Entry.decode(encoded))
        .withMessage(
            "The entry of the shared log has version 200, and this node knows versions up to 1:"
                + " it is older than another node and must be upgraded");
  }
}
