package gambit.core.store.disk.index;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.store.disk.StoreDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The index is one sorted map for each table, wherever its changes are. */
class IndexViewTest {
  private static final int STEPS = 1_500;
  private static final int KEYS = 60;
  private static final int FEW_CHANGES = 6;
  private static final int MANY_CHANGES = 60;
  private static final int FLUSHES = 60;
  private static final Table TABLE = Table.AUTHOR;
  private static final Table OTHER_TABLE = Table.ROW;

  private final StoreDirectory directory = new StoreDirectory();
  private final ByteBuffer key = ByteBuffer.allocateDirect(32);
  private Index index;

  IndexViewTest() throws IOException {
    index = new Index(directory.index(), null);
  }

  @AfterEach
  void delete() throws IOException {
    index.close();
    directory.delete();
  }

  @Test
  void viewsShowWhatAMapShows() throws IOException {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    NavigableMap<String, Integer> committed = new TreeMap<>();
    for (int step = 0; step < STEPS; step++) {
      change(random, committed, "seed " + seed + ", step " + step);
      if (random.nextInt(5) == 0) {
        index.flush();
      }
      if (random.nextInt(200) == 0) {
        index.close();
        index = new Index(directory.index(), null);
      }
      try (IndexView reader = index.beginReading()) {
        compare(reader, committed, random, "seed " + seed + ", step " + step);
      }
    }
  }

  /** Changes some keys in a transaction, which is committed or closed without a commit. */
  private void change(Random random, Map<String, Integer> committed, String when) {
    NavigableMap<String, Integer> own = new TreeMap<>(committed);
    boolean isCommitted = random.nextInt(4) > 0;
    try (IndexWriter writer = index.beginWriting()) {
      int most = random.nextInt(20) == 0 ? MANY_CHANGES : FEW_CHANGES;
      for (int i = random.nextInt(most); i >= 0; i--) {
        String name = anyKey(random);
        if (random.nextBoolean()) {
          writer.put(TABLE, key(name), value(i));
          own.put(name, i);
        } else {
          writer.delete(TABLE, key(name));
          own.remove(name);
        }
        if (random.nextInt(most / 2) == 0) {
          compare(writer, own, random, when);
        }
      }
      if (isCommitted) {
        writer.commit();
        committed.clear();
        committed.putAll(own);
      }
    }
  }

  /** Keys of several lengths, some of which begin with others. */
  private static String anyKey(Random random) {
    return "author " + "x".repeat(random.nextInt(3)) + random.nextInt(KEYS);
  }

  private void compare(
      IndexView view, NavigableMap<String, Integer> expected, Random random, String when) {
    String from = random.nextInt(4) == 0 ? "a" : anyKey(random);
    assertThat(text(view.get(TABLE, key(from)))).as(when).isEqualTo(text(expected.get(from)));
    String at = expected.ceilingKey(from);
    assertThat(view.seek(TABLE, key(from))).as(when).isEqualTo(at != null);
    for (int i = 0; at != null && i < 12; i++) {
      assertThat(text(view.key(TABLE))).as(when).isEqualTo(at);
      assertThat(text(view.value(TABLE))).as(when).isEqualTo(text(expected.get(at)));
      boolean isForwards = random.nextInt(3) > 0;
      at = isForwards ? expected.higherKey(at) : expected.lowerKey(at);
      boolean more = isForwards ? view.next(TABLE) : view.previous(TABLE);
      assertThat(more).as(when).isEqualTo(at != null);
    }
    assertThat(view.last(TABLE)).as(when).isEqualTo(!expected.isEmpty());
    if (!expected.isEmpty()) {
      assertThat(text(view.key(TABLE))).as(when).isEqualTo(expected.lastKey());
    }
  }

  /** Each commit moves one entry between two tables, and counts. */
  @Test
  void readersSeeWholeCommitsWhileChangesAreFlushed() throws Exception {
    move(0);
    CompletableFuture<Void> writing = CompletableFuture.runAsync(this::moveUntilFlushed);
    long before = 0;
    while (!writing.isDone()) {
      Map<String, String> seen = new HashMap<>();
      ByteBuffer own = ByteBuffer.allocateDirect(32);
      try (IndexView reader = index.beginReading()) {
        for (Table table : new Table[] {TABLE, OTHER_TABLE}) {
          boolean more = reader.seek(table, own.clear().put((byte) 0).flip());
          while (more) {
            seen.put(table + " " + text(reader.key(table)), text(reader.value(table)));
            more = reader.next(table);
          }
        }
      }
      assertThat(seen).hasSize(2);
      long number = Long.parseLong(seen.get(TABLE + " count"));
      assertThat(seen).containsEntry(nameOf(number), String.valueOf(number));
      assertThat(number).isGreaterThanOrEqualTo(before);
      before = number;
    }
    writing.get();
    assertThat(index.flushes()).isGreaterThanOrEqualTo(FLUSHES);
  }

  private void moveUntilFlushed() {
    CompletableFuture<Void> flushing = CompletableFuture.runAsync(this::flushOften);
    for (int number = 1; !flushing.isDone(); number++) {
      move(number);
    }
    flushing.join();
  }

  private void flushOften() {
    try {
      while (index.flushes() < FLUSHES) {
        index.flush();
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void move(int number) {
    try (IndexWriter writer = index.beginWriting()) {
      if (number > 0) {
        writer.delete(number % 2 == 0 ? OTHER_TABLE : TABLE, key("moved" + (number - 1) % 3));
      }
      writer.put(number % 2 == 0 ? TABLE : OTHER_TABLE, key("moved" + number % 3), value(number));
      writer.put(TABLE, key("count"), value(number));
      writer.commit();
    }
  }

  private static String nameOf(long number) {
    return (number % 2 == 0 ? TABLE : OTHER_TABLE) + " moved" + number % 3;
  }

  /** A commit reaches LMDB with many others. */
  @Test
  void commitsDoNotWriteToLmdb() throws IOException {
    for (int number = 0; number < 100; number++) {
      move(number);
    }
    assertThat(index.flushes()).isZero();
    try (IndexView stored = index.beginReadingStored()) {
      assertThat(stored.get(TABLE, key("count"))).isNull();
    }
    index.flush();
    index.flush(); // nothing is left
    assertThat(index.flushes()).isEqualTo(1);
    assertThat(index.memory().bytes()).isZero();
    try (IndexView stored = index.beginReadingStored()) {
      assertThat(text(stored.get(TABLE, key("count")))).isEqualTo("99");
    }
  }

  @Test
  void flushThatChangesNoEntryIsATransaction() throws IOException {
    for (int i = 0; i < 2; i++) {
      try (IndexWriter writer = index.beginWriting()) {
        writer.delete(TABLE, key("missing"));
        writer.commit();
      }
      long before = index.flushes();
      index.flush();
      assertThat(index.flushes()).isEqualTo(before + 1);
      try (IndexView reader = index.beginReading()) {
        assertThat(reader.get(TABLE, key("missing"))).isNull();
      }
    }
  }

  /** Else each of hundreds of idle readers could keep the changes of another time. */
  @Test
  void idleReaderKeepsNoChanges() {
    move(0);
    TableCursor cursor;
    try (IndexView reader = index.beginReading()) {
      assertThat(reader.last(TABLE)).isTrue();
      cursor = reader.cursor(TABLE);
      assertThat(cursor.hasChanges()).isTrue();
    }
    assertThat(cursor.hasChanges()).isFalse();
  }

  @Test
  void memoryOfChangesIsBounded() throws IOException {
    long bytesOfFlush = 64 << 10;
    ByteBuffer large = ByteBuffer.allocateDirect(400);
    try (IndexFlusher flusher = new IndexFlusher(index, bytesOfFlush)) {
      for (int i = 0; i < 2_000; i++) {
        flusher.requireRoom();
        assertThat(index.memory().bytes()).isLessThan(4 * bytesOfFlush);
        try (IndexWriter writer = index.beginWriting()) {
          writer.put(TABLE, large.putInt(0, i), value(i));
          writer.commit();
        }
      }
    }
    assertThat(index.flushes()).isPositive();
  }

  /** What a commit replaces takes no memory once the runs are merged. */
  @Test
  void memoryOfChangesIsThatOfTheirKeysAndValues() {
    for (int i = 0; i < 100; i++) {
      try (IndexWriter writer = index.beginWriting()) {
        writer.put(TABLE, key("replaced"), ByteBuffer.allocate(1_000));
        writer.put(TABLE, key("kept " + i), ByteBuffer.allocate(10));
        writer.commit();
      }
    }
    assertThat(index.memory().bytes()).isBetween(100 * 10L + 1_000, 100 * 100L + 8 * 1_100);
  }

  /** A flush that was awaited may have made room. */
  @Test
  void changesBelowTheBoundAreNotFlushed() throws IOException {
    move(0);
    index.flushFrom(index.memory().bytes() + 1);
    assertThat(index.flushes()).isZero();
    index.flushFrom(index.memory().bytes());
    assertThat(index.flushes()).isEqualTo(1);
    index.flushFrom(1);
    assertThat(index.flushes()).isEqualTo(1);
  }

  private ByteBuffer key(String text) {
    key.clear();
    for (int i = 0; i < text.length(); i++) {
      key.put((byte) text.charAt(i));
    }
    return key.flip();
  }

  private static ByteBuffer value(int number) {
    return ByteBuffer.allocate(4).putInt(0, number);
  }

  private static @Nullable String text(@Nullable Integer number) {
    return number == null ? null : number.toString();
  }

  /** Keys as text, values as numbers. */
  private static @Nullable String text(@Nullable ByteBuffer bytes) {
    if (bytes == null) {
      return null;
    }
    if (bytes.remaining() == Integer.BYTES) {
      return String.valueOf(bytes.getInt(bytes.position()));
    }
    StringBuilder text = new StringBuilder();
    for (int i = bytes.position(); i < bytes.limit(); i++) {
      text.append((char) bytes.get(i));
    }
    return text.toString();
  }
}
