package gambit.core.replication;

import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random values of every form that nodes exchange, with borderline cases. */
final class RandomValues {
  private static final String CHARACTERS =
      "abc \"\\/\b\f\n\r\t\u0000\u0001\u001f\u007f\u0080é€\u2028\ufffe\uffff";

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  void shuffle(List<?> list) {
    Collections.shuffle(list, random);
  }

  boolean flag() {
    return random.nextBoolean();
  }

  /** A number of any length. */
  long number() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt(3);
      case 1 -> Long.MAX_VALUE;
      default -> natural();
    };
  }

  long anyNumber() {
    return random.nextInt(5) == 0 ? Long.MIN_VALUE : random.nextLong();
  }

  long natural() {
    return random.nextLong() >>> 1 + random.nextInt(62);
  }

  byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  byte[] someBytes() {
    return bytes(random.nextInt(20));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      int at = random.nextInt(CHARACTERS.length() + 1);
      text.append(at < CHARACTERS.length() ? "" + CHARACTERS.charAt(at) : "😀");
    }
    return text.toString();
  }

  EventId id() {
    return new EventId(bytes(32));
  }

  PubKey key() {
    return new PubKey(bytes(32));
  }

  <T> List<T> list(int below, Supplier<T> element) {
    List<T> list = new ArrayList<>();
    for (int i = random.nextInt(below); i > 0; i--) {
      list.add(element.get());
    }
    return list;
  }

  <T> Set<T> set(int below, Supplier<T> element) {
    return new HashSet<>(list(below, element));
  }

  <T> @Nullable T maybe(Supplier<T> value) {
    return random.nextBoolean() ? value.get() : null;
  }

  /** An event with any texts, whose id and signature are random. */
  Event event() {
    List<List<String>> tags =
        list(
            4,
            () -> {
              List<String> tag = new ArrayList<>(list(3, this::text));
              tag.add(text());
              return tag;
            });
    return EventEncoder.encode(
        id(), key(), natural(), random.nextInt(65_536), new Tags(tags), text(), bytes(64));
  }

  Filter filter() {
    Map<Character, Set<String>> tags = new HashMap<>();
    for (int i = random.nextInt(3); i > 0; i--) {
      tags.put("apZ".charAt(random.nextInt(3)), set(12, this::text));
    }
    return new Filter(
        maybe(() -> set(12, this::id)),
        maybe(() -> set(12, this::key)),
        maybe(() -> set(4, () -> random.nextInt(65_536))),
        tags,
        maybe(this::number),
        maybe(this::number),
        maybe(this::number),
        maybe(this::text));
  }

  /** One, two or three changes of an encoding: bytes replaced, removed or repeated. */
  byte[] damaged(byte[] encoded) {
    byte[] bytes = encoded;
    for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> bytes = without(bytes, at);
        default -> {
          bytes = bytes.clone();
          bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] + 1);
        }
      }
    }
    return bytes;
  }

  private static byte[] without(byte[] bytes, int at) {
    byte[] rest = new byte[bytes.length - 1];
    System.arraycopy(bytes, 0, rest, 0, at);
    System.arraycopy(bytes, at + 1, rest, at, rest.length - at);
    return rest;
  }
}
