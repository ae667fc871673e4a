package gambit.core.store.disk;

import gambit.core.model.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A segment's file while no store has it open: where its records are, and damage done to them. */
final class LogFile {
  private final Path path;
  private final ByteBuffer bytes;

  /** A record in it. */
  record RecordLocation(LogFile file, int at, long offset) {
    int kind() {
      return Records.kind(file.bytes, at);
    }

    int size() {
      return Records.size(file.bytes, at);
    }

    Event event() {
      return Records.event(file.bytes, at, offset).event();
    }

    boolean isIntact() {
      return Records.isIntact(file.bytes, at, offset);
    }

    /** Where its event's signature begins, counted from the record. */
    static int signaturePosition() {
      return Records.packedEventAt(0) + 64;
    }

    /** Puts the bytes of a record of the same length in its place. */
    void overwriteWith(RecordLocation other) throws IOException {
      for (int i = 0; i < size(); i++) {
        file.bytes.put(at + i, other.file.bytes.get(other.at + i));
      }
      file.save();
    }

    /** Changes a bit of the byte that stands so far behind the record's begin. */
    void flipBit(int distance) throws IOException {
      file.bytes.put(at + distance, (byte) (file.bytes.get(at + distance) ^ 4));
      file.save();
    }
  }

  private LogFile(Path path) throws IOException {
    this.path = path;
    this.bytes = ByteBuffer.wrap(Files.readAllBytes(path));
  }

  /** Those of a store in their order. */
  static List<LogFile> all(StoreDirectory directory) throws IOException {
    List<LogFile> files = new ArrayList<>();
    for (Path path : directory.segments()) {
      files.add(new LogFile(path));
    }
    return files;
  }

  String name() {
    return path.getFileName().toString();
  }

  int version() {
    return bytes.getInt(8);
  }

  boolean isRewritten() {
    return bytes.getInt(12) == 1;
  }

  /** Its records, without those of void groups. */
  List<RecordLocation> records() {
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
      int at = group + Group.HEAD_BYTES;
      for (int i = 0; i < Group.recordCount(bytes, group); i++) {
        found.add(new RecordLocation(this, at, bytes.getLong(16) + at - Segment.HEAD_BYTES));
        at += Records.size(bytes, at);
      }
      group += Group.size(bytes, group);
    }
    return found;
  }

  /** How many groups it has; none if it was rewritten. */
  int groupCount() {
    int groups = 0;
    if (!isRewritten()) {
      for (int at = Segment.HEAD_BYTES; isGroup(at); at += Group.size(bytes, at)) {
        groups++;
      }
    }
    return groups;
  }

  /** Where its last group begins. */
  int lastGroupPosition() {
    int at = Segment.HEAD_BYTES;
    while (isGroup(at + Group.size(bytes, at))) {
      at += Group.size(bytes, at);
    }
    return at;
  }

  /** How many of its bytes mean something, but for the zeros at the end of a group. */
  int usedBytes() {
    if (isRewritten()) {
      return bytes.capacity();
    }
    int last = lastGroupPosition();
    return last + Group.HEAD_BYTES + bytes.getInt(last + 4);
  }

  private boolean isGroup(int at) {
    return Group.isGroup(bytes, at, bytes.capacity(), bytes.getLong(48));
  }

  /** Cuts its end off. */
  void truncate(int size) throws IOException {
    Files.write(path, Arrays.copyOf(bytes.array(), size));
  }

  /** Puts the first group's bytes in the place of the second one, which has the same length. */
  void repeatFirstGroup() throws IOException {
    int size = Group.size(bytes, Segment.HEAD_BYTES);
    for (int i = 0; i < size; i++) {
      bytes.put(Segment.HEAD_BYTES + size + i, bytes.get(Segment.HEAD_BYTES + i));
    }
    save();
  }

  /** Changes a bit of a byte. */
  void flipBit(int at) throws IOException {
    bytes.put(at, (byte) (bytes.get(at) ^ 4));
    save();
  }

  /** Its events' records. */
  List<RecordLocation> events() {
    return records().stream().filter(it -> it.kind() == Records.EVENT).toList();
  }

  private void save() throws IOException {
    Files.write(path, bytes.array());
  }
}
