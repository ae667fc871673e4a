package gambit.app.upgrades;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The backup of docs/operations/upgrades.md: a copy of some files while the relay runs. */
class BackupTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final int BEFORE = 200;

  @TempDir Path temp;

  @Test
  void aCopyOfKeyFormatAndLogWhileEventsAreStoredHasEveryEventAcceptedBefore() throws Exception {
    Path data = temp.resolve("data");
    Path backup = temp.resolve("backup");
    AtomicBoolean ends = new AtomicBoolean();
    CountDownLatch accepted = new CountDownLatch(BEFORE);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      Future<?> publishing =
          thread.submit(
              () -> {
                try (Client client = new Client(relay.uri())) {
                  for (int i = 0; !ends.get(); i++) {
                    client.publishAccepted(ALICE.sign(i + 1, 1, Tags.NONE, "note " + i));
                    accepted.countDown();
                  }
                }
              });
      assertThat(accepted.await(1, TimeUnit.MINUTES)).isTrue();
      copy(data, backup);
      ends.set(true);
      publishing.get();
    } finally {
      ends.set(true);
      thread.shutdown();
    }
    assertThat(OlderDataDirectoriesTest.check(backup)).contains("No damage found.");
    try (LocalRelay relay = new LocalRelay(backup, 0);
        Client client = new Client(relay.uri())) {
      assertThat(client.queryIds("{\"until\":" + BEFORE + ",\"limit\":" + 2 * BEFORE + "}"))
          .hasSize(BEFORE);
    }
    assertThat(backup.resolve("relay.key")).hasSameTextualContentAs(data.resolve("relay.key"));
  }

  /** The commands of the page: the key, then the format, then the files of the log. */
  private static void copy(Path data, Path backup) throws IOException {
    Files.createDirectories(backup.resolve("store/log"));
    for (String file : List.of("relay.key", "store/format")) {
      Files.copy(data.resolve(file), backup.resolve(file), StandardCopyOption.COPY_ATTRIBUTES);
    }
    try (Stream<Path> segments = Files.list(data.resolve("store/log"))) {
      for (Path segment : segments.sorted().toList()) {
        Files.copy(segment, backup.resolve("store/log").resolve(segment.getFileName()));
      }
    }
  }
}
