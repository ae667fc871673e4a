package gambit.core.replication;

import gambit.core.model.Bytes32;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PackedEvent;
import gambit.core.model.PubKey;
import gambit.core.wire.Utf8;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Constructor;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The binary form of records, which follows from the types of their components: numbers take seven
 * bits a byte, the lowest first; texts, arrays and collections begin with their length, and what
 * may be null or empty with a flag; a value of a sealed interface or of an enumeration begins with
 * the place of its type or constant. Reading fails with {@link IllegalArgumentException} for any
 * other bytes, and allocates no more than a small multiple of their number. As thread-safe as its
 * form of events.
 */
final class RecordCodec<T> {
  /**
   * An entry or a message has a version that this program does not know. Its message is a sentence
   * for operators.
   */
  static final class UnknownVersion extends RuntimeException {
    private UnknownVersion(String message) {
      super(message);
    }
  }

  record Form<V>(BiConsumer<V, ByteArrayOutputStream> writer, Function<ByteBuffer, V> reader) {
    void write(V value, ByteArrayOutputStream out) {
      writer.accept(value, out);
    }

    V read(ByteBuffer in) {
      return reader.apply(in);
    }

    /** The form of another type, whose values are written as those of this one. */
    <W> Form<W> as(Function<W, V> to, Function<V, W> from) {
      return new Form<>(
          (value, out) -> write(to.apply(value), out), in -> from.apply(reader.apply(in)));
    }
  }

  static final Form<Long> NUMBER =
      new Form<>((value, out) -> writeNumber(value, out), RecordCodec::readNumber);
  static final Form<byte[]> BYTES = new Form<>(RecordCodec::writeBytes, RecordCodec::readBytes);

  /** An event byte for byte, with its signature. */
  static final Form<Event> EVENT = BYTES.as(RecordCodec::packed, RecordCodec::unpacked);

  private final Map<Type, Form<?>> forms = new HashMap<>();
  private final Form<T> root;

  RecordCodec(Class<T> type) {
    this(type, EVENT);
  }

  /** The codec of a type, with a form of the events in its records. */
  RecordCodec(Class<T> type, Form<Event> events) {
    forms.put(Event.class, events);
    forms.put(byte[].class, BYTES);
    forms.put(String.class, BYTES.as(RecordCodec::utf8, RecordCodec::text));
    forms.put(EventId.class, BYTES.as(Bytes32::bytes, EventId::new));
    forms.put(PubKey.class, BYTES.as(Bytes32::bytes, PubKey::new));
    Form<Integer> integers =
        NUMBER.as(value -> value & 0xffff_ffffL, it -> (int) upTo(0xffff_ffffL, it));
    put(long.class, Long.class, NUMBER);
    put(int.class, Integer.class, integers);
    put(char.class, Character.class, NUMBER.as(it -> (long) it, it -> (char) upTo(0xffff, it)));
    put(boolean.class, Boolean.class, NUMBER.as(it -> it ? 1L : 0L, it -> upTo(1, it) == 1));
    root = formOf(type);
  }

  private void put(Class<?> primitive, Class<?> boxed, Form<?> form) {
    forms.put(primitive, form);
    forms.put(boxed, form);
  }

  void write(T value, ByteArrayOutputStream out) {
    root.write(value, out);
  }

  List<T> readAll(ByteBuffer in) {
    try {
      List<T> all = new ArrayList<>();
      while (in.hasRemaining()) {
        all.add(root.read(in));
      }
      return all;
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("too short", e);
    }
  }

  byte[] encode(int version, T value, int capacity) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(capacity);
    out.write(version);
    write(value, out);
    return out.toByteArray();
  }

  /**
   * Reads the encoding of one record.
   *
   * @param what the name of what has the version, at the beginning of a sentence
   * @param newest the newest version that this program knows
   * @throws UnknownVersion when a newer program has written it
   */
  T decode(String what, int newest, byte[] encoded) {
    int version = encoded.length == 0 ? 0 : encoded[0] & 0xff; // the oldest is 1
    if (version == 0) {
      throw new IllegalArgumentException("there is no version 0");
    }
    if (version > newest) {
      throw new UnknownVersion(
          ("%s has version %s, and this node knows versions up to %s: it is older than another node"
                  + " and must be upgraded")
              .formatted(what, version, newest));
    }
    List<T> all = readAll(ByteBuffer.wrap(encoded).position(1));
    if (all.size() != 1) {
      throw new IllegalArgumentException(all.size() + " records in place of one");
    }
    return all.get(0);
  }

  // ---- the form of a type

  @SuppressWarnings("unchecked")
  private <V> Form<V> formOf(Type type) {
    Form<?> known = forms.get(type);
    if (known == null) {
      known =
          type instanceof ParameterizedType it ? formOfGeneric(it) : formOfClass((Class<?>) type);
      forms.put(type, known);
    }
    return (Form<V>) known;
  }

  private Form<?> formOfGeneric(ParameterizedType type) {
    Type[] of = type.getActualTypeArguments();
    Form<Object> element = formOf(of[0]);
    Form<List<Object>> list = listOf(element);
    if (type.getRawType() == List.class) {
      return list;
    } else if (type.getRawType() == Set.class) {
      return list.<Set<Object>>as(ArrayList::new, LinkedHashSet::new);
    } else if (type.getRawType() == Optional.class) {
      return nullable(element).<Optional<Object>>as(it -> it.orElse(null), Optional::ofNullable);
    } else if (type.getRawType() == Map.class) {
      return mapOf(element, formOf(of[1]));
    }
    throw new IllegalStateException("no form of " + type);
  }

  private static <V> Form<List<V>> listOf(Form<V> element) {
    return new Form<>(
        (list, out) -> {
          writeNumber(list.size(), out);
          list.forEach(it -> element.write(it, out));
        },
        in -> {
          int count = (int) upTo(in.remaining(), readNumber(in));
          List<V> list = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            list.add(element.read(in));
          }
          return list;
        });
  }

  private static <K, V> Form<Map<K, V>> mapOf(Form<K> keys, Form<V> values) {
    Form<Map.Entry<K, V>> entry =
        new Form<>(
            (it, out) -> {
              keys.write(it.getKey(), out);
              values.write(it.getValue(), out);
            },
            in -> Map.entry(keys.read(in), values.read(in)));
    return listOf(entry)
        .as(
            map -> List.copyOf(map.entrySet()),
            entries -> {
              Map<K, V> map = new HashMap<>();
              entries.forEach(it -> map.put(it.getKey(), it.getValue()));
              return map;
            });
  }

  private static <V> Form<@Nullable V> nullable(Form<V> form) {
    return new Form<>(
        (value, out) -> {
          out.write(value == null ? 0 : 1);
          if (value != null) {
            form.write(value, out);
          }
        },
        in -> upTo(1, in.get()) == 0 ? null : form.read(in));
  }

  private Form<?> formOfClass(Class<?> type) {
    if (type.isEnum()) {
      List<?> constants = List.of(type.getEnumConstants());
      return NUMBER.as(
          it -> (long) constants.indexOf(it),
          it -> constants.get((int) upTo(constants.size() - 1, it)));
    }
    return type.isSealed() ? formOfUnion(type) : formOfRecord(type);
  }

  private Form<Object> formOfUnion(Class<?> type) {
    List<Class<?>> types = List.of(type.getPermittedSubclasses());
    List<Form<Object>> members = types.stream().map(this::<Object>formOf).toList();
    return new Form<>(
        (value, out) -> {
          int place = types.indexOf(value.getClass());
          writeNumber(place, out);
          members.get(place).write(value, out);
        },
        in -> members.get((int) upTo(members.size() - 1, readNumber(in))).read(in));
  }

  private <R> Form<R> formOfRecord(Class<R> type) {
    RecordComponent[] components = type.getRecordComponents();
    List<Form<Object>> parts =
        Stream.of(components).map(it -> formOfComponent(it.getAnnotatedType())).toList();
    Constructor<R> constructor = constructor(type, components);
    return new Form<>(
        (value, out) -> {
          for (int i = 0; i < components.length; i++) {
            parts.get(i).write(component(components[i], value), out);
          }
        },
        in -> {
          Object[] values = new Object[components.length];
          for (int i = 0; i < values.length; i++) {
            values[i] = parts.get(i).read(in);
          }
          return newRecord(constructor, values);
        });
  }

  private Form<Object> formOfComponent(AnnotatedType component) {
    Form<Object> form = formOf(component.getType());
    return component.isAnnotationPresent(Nullable.class) ? nullable(form) : form;
  }

  private static <R> Constructor<R> constructor(Class<R> type, RecordComponent[] components) {
    try {
      return type.getDeclaredConstructor(
          Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no form of " + type, e);
    }
  }

  private static Object component(RecordComponent component, Object of) {
    try {
      return component.getAccessor().invoke(of);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("every record has its components", e);
    }
  }

  private static <R> R newRecord(Constructor<R> constructor, Object[] components) {
    try {
      return constructor.newInstance(components);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("no " + constructor.getDeclaringClass(), e);
    }
  }

  // ---- values

  private static void writeNumber(long value, ByteArrayOutputStream out) {
    long left = value;
    while ((left & ~0x7f) != 0) {
      out.write((int) (left & 0x7f | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  private static long readNumber(ByteBuffer in) {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = in.get() & 0xff;
      value |= (long) (next & 0x7f) << shift;
      if (next < 0x80) {
        if ((next == 0 && shift > 0) || (shift == 63 && next > 1)) {
          throw new IllegalArgumentException("not a number in its shortest form");
        }
        return value;
      }
    }
    throw new IllegalArgumentException("a number of more than 64 bits");
  }

  private static long upTo(long max, long value) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException("a number above " + max);
    }
    return value;
  }

  private static void writeBytes(byte[] bytes, ByteArrayOutputStream out) {
    writeNumber(bytes.length, out);
    out.writeBytes(bytes);
  }

  private static byte[] readBytes(ByteBuffer in) {
    byte[] bytes = new byte[(int) upTo(in.remaining(), readNumber(in))];
    in.get(bytes);
    return bytes;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] utf8) {
    if (!Utf8.isValid(utf8, utf8.length)) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }

  static byte[] packed(Event event) {
    ByteBuffer packed = ByteBuffer.allocate(PackedEvent.sizeInBytes(event));
    PackedEvent.pack(event, packed);
    return packed.array();
  }

  static Event unpacked(byte[] packed) {
    ByteBuffer in = ByteBuffer.wrap(packed);
    if (!PackedEvent.isWellFormed(in, 0, packed.length)) {
      throw new IllegalArgumentException("not an event");
    }
    Event event = PackedEvent.unpack(in, 0, packed.length);
    if (!Utf8.isValid(event.json(), event.json().length)) {
      throw new IllegalArgumentException("not UTF-8");
    }
    return event;
  }
}
