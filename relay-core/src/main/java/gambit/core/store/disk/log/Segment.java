package gambit.core.store.disk.log;

import gambit.core.store.StoreDamaged;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Comparator;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;

/**
 * One file of the log, with the records of a range of offsets. An original segment contains
 * consecutive groups, and the offset of a record determines its position. A rewritten segment
 * contains the records that were live, followed by a table of their offsets and positions.
 *
 * <pre>
 * head       0 magic 8 · version 4 · form 4 · 16 base 8 · 24 end, if rewritten 8
 *            32 sequence number of the first group 8 · 40 of the last one, if rewritten 8
 *            48 salt 8 · 56 generation 4 · 60 CRC-32C of the head 4
 * original   groups
 * rewritten  records · table: offset 8, position 4 · number of records 4, CRC-32C of all before 4
 * </pre>
 *
 * A segment counts its users; the last one closes it. Any thread.
 */
public final class Segment {
  public static final int HEAD_BYTES = 64;
  public static final int ENTRY_BYTES = 12;
  public static final int FOOT_BYTES = 8;

  private static final long MAGIC = 0x47414d424954_4c47L; // GAMBITLG
  private static final int VERSION = 1;
  private static final int FORM_ORIGINAL = 0;
  private static final int FORM_REWRITTEN = 1;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Orders segments by base, and the newer of two with the same base first. */
  static final Comparator<Segment> ORDER =
      Comparator.<Segment>comparingLong(it -> it.base)
          .thenComparing(it -> it.generation, Comparator.reverseOrder());

  private final String name;
  private final Disk.File file;
  private final ByteBuffer view;
  private final boolean isRewritten;
  private final long base;
  private final long end;
  private final long firstSequence;
  private final long lastSequence;
  private final long salt;
  private final int generation;
  private final AtomicInteger users = new AtomicInteger(1);

  private Segment(String name, Disk.File file) throws IOException {
    this.name = name;
    this.file = file;
    this.view = file.view();
    this.isRewritten = view.getInt(12) == FORM_REWRITTEN;
    this.base = view.getLong(16);
    this.end = view.getLong(24);
    this.firstSequence = view.getLong(32);
    this.lastSequence = view.getLong(40);
    this.salt = view.getLong(48);
    this.generation = view.getInt(56);
  }

  /** The head of a new file; for an original segment, {@code end} and {@code last} are 0. */
  public static ByteBuffer head(
      boolean rewritten, long base, long end, long first, long last, int generation) {
    ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
    head.putLong(MAGIC).putInt(VERSION).putInt(rewritten ? FORM_REWRITTEN : FORM_ORIGINAL);
    head.putLong(base).putLong(end).putLong(first).putLong(last);
    head.putLong(RANDOM.nextLong()).putInt(generation);
    return head.putInt(crc(head, HEAD_BYTES - 4)).flip();
  }

  public static String fileName(long base, int generation) {
    return String.format("%016x-%08x.log", base, generation);
  }

  /** Whether that is the name of a log file; other files in the directory are ignored. */
  public static boolean isFileName(String name) {
    return name.matches("[0-9a-f]{16}-[0-9a-f]{8}\\.log");
  }

  /** Opens a file of the log; refuses a damaged head, a truncated file and a newer version. */
  static Segment open(Disk disk, String name) throws IOException {
    Disk.File file = disk.open(name);
    try {
      if (file.size() < HEAD_BYTES) {
        throw new StoreDamaged(name, 0, "the segment's head is truncated");
      }
      ByteBuffer view = file.view();
      if (view.getLong(0) != MAGIC || view.getInt(60) != crc(view, HEAD_BYTES - 4)) {
        throw new StoreDamaged(name, 0, "the segment's head is damaged");
      }
      if (view.getInt(8) != VERSION) {
        throw new IOException(
            ("segment %s has version %s, of a newer version of Gambit; start that version, or restore"
                    + " the data directory from a backup made before the upgrade")
                .formatted(name, view.getInt(8)));
      }
      Segment segment = new Segment(name, file);
      if (segment.isRewritten && segment.isCutOff()) {
        throw new StoreDamaged(name, view.capacity(), "the segment is truncated");
      }
      return segment;
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  public static int crc(ByteBuffer in, int to) {
    CRC32C crc = new CRC32C();
    crc.update(in.duplicate().position(0).limit(to));
    return (int) crc.getValue();
  }

  public String name() {
    return name;
  }

  public Disk.File file() {
    return file;
  }

  public ByteBuffer view() {
    return view;
  }

  public boolean isRewritten() {
    return isRewritten;
  }

  /** Whether the record at that position has that offset and a valid checksum. */
  public boolean isIntact(int at, long offset) {
    return Records.isIntact(view, at, offset);
  }

  /** The position of the first intact group at or after a position, or the limit. */
  public int nextGroup(int from, int limit) {
    int at = from;
    while (at < limit && !RecordGroup.isGroup(view, at, limit, salt)) {
      at += 8;
    }
    return Math.min(at, limit);
  }

  public interface RecordVisitor<E extends Exception> {
    void record(Segment segment, int at, long offset) throws E;
  }

  /**
   * Visits the records of the intact groups of an original segment, which end at that position, or
   * those of a rewritten one in its table whose lengths fit into it.
   */
  public <E extends Exception> void forEachRecord(int end, RecordVisitor<E> visitor) throws E {
    if (isRewritten) {
      for (int i = 0; i < recordCount(); i++) {
        int at = positionAt(i);
        if (at >= HEAD_BYTES
            && at <= view.capacity() - Records.HEAD_BYTES
            && Records.size(view, at) <= view.capacity() - at) {
          visitor.record(this, at, offsetAt(i));
        }
      }
      return;
    }
    int group = nextGroup(HEAD_BYTES, end);
    while (group < end) {
      forEachRecordOf(group, visitor);
      group = nextGroup(group + RecordGroup.size(view, group), end);
    }
  }

  /** Visits the records of the intact group at that position. */
  <E extends Exception> void forEachRecordOf(int group, RecordVisitor<E> visitor) throws E {
    int at = group + RecordGroup.HEAD_BYTES;
    for (int i = 0; i < RecordGroup.recordCount(view, group); i++) {
      visitor.record(this, at, offsetOf(at));
      at += Records.size(view, at);
    }
  }

  /** The lowest offset of the segment's range. */
  public long base() {
    return base;
  }

  /** The end of the segment's range; of rewritten segments only. */
  long end() {
    return end;
  }

  public long firstSequence() {
    return firstSequence;
  }

  /** The number of the last group; of rewritten segments only. */
  long lastSequence() {
    return lastSequence;
  }

  public long salt() {
    return salt;
  }

  public int generation() {
    return generation;
  }

  /** The position of an offset in an original segment. */
  public int position(long offset) {
    return (int) (offset - base) + HEAD_BYTES;
  }

  /** The offset of a position in an original segment. */
  public long offsetOf(int position) {
    return base + position - HEAD_BYTES;
  }

  /** The position of the record with that offset, or -1 if a rewritten segment does not have it. */
  public int findRecord(long offset) {
    if (!isRewritten) {
      return position(offset);
    }
    int index = firstRecordAfter(offset - 1);
    return index < recordCount() && offsetAt(index) == offset ? positionAt(index) : -1;
  }

  /** The index of the first record of a rewritten segment with a greater offset. */
  int firstRecordAfter(long offset) {
    int low = 0;
    int high = recordCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (offsetAt(middle) <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The number of records of a rewritten segment. */
  public int recordCount() {
    return view.getInt(view.capacity() - FOOT_BYTES);
  }

  public long offsetAt(int index) {
    return view.getLong(entryPosition(index));
  }

  public int positionAt(int index) {
    return view.getInt(entryPosition(index) + 8);
  }

  private int entryPosition(int index) {
    return view.capacity() - FOOT_BYTES - (recordCount() - index) * ENTRY_BYTES;
  }

  /** Whether the file of a rewritten segment is too short for its table. */
  boolean isCutOff() {
    int foot = view.capacity() - FOOT_BYTES;
    return foot < HEAD_BYTES
        || recordCount() < 0
        || recordCount() > (foot - HEAD_BYTES) / ENTRY_BYTES;
  }

  public boolean hasValidChecksum() {
    int end = view.capacity() - 4;
    return crc(view, end) == view.getInt(end);
  }

  void acquire() {
    users.incrementAndGet();
  }

  void release() {
    if (users.decrementAndGet() == 0) {
      file.close();
    }
  }
}
