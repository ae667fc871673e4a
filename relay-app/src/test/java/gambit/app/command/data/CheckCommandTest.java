package gambit.app.command.data;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.files.DirectoryLock;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code gambit check}: what it prints, and its exit status. */
class CheckCommandTest {
  private static final Event FIRST = Keys.of("alice").sign(1, 1, Tags.NONE, "first");

  @TempDir Path data;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int check(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return new CommandLine(new CheckCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  private DiskEventStore open() throws IOException {
    Path store = Files.createDirectories(data.resolve("store"));
    return DiskEventStore.open(store, InstantSource.system(), 0);
  }

  private void fill() throws IOException {
    try (DiskEventStore store = open()) {
      for (int i = 0; i < 2; i++) {
        try (Transaction transaction = store.begin()) {
          transaction.append(
              i == 0 ? FIRST : Keys.of("alice").sign(2, 1, Tags.NONE, "second"), Transaction.NEVER);
          transaction.commit();
        }
      }
    }
  }

  @Test
  void anUndamagedStoreIsReportedWithTheNumberOfRecordsRead() throws IOException {
    fill();
    assertThat(check("--data", "" + data)).isZero();
    assertThat(out.toString())
        .contains("Read 1 segment, 2 groups, 2 records, 2 of them events, in ")
        .contains("Ids and signatures: not checked, without --signatures.")
        .containsPattern("Events and rows in force: 2. Index: [1-9][0-9]* entries\\.")
        .endsWith("No damage found." + System.lineSeparator());
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void aChangedSignatureIsReportedWithStatusOne() throws IOException {
    fill();
    Path segment = data.resolve("store/log/0000000000000000-00000000.log");
    byte[] bytes = Files.readAllBytes(segment);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    int at = text.indexOf(new String(FIRST.sig(), StandardCharsets.ISO_8859_1));
    bytes[at]++;
    Files.write(segment, bytes);
    assertThat(check("--data", "" + data)).isEqualTo(1);
    assertThat(out.toString())
        .startsWith(
            "segment "
                + segment.getFileName()
                + ", byte "
                + (at - 64 - 12)
                + ": event "
                + FIRST.id()
                + ": the record is damaged")
        .contains("Faults: 1. Restore the data directory from a backup.");
  }

  @Test
  void anInvalidSignatureUnderAValidChecksumIsReportedWithSignatures() throws IOException {
    Event forged =
        EventEncoder.encode(
            FIRST.id(), FIRST.pubkey(), 1, 1, Tags.NONE, "first", new byte[FIRST.sig().length]);
    try (DiskEventStore store = open();
        Transaction transaction = store.begin()) {
      transaction.append(forged, Transaction.NEVER);
      transaction.commit();
    }
    assertThat(check("--data", "" + data)).isZero();
    assertThat(check("--data", "" + data, "--signatures")).isEqualTo(1);
    assertThat(out.toString())
        .contains(": event " + FIRST.id() + ": its signature is invalid")
        .contains("Ids and signatures: checked.");
  }

  @Test
  void theLogOfARunningRelayIsChecked() throws IOException {
    fill();
    try (DirectoryLock relay = new DirectoryLock(data, "gambit.lock");
        DiskEventStore store = open()) {
      assertThat(relay).isNotNull();
      assertThat(store.size()).isEqualTo(2);
      assertThat(check("--data", "" + data)).isZero();
      assertThat(out.toString())
          .contains("Events and rows in force: 2.")
          .contains("Index: not checked: another process is using the store.")
          .contains("No damage found.");
    }
  }

  @Test
  void aMissingStoreIsReportedWithStatusTwo() throws IOException {
    assertThat(check("--data", data + "/nowhere")).isEqualTo(2);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("--data: there is no directory " + data + "/nowhere.");
    assertThat(check("--data", "" + data)).isEqualTo(2);
    assertThat(err.toString()).startsWith("--data: the store in " + data + " cannot be read: ");
    assertThat(check("--no-such-flag")).isEqualTo(2);
  }
}
