package gambit.app.command.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit backup} of a relay that runs, and {@code gambit restore}. */
class BackupCommandTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int EVENTS = 100;
  private static final int MAX_EVENTS = 4_000; // one query can ask for them

  @TempDir Path temp;

  private CommandResult backUp() {
    return CommandResult.of("backup", "" + backup(), "--data", "" + data());
  }

  private CommandResult restoreTo(Path data) {
    return CommandResult.of("restore", "" + backup(), "--data", "" + data);
  }

  private Path data() {
    return temp.resolve("data");
  }

  private Path backup() {
    return temp.resolve("backup");
  }

  private static Event note(int number) {
    return ALICE.sign(number, 1, Tags.NONE, "note " + number);
  }

  @Test
  void everyEventAcceptedBeforeABackupOfABusyRelayIsServedByTheRestoredOne() throws Exception {
    AtomicBoolean ends = new AtomicBoolean();
    AtomicInteger accepted = new AtomicInteger();
    CountDownLatch first = new CountDownLatch(EVENTS);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    int before;
    try (LocalRelay relay = new LocalRelay(data(), 0)) {
      Future<?> publishing =
          thread.submit(
              () -> {
                try (Client client = new Client(relay.uri())) {
                  while (!ends.get() && accepted.get() < MAX_EVENTS) {
                    client.publishAccepted(note(accepted.get() + 1));
                    accepted.incrementAndGet();
                    first.countDown();
                  }
                }
              });
      assertThat(first.await(2, TimeUnit.MINUTES)).isTrue();
      CommandResult full = backUp();
      assertThat(full.errors()).isEmpty();
      assertThat(full.output())
          .contains("Backup 1 of " + data() + " in " + backup() + ": 1 segment, 0 of them kept; ")
          .contains("It has every event that was acknowledged before ");
      before = accepted.get();
      assertThat(backUp().output()).startsWith("Backup 2 of ");
      ends.set(true);
      publishing.get();
    } finally {
      ends.set(true);
      thread.shutdown();
    }
    assertThat(CommandResult.of("restore", "" + backup(), "--check").output())
        .matches("Backup 2 of \\S+ is intact: 1 segment and 1 file, .*");
    Path restored = temp.resolve("restored");
    CommandResult result = restoreTo(restored);
    assertThat(result.output())
        .startsWith("Restored backup 2 of ")
        .contains(" into " + restored + ": 1 segment and 1 file, ");
    assertThat(restored.resolve("relay.key")).hasSameTextualContentAs(data().resolve("relay.key"));
    assertThat(CommandResult.of("check", "--data", "" + restored, "--signatures").output())
        .contains("No damage found.");
    try (LocalRelay relay = new LocalRelay(restored, 0);
        Client client = new Client(relay.uri())) {
      assertThat(client.queryIds("{\"until\":" + before + ",\"limit\":5000}")).hasSize(before);
      client.publishAccepted(note(1_000_000));
    }
  }

  @Test
  void linkedFilesAreCopiedAndLinksToNothingAreNamed() throws IOException {
    new LocalRelay(data(), 0).close();
    Path key = Files.move(data().resolve("relay.key"), temp.resolve("elsewhere.key"));
    Files.createSymbolicLink(data().resolve("relay.key"), key);
    Files.createSymbolicLink(data().resolve("house.key"), temp.resolve("missing"));
    CommandResult result = backUp();
    assertThat(result.status()).isZero();
    assertThat(result.errors()).startsWith("house.key is not copied: ");
    Path restored = temp.resolve("restored");
    restoreTo(restored);
    assertThat(restored.resolve("relay.key")).isRegularFile().hasSameTextualContentAs(key);
    assertThat(restored.resolve("house.key")).doesNotExist();
  }

  @Test
  void filesOfTheRunningProcessAndLargeFilesAreNotCopied() throws IOException {
    try (LocalRelay relay = new LocalRelay(data(), 0)) {
      assertThat(relay.port()).isPositive();
      assertThat(data().resolve("gambit.lock")).exists();
      Files.writeString(data().resolve("banned list.txt"), "nobody\n");
      Files.writeString(data().resolve("unfinished.tmp"), "x");
      Files.write(data().resolve("events.jsonl"), new byte[(1 << 20) + 1]);
      CommandResult result = backUp();
      assertThat(result.status()).isZero();
      assertThat(result.errors()).startsWith("events.jsonl is not copied: ");
    }
    assertThat(backup().toFile().list())
        .containsExactlyInAnyOrder(
            "lock",
            "manifest",
            "0000000000000000-00000000.log.1",
            "relay.key.1",
            "banned list.txt.1");
  }

  @Test
  void relayDoesNotStartInADirectoryWhoseRestoreWasNotCompleted() throws IOException {
    new LocalRelay(data(), 0).close();
    assertThat(backUp().status()).isZero();
    Path restored = temp.resolve("restored");
    Files.createDirectories(restored.resolve("store.restoring/log"));
    assertThatThrownBy(() -> new LocalRelay(restored, 0))
        .hasMessageContaining("a restore into " + restored + " was not completed: repeat it");
    assertThat(restored.resolve("relay.key")).doesNotExist();
    assertThat(restoreTo(restored).status()).isZero();
    new LocalRelay(restored, 0).close();
  }

  @Test
  void refusalsAreOneSentenceWithStatusOne() throws IOException {
    assertThat(backUp())
        .isEqualTo(
            new CommandResult(
                1, "", "The backup was not made: no such file or directory: " + data() + "."));
    assertThat(CommandResult.of("restore", "" + backup(), "--check"))
        .isEqualTo(
            new CommandResult(1, "", "Not intact: no such file or directory: " + backup() + "."));
    Path file = Files.writeString(temp.resolve("file"), "");
    for (String[] command :
        List.of(
            new String[] {"backup", "" + backup(), "--data", "" + file},
            new String[] {"restore", "" + file},
            new String[] {"restore", "" + file, "--check"},
            new String[] {"restore", "" + backup(), "--data", "" + file})) {
      assertThat(CommandResult.of(command).errors())
          .as(String.join(" ", command))
          .endsWith(": " + file + " is not a directory.");
    }
    Path restored = temp.resolve("restored");
    try (LocalRelay relay = new LocalRelay(data(), 0)) {
      assertThat(relay.port()).isPositive();
      assertThat(backUp().status()).isZero();
      assertThat(restoreTo(data()).errors())
          .isEqualTo("another process is using " + data() + "; end it first, such as the relay.");
    }
    assertThat(restoreTo(data()).errors())
        .startsWith("Not restored: " + data() + " is not empty: ");
    Path segment = backup().resolve("0000000000000000-00000000.log.1");
    byte[] bytes = Files.readAllBytes(segment);
    bytes[10]++;
    Files.write(segment, bytes);
    assertThat(restoreTo(restored))
        .isEqualTo(
            new CommandResult(
                1,
                "",
                "Not restored: the backup is damaged: "
                    + segment.getFileName()
                    + " has another content than was written."));
    Files.writeString(backup().resolve("manifest"), "nonsense", StandardCharsets.UTF_8);
    assertThat(backUp().errors())
        .isEqualTo(
            "The backup was not made: the backup is damaged: its manifest is not what was written.");
    assertThat(CommandResult.of("backup").status()).isEqualTo(2);
  }
}
