package gambit.core.store.disk.lmdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.testkit.AllocationLimit;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LmdbTest {
  private static final long MAP_BYTES = 1 << 20;
  private static final int MAX_READERS = 4;

  /** Where the number of the format is in each of the file's first two pages. */
  private static final int VERSION_AT = 20;

  private static final int PAGE_BYTES = 4096;
  private static final int MAP_FULL = -30792;
  private static final int READERS_FULL = -30790;
  private static final int VERSION_MISMATCH = -30794;
  private static final int INVALID = -30793;
  private static final int BAD_TRANSACTION = -30782;
  private static final int BAD_VALUE_SIZE = -30781;
  private static final int NO_FILE = 2;

  @TempDir Path directory;

  private LmdbEnvironment environment;
  private int table;

  @BeforeEach
  void open() {
    environment = LmdbEnvironment.open(directory, MAP_BYTES, 2, MAX_READERS);
    try (LmdbTransaction writing = environment.beginWriting()) {
      table = writing.openTable("table");
      writing.commit();
    }
  }

  @AfterEach
  void close() {
    environment.close();
  }

  private void put(String... entries) {
    try (LmdbTransaction writing = environment.beginWriting()) {
      for (String entry : entries) {
        writing.put(table, bytes(entry), bytes("value of " + entry));
      }
      writing.commit();
    }
  }

  private List<String> keys() {
    List<String> keys = new ArrayList<>();
    try (LmdbTransaction reading = environment.beginReading();
        LmdbCursor cursor = reading.cursor(table)) {
      for (boolean more = cursor.seek(bytes("a")); more; more = cursor.next()) {
        keys.add(text(cursor.key()));
        assertThat(text(cursor.value())).isEqualTo("value of " + text(cursor.key()));
      }
    }
    return keys;
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static NativeBuffer nativeBytes(String text) {
    return NativeBuffer.copyOf(bytes(text));
  }

  private static String text(ByteBuffer bytes) {
    return StandardCharsets.UTF_8.decode(bytes.duplicate()).toString();
  }

  private static void assertFails(ThrowingCallable call, int code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(LmdbException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(code == 0 ? "" : "(" + code + ")");
  }

  @Test
  void entriesAreFoundInTheOrderOfTheirKeysAfterTheFilesAreOpenedAgain() {
    put("c", "a", "bb", "b");
    environment.sync();
    environment.close();
    open();
    assertThat(keys()).containsExactly("a", "b", "bb", "c");
  }

  @Test
  void aCursorMovesBothWaysAndStopsAtTheEnds() {
    put("a", "c");
    try (LmdbTransaction reading = environment.beginReading();
        LmdbCursor cursor = reading.cursor(table)) {
      assertThat(cursor.seek(bytes("b"))).isTrue();
      assertThat(text(cursor.key())).isEqualTo("c");
      assertThat(cursor.next()).isFalse();
      assertThat(cursor.last()).isTrue();
      assertThat(cursor.previous()).isTrue();
      assertThat(text(cursor.key())).isEqualTo("a");
      assertThat(cursor.previous()).isFalse();
      assertThat(cursor.seek(bytes("d"))).isFalse();
    }
  }

  @Test
  void aSearchAndTheStepsOfACursorAllocateNothing() {
    put("a", "b");
    ByteBuffer from = bytes("a");
    try (LmdbTransaction reading = environment.beginReading();
        LmdbCursor cursor = reading.cursor(table)) {
      int length =
          AllocationLimit.requireAtMost(
              2_000,
              () -> {
                int sum = 0;
                for (int i = 0; i < 1_000; i++) {
                  for (boolean more = cursor.seek(from); more; more = cursor.next()) {
                    sum += cursor.key().remaining() + cursor.value().remaining();
                  }
                  sum += reading.get(table, from).remaining();
                }
                return sum;
              });
      assertThat(length).isEqualTo(1_000 * (2 * 11 + 10));
    }
  }

  @Test
  void aCursorPutsAndDeletes() {
    put("a", "b");
    try (LmdbTransaction writing = environment.beginWriting()) {
      try (LmdbCursor cursor = writing.cursor(table)) {
        cursor.delete(nativeBytes("a"));
        cursor.delete(nativeBytes("missing"));
        cursor.put(nativeBytes("c"), nativeBytes("value of c"));
      }
      assertThat(writing.entries(table)).isEqualTo(2);
      writing.commit();
    }
    assertThat(keys()).containsExactly("b", "c");
  }

  @Test
  void getFindsOneEntry() {
    put("a");
    try (LmdbTransaction reading = environment.beginReading()) {
      assertThat(text(reading.get(table, bytes("a")))).isEqualTo("value of a");
      assertThat(reading.get(table, bytes("b"))).isNull();
    }
  }

  /** A transaction that writes has its changes outside the map. */
  @Test
  void aTransactionReadsItsOwnChanges() {
    try (LmdbTransaction writing = environment.beginWriting()) {
      writing.put(table, bytes("a"), bytes("own"));
      assertThat(text(writing.get(table, bytes("a")))).isEqualTo("own");
    }
    assertThat(keys()).isEmpty();
  }

  @Test
  void aRenewedTransactionAndItsCursorSeeWhatWasCommittedSince() {
    put("a");
    try (LmdbTransaction reading = environment.beginReading();
        LmdbCursor cursor = reading.cursor(table)) {
      long before = reading.id();
      put("b");
      assertThat(cursor.seek(bytes("b"))).isFalse();
      reading.reset();
      reading.renew();
      cursor.renew();
      assertThat(reading.id()).isEqualTo(before + 1);
      assertThat(cursor.seek(bytes("b"))).isTrue();
    }
  }

  @Test
  void aFullMapIsAnErrorThatLosesOnlyItsTransaction() {
    put("a");
    ByteBuffer large = ByteBuffer.allocate((int) MAP_BYTES / 2);
    try (LmdbTransaction writing = environment.beginWriting()) {
      writing.put(table, bytes("b"), large);
      assertFails(() -> writing.put(table, bytes("c"), large), MAP_FULL);
      assertFails(writing::commit, BAD_TRANSACTION);
    }
    assertThat(keys()).containsExactly("a");
    put("d");
    assertThat(keys()).containsExactly("a", "d");
  }

  @Test
  void tooManyReadersAreAnErrorUntilOneEnds() {
    List<LmdbTransaction> readers = new ArrayList<>();
    for (int i = 0; i < MAX_READERS; i++) {
      readers.add(environment.beginReading());
    }
    readers.get(0).reset(); // which keeps its place
    assertFails(environment::beginReading, READERS_FULL);
    readers.get(0).close();
    readers.set(0, environment.beginReading());
    readers.forEach(LmdbTransaction::close);
  }

  @Test
  void keysOfAWrongLengthAreErrors() {
    for (String wrong : List.of("", "k".repeat(512))) {
      try (LmdbTransaction writing = environment.beginWriting()) {
        assertFails(() -> writing.put(table, bytes(wrong), bytes("value")), BAD_VALUE_SIZE);
      }
    }
    try (LmdbTransaction reading = environment.beginReading()) {
      assertFails(() -> reading.get(table, bytes("k".repeat(512))), BAD_VALUE_SIZE);
    }
    put("k".repeat(511));
    assertThat(keys()).containsExactly("k".repeat(511));
  }

  @Test
  void filesThatCannotBeOpenedAreErrors() throws IOException {
    environment.close();
    Path file = directory.resolve("data.mdb");
    byte[] intact = Files.readAllBytes(file);
    byte[] newer = intact.clone();
    newer[VERSION_AT]++;
    newer[PAGE_BYTES + VERSION_AT]++;
    Files.write(file, newer);
    assertFails(this::open, VERSION_MISMATCH);
    Files.write(file, new byte[100_000]);
    assertFails(this::open, INVALID);
    Path missing = directory.resolve("missing");
    assertFails(() -> LmdbEnvironment.open(missing, MAP_BYTES, 2, MAX_READERS), NO_FILE);
    Files.write(file, intact);
    open();
  }

  @Test
  void whatIsClosedIsNotUsed() {
    put("a");
    LmdbTransaction reading = environment.beginReading();
    LmdbCursor cursor = reading.cursor(table);
    assertThat(cursor.last()).isTrue();
    reading.reset();
    assertFails(cursor::next, 0);
    assertFails(cursor::key, 0);
    assertFails(reading::reset, 0);
    reading.renew();
    assertFails(reading::renew, 0);
    reading.close();
    reading.close();
    assertFails(() -> reading.get(table, bytes("a")), 0);
    assertFails(reading::renew, 0);
    assertFails(cursor::last, 0);
    cursor.close();
    cursor.close();
    LmdbTransaction writing = environment.beginWriting();
    LmdbCursor freed = writing.cursor(table);
    writing.commit();
    freed.close();
    writing.close();
    LmdbTransaction open = environment.beginReading();
    LmdbCursor last = open.cursor(table);
    open.close();
    last.close();
    LmdbTransaction left = environment.beginReading();
    environment.close();
    environment.close();
    assertFails(environment::beginReading, 0);
    assertFails(environment::sync, 0);
    assertFails(() -> left.get(table, bytes("a")), 0);
    left.close();
  }

  @Test
  void aWindowShowsBytesOnBothSidesOfItsGigabytes() {
    LmdbEntry.MapWindow window = new LmdbEntry.MapWindow();
    long first = 5L << 30;
    assertThat(window.at(first - 8, 16).remaining()).isEqualTo(16);
    assertThat(window.at(first - 8, 16).position()).isEqualTo((1 << 30) - 8);
    assertThat(window.at(first, 3).position()).isZero();
    assertThat(window.at(first, 3).limit()).isEqualTo(3);
  }

  @Test
  void theDirectoryMayHaveANameInAnyLanguage() throws IOException {
    Path named;
    try {
      named = Files.createDirectory(directory.resolve("größe"));
    } catch (InvalidPathException | NoSuchFileException e) {
      return; // where file names are ASCII
    }
    LmdbEnvironment.open(named, MAP_BYTES, 2, MAX_READERS).close();
    assertThat(named.resolve("data.mdb")).exists();
  }
}
