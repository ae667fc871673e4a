package gambit.core.store.disk;

import gambit.core.model.Event;
import gambit.core.store.LogGroup;
import gambit.core.store.disk.log.RecordGroup;
import gambit.core.store.disk.log.Records;
import gambit.core.store.disk.log.Segment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The file of a segment that no store has open, for finding and damaging its records. */
public final class LogFile {
  private final Path path;
  private final ByteBuffer bytes;

  /** The location of a record. */
  public record RecordLocation(LogFile file, int at, long offset) {
    public int kind() {
      return Records.kind(file.bytes, at);
    }

    public int size() {
      return Records.size(file.bytes, at);
    }

    public Event event() {
      return Records.event(file.bytes, at, offset).event();
    }

    public boolean isIntact() {
      return Records.isIntact(file.bytes, at, offset);
    }

    /** The position of the event's signature in the record. */
    public static int signaturePosition() {
      return Records.packedEventAt(0) + 64;
    }

    /** Overwrites the record with one of the same length. */
    public void overwriteWith(RecordLocation other) throws IOException {
      for (int i = 0; i < size(); i++) {
        file.bytes.put(at + i, other.file.bytes.get(other.at + i));
      }
      file.save();
    }

    /** Flips a bit of the byte at that distance from the start of the record. */
    public void flipBit(int distance) throws IOException {
      file.bytes.put(at + distance, (byte) (file.bytes.get(at + distance) ^ 4));
      file.save();
    }
  }

  private LogFile(Path path) throws IOException {
    this.path = path;
    this.bytes = ByteBuffer.wrap(Files.readAllBytes(path));
  }

  /** All log files of a store in order. */
  public static List<LogFile> all(StoreDirectory directory) throws IOException {
    List<LogFile> files = new ArrayList<>();
    for (Path path : directory.segments()) {
      files.add(new LogFile(path));
    }
    return files;
  }

  public String name() {
    return path.getFileName().toString();
  }

  public boolean isRewritten() {
    return bytes.getInt(12) == 1;
  }

  /** The records. */
  public List<RecordLocation> records() {
    List<RecordLocation> found = new ArrayList<>();
    if (isRewritten()) {
      int count = bytes.getInt(bytes.capacity() - Segment.FOOT_BYTES);
      for (int i = 0; i < count; i++) {
        int entry = bytes.capacity() - Segment.FOOT_BYTES - (count - i) * Segment.ENTRY_BYTES;
        found.add(new RecordLocation(this, bytes.getInt(entry + 8), bytes.getLong(entry)));
      }
      return found;
    }
    int group = Segment.HEAD_BYTES;
    while (isGroup(group)) {
      int at = group + RecordGroup.HEAD_BYTES;
      for (int i = 0; i < RecordGroup.recordCount(bytes, group); i++) {
        found.add(new RecordLocation(this, at, bytes.getLong(16) + at - Segment.HEAD_BYTES));
        at += Records.size(bytes, at);
      }
      group += RecordGroup.size(bytes, group);
    }
    return found;
  }

  /** The groups; none if the segment is rewritten. */
  public List<LogGroup> groups() {
    List<LogGroup> found = new ArrayList<>();
    if (!isRewritten()) {
      for (int at = Segment.HEAD_BYTES; isGroup(at); at += RecordGroup.size(bytes, at)) {
        found.add(RecordGroup.copy(bytes, at, bytes.getLong(16) + at - Segment.HEAD_BYTES));
      }
    }
    return found;
  }

  /** The position of the last group. */
  public int lastGroupPosition() {
    int at = Segment.HEAD_BYTES;
    while (isGroup(at + RecordGroup.size(bytes, at))) {
      at += RecordGroup.size(bytes, at);
    }
    return at;
  }

  /** The number of used bytes, without the padding of the last group. */
  public int usedBytes() {
    if (isRewritten()) {
      return bytes.capacity();
    }
    int last = lastGroupPosition();
    return last + RecordGroup.HEAD_BYTES + bytes.getInt(last + 4);
  }

  private boolean isGroup(int at) {
    return RecordGroup.isGroup(bytes, at, bytes.capacity(), bytes.getLong(48));
  }

  /** Truncates the file. */
  public void truncate(int size) throws IOException {
    Files.write(path, Arrays.copyOf(bytes.array(), size));
  }

  /** Overwrites the second group with the first one, which has the same length. */
  public void repeatFirstGroup() throws IOException {
    int size = RecordGroup.size(bytes, Segment.HEAD_BYTES);
    for (int i = 0; i < size; i++) {
      bytes.put(Segment.HEAD_BYTES + size + i, bytes.get(Segment.HEAD_BYTES + i));
    }
    save();
  }

  /** Flips a bit of a byte. */
  public void flipBit(int at) throws IOException {
    bytes.put(at, (byte) (bytes.get(at) ^ 4));
    save();
  }

  /** The records of events. */
  public List<RecordLocation> events() {
    return records().stream().filter(it -> it.kind() == Records.EVENT).toList();
  }

  private void save() throws IOException {
    Files.write(path, bytes.array());
  }
}
