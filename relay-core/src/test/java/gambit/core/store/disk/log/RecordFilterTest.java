package gambit.core.store.disk.log;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.IntFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** A record matches a filter exactly if its event does. */
class RecordFilterTest {
  private static final String HALF_A_CHARACTER = "\ud83d";

  /** Parts of texts that look like the start or the end of a tag when they are encoded. */
  private static final List<String> PARTS =
      List.of("[", "]", "\"", "\\", ",", "t", "p", "[\"t\",\"a\"", "a", "b", "é", "\n", "😀", "?");

  @Property(tries = 500)
  void recordMatchesIfItsEventDoes(@ForAll long seed) {
    Random random = new Random(seed);
    Event event =
        EventEncoder.encode(
            new EventId(bytes(32, random)),
            author(random.nextInt(3)),
            random.nextInt(4),
            random.nextInt(3) * 30_000,
            new Tags(some(5, random, i -> tag(random))),
            text(random),
            bytes(64, random));
    for (int i = 0; i < 20; i++) {
      Filter filter = filter(event, random);
      assertThat(matches(filter, event))
          .as("%s: %s", filter, event)
          .isEqualTo(filter.matches(event));
    }
  }

  @Test
  void halfOfACharacterIsNotItsReplacementInUtf8() {
    Event event =
        EventEncoder.encode(
            new EventId(new byte[32]),
            author(0),
            1,
            1,
            new Tags(List.of(List.of("t", "?"))),
            "",
            new byte[64]);
    assertThat(matches(tagged("?"), event)).isTrue();
    assertThat(matches(tagged(HALF_A_CHARACTER), event)).isFalse();
  }

  private static Filter tagged(String value) {
    return new Filter(null, null, null, Map.of('t', Set.of(value)), null, null, null);
  }

  /** As a page reads a record: the packed form first, then the tags. */
  private static boolean matches(Filter filter, Event event) {
    ByteBuffer packed = ByteBuffer.allocate(7 + PackedEvent.sizeInBytes(event)).position(7);
    PackedEvent.pack(event, packed);
    RecordFilter record = new RecordFilter(filter);
    return record.matchesIgnoringTags(packed, 7)
        && record.matchesTags(PackedEvent.unpack(packed, 7, packed.capacity() - 7));
  }

  private static Filter filter(Event event, Random random) {
    Map<Character, Set<String>> tags = new HashMap<>();
    while (random.nextInt(2) == 0) {
      Set<String> values = new HashSet<>(some(random.nextInt(4) * 4, random, i -> text(random)));
      event.tags().list().stream()
          .filter(tag -> tag.size() > 1 && random.nextInt(3) == 0)
          .forEach(tag -> values.add(tag.get(1)));
      tags.put(random.nextBoolean() ? 't' : 'p', values);
    }
    return new Filter(
        random.nextInt(4) > 0 ? null : Set.of(event.id(), new EventId(new byte[32])),
        random.nextInt(3) > 0 ? null : new HashSet<>(some(2, random, i -> author(i))),
        random.nextInt(3) > 0 ? null : new HashSet<>(some(3, random, i -> i * 30_000)),
        tags,
        random.nextInt(3) > 0 ? null : (long) random.nextInt(4),
        random.nextInt(3) > 0 ? null : (long) random.nextInt(4),
        null);
  }

  private static List<String> tag(Random random) {
    List<String> tag = new ArrayList<>();
    tag.add(random.nextInt(4) == 0 ? text(random) : random.nextBoolean() ? "t" : "p");
    tag.addAll(some(3, random, i -> text(random)));
    return tag;
  }

  private static String text(Random random) {
    return String.join("", some(3, random, i -> PARTS.get(random.nextInt(PARTS.size()))));
  }

  /** Up to {@code max} values. */
  private static <T> List<T> some(int max, Random random, IntFunction<T> value) {
    List<T> values = new ArrayList<>();
    for (int i = 0, count = random.nextInt(max + 1); i < count; i++) {
      values.add(value.apply(i));
    }
    return values;
  }

  private static PubKey author(int number) {
    byte[] bytes = new byte[32];
    bytes[31] = (byte) number; // authors differ in the last byte only
    return new PubKey(bytes);
  }

  private static byte[] bytes(int count, Random random) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }
}
