package gambit.core.management;

import gambit.core.feature.Row;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of one type in table {@value #TABLE}, held in memory by their keys, which are texts of
 * at most 255 bytes. A row's key is the letter of the type and that text, its value the JSON of a
 * record. Thread-safe.
 */
final class RowMap<V> {
  static final String TABLE = "members";

  private final char type;
  private final Class<V> form;
  private final Map<String, V> values = new ConcurrentHashMap<>();

  RowMap(char type, Class<V> form, Map<String, byte[]> rows) {
    this.type = type;
    this.form = form;
    rows.forEach((key, value) -> changed(key, Optional.of(value)));
  }

  /** The values in force by their keys. */
  Map<String, V> values() {
    return values;
  }

  @Nullable V get(String key) {
    return values.get(key);
  }

  /** The values as they are after some changes. */
  Map<String, V> after(List<ManagementChanges.Change<?, ?>> changes) {
    Map<String, V> after = new HashMap<>(values);
    for (ManagementChanges.Change<?, ?> change : changes) {
      if (change.inForce() == values && change.value() == null) {
        after.remove(change.key());
      } else if (change.inForce() == values) {
        after.put((String) change.key(), form.cast(change.value()));
      }
    }
    return after;
  }

  /** The change that puts a value in force, or removes it if it is null. */
  ManagementChanges.Change<String, V> change(String key, @Nullable V value) {
    byte[] rowKey = (type + key).getBytes(StandardCharsets.UTF_8);
    byte[] rowValue = value == null ? null : ManagementRows.json(value);
    return new ManagementChanges.Change<>(values, key, value, new Row(TABLE, rowKey, rowValue));
  }

  /** Follows a committed row, by its key in hex; one of another type is ignored. */
  void changed(String hexKey, Optional<byte[]> row) {
    String key = new String(HexFormat.of().parseHex(hexKey), StandardCharsets.UTF_8);
    if (key.charAt(0) != type) {
      return;
    }
    String name = key.substring(1);
    row.ifPresentOrElse(
        value -> values.put(name, ManagementRows.read(TABLE, hexKey, value, form)),
        () -> values.remove(name));
  }
}
