package gambit.core.testkit;

import gambit.core.model.Event;
import gambit.core.model.PackedEvent;
import gambit.core.store.LogGroup;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A change of a transaction of {@link MemoryEventStore}, as a record of a group. Immutable.
 *
 * <pre>
 * addition       1 · expires at 8 · length 4 · packed event
 * event removal  2 · offset 8
 * row            3 · length 4 · name of the table · length 4 · key · length 4 · value
 * row removal    4 · length 4 · name of the table · length 4 · key
 * </pre>
 */
sealed interface MemoryChange {
  int ADDITION = 1;
  int EVENT_REMOVAL = 2;
  int ROW = 3;
  int ROW_REMOVAL = 4;

  /** The most bytes that a change has besides its texts. */
  int MAX_FIXED_BYTES = 16;

  /** An event is added. */
  record Addition(Event event, long expiresAt) implements MemoryChange {}

  /** The event with that offset is removed. */
  record EventRemoval(long offset) implements MemoryChange {}

  /** A row is set, or removed if there is no value. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares changes
  record RowChange(String table, byte[] key, Optional<byte[]> value) implements MemoryChange {}

  /** The records of changes. */
  static byte[] encode(List<MemoryChange> changes) {
    ByteBuffer out = ByteBuffer.allocate(changes.stream().mapToInt(MemoryChange::maxBytes).sum());
    changes.forEach(change -> put(change, out));
    byte[] records = new byte[out.position()];
    out.get(0, records);
    return records;
  }

  /** The most bytes of a change's record. */
  static int maxBytes(MemoryChange change) {
    if (change instanceof Addition addition) {
      return MAX_FIXED_BYTES + PackedEvent.sizeInBytes(addition.event());
    } else if (change instanceof RowChange row) {
      return MAX_FIXED_BYTES
          + 3 * row.table().length()
          + row.key().length
          + row.value().map(value -> value.length).orElse(0);
    }
    return MAX_FIXED_BYTES;
  }

  private static void put(MemoryChange change, ByteBuffer out) {
    if (change instanceof Addition addition) {
      out.put((byte) ADDITION).putLong(addition.expiresAt());
      out.putInt(PackedEvent.sizeInBytes(addition.event()));
      PackedEvent.pack(addition.event(), out);
    } else if (change instanceof EventRemoval removal) {
      out.put((byte) EVENT_REMOVAL).putLong(removal.offset());
    } else if (change instanceof RowChange row) {
      out.put((byte) (row.value().isPresent() ? ROW : ROW_REMOVAL));
      putBytes(row.table().getBytes(StandardCharsets.UTF_8), out);
      putBytes(row.key(), out);
      row.value().ifPresent(value -> putBytes(value, out));
    }
  }

  private static void putBytes(byte[] bytes, ByteBuffer out) {
    out.putInt(bytes.length).put(bytes);
  }

  /**
   * The changes of a group.
   *
   * @throws IllegalArgumentException when its records are not well formed
   */
  static List<MemoryChange> decode(LogGroup group) {
    try {
      ByteBuffer in = ByteBuffer.wrap(group.records());
      List<MemoryChange> changes = new ArrayList<>();
      for (int i = 0; i < group.count(); i++) {
        changes.add(read(in));
      }
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(
            "group " + group.sequence() + " has more bytes than records");
      }
      return changes;
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw new IllegalArgumentException("group " + group.sequence() + " is not well formed", e);
    }
  }

  private static MemoryChange read(ByteBuffer in) {
    int kind = in.get();
    return switch (kind) {
      case ADDITION -> {
        long expiresAt = in.getLong();
        byte[] packed = bytes(in);
        yield new Addition(
            PackedEvent.unpack(ByteBuffer.wrap(packed), 0, packed.length), expiresAt);
      }
      case EVENT_REMOVAL -> new EventRemoval(in.getLong());
      case ROW -> new RowChange(table(in), bytes(in), Optional.of(bytes(in)));
      case ROW_REMOVAL -> new RowChange(table(in), bytes(in), Optional.empty());
      default -> throw new IllegalArgumentException("unknown kind of record: " + kind);
    };
  }

  private static String table(ByteBuffer in) {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(ByteBuffer in) {
    int length = in.getInt();
    if (length < 0 || length > in.remaining()) {
      throw new IllegalArgumentException("the length of a field is wrong: " + length);
    }
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
