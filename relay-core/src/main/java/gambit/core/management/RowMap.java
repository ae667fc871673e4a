package gambit.core.management;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The values of one type in a stored table, held in memory by what the keys of their rows say; the
 * value of a row is the JSON object of a record. Thread-safe.
 */
final class RowMap<K, V> {
  private final String table;
  private final KeyFormat<K> keys;
  private final Class<V> form;
  private final Map<K, V> values;

  /** Created with the first row: its classes are a tenth of those of a start. */
  private static final class Json {
    static final ObjectMapper MAPPER =
        JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .build();
  }

  /**
   * The form of keys.
   *
   * @param read returns null for the key of a row that is of another map of the table
   */
  record KeyFormat<K>(Function<K, byte[]> write, Function<byte[], @Nullable K> read) {
    /** A letter for the type of the values, and a text of at most 255 bytes. */
    static KeyFormat<String> text(char type) {
      return new KeyFormat<>(
          key -> (type + key).getBytes(StandardCharsets.UTF_8),
          row ->
              row[0] == type ? new String(row, 1, row.length - 1, StandardCharsets.UTF_8) : null);
    }
  }

  /** A value that is put in force, or removed if it is null, and its row. Immutable. */
  record Change<K, V>(RowMap<K, V> map, K key, @Nullable V value, Row row) {
    /** Puts the value in force; returns what undoes it, unless another one has replaced it. */
    Runnable apply() {
      Map<K, V> inForce = map.values;
      V before = inForce.get(key);
      put(inForce, key, value);
      return () -> {
        inForce.computeIfPresent(key, (k, now) -> now.equals(value) ? before : now);
        if (value == null && before != null) {
          inForce.putIfAbsent(key, before);
        }
      };
    }
  }

  RowMap(String table, KeyFormat<K> keys, Class<V> form, Map<String, byte[]> rows) {
    this(table, keys, form, rows, new ConcurrentHashMap<>());
  }

  /** Keeps the values in that map, which is thread-safe. */
  RowMap(
      String table, KeyFormat<K> keys, Class<V> form, Map<String, byte[]> rows, Map<K, V> values) {
    this.table = table;
    this.keys = keys;
    this.form = form;
    this.values = values;
    rows.forEach((key, value) -> changed(key, Optional.of(value)));
  }

  Map<K, V> values() {
    return values;
  }

  @Nullable V get(K key) {
    return values.get(key);
  }

  /** The values as they are after some changes. */
  Map<K, V> after(List<Change<?, ?>> changes) {
    Map<K, V> after = new HashMap<>(values);
    changes.stream()
        .filter(it -> it.map() == this)
        .forEach(it -> put(after, keys.read().apply(it.row().key()), form.cast(it.value())));
    return after;
  }

  /** The change that puts a value in force, or removes it if it is null. */
  Change<K, V> change(K key, @Nullable V value) {
    byte[] rowValue = value == null ? null : json(value);
    return new Change<>(this, key, value, new Row(table, keys.write().apply(key), rowValue));
  }

  List<Change<?, ?>> removals(Predicate<V> which) {
    List<Change<?, ?>> removals = new ArrayList<>();
    values.forEach(
        (key, value) -> {
          if (which.test(value)) {
            removals.add(change(key, null));
          }
        });
    return removals;
  }

  /** Follows a committed row, by its key in hex; returns its key, null for one of another map. */
  @Nullable K changed(String hexKey, Optional<byte[]> row) {
    try {
      K key = keys.read().apply(HexFormat.of().parseHex(hexKey));
      if (key != null) {
        put(values, key, row.isEmpty() ? null : Json.MAPPER.readValue(row.get(), form));
      }
      return key;
    } catch (IOException | RuntimeException e) {
      throw new UnreadableRows("The row " + hexKey + " of " + table + " is unreadable", e);
    }
  }

  private static <K, V> void put(Map<K, V> map, K key, @Nullable V value) {
    if (value == null) {
      map.remove(key);
    } else {
      map.put(key, value);
    }
  }

  static byte[] json(Object value) {
    try {
      return Json.MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("texts and numbers can always be encoded", e);
    }
  }
}
