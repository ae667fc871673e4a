package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.store.EventStore;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.NumberedGroups;
import gambit.core.store.disk.SmallFileSystem;
import gambit.core.store.disk.StoreAnswers;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A store on a full disk refuses commits, loses nothing, answers queries, and accepts commits once
 * there is room.
 */
class FullDiskTest {
  private static final int SEGMENT_BYTES = 128 << 10;
  private static final int RECORDS_PER_TRANSACTION = 50;
  private static final int FILE_SYSTEM_BYTES = 1 << 20;
  private static final int FILLER_BYTES = FILE_SYSTEM_BYTES / 2;

  /** Number of groups, or events, that do not fit. */
  private static final int MORE_THAN_FITS = 3_000;

  /** Number of attempts at a commit that all fail on a full disk. */
  private static final int ATTEMPTS = 10;

  /** Number of groups, or events of clients, that fit when the filler is deleted. */
  private static final int FITS_AFTER_ROOM_IS_MADE = 20;

  private final StoreDirectory directory = new StoreDirectory(null);
  private final EventStore model = new MemoryEventStore(Long.MAX_VALUE);

  FullDiskTest() throws IOException {}

  @Test
  void logOnAFullDiskRefusesCommitsAndLosesNothing() throws IOException {
    try (SmallFileSystem small =
        new SmallFileSystem(linkTarget(), FILE_SYSTEM_BYTES, FILLER_BYTES)) {
      assertThatAFullDiskOnlyRefuses(small, linkTarget().resolve("log"));
    }
  }

  @Test
  void indexOnAFullDiskRefusesCommitsAndLosesNothing() throws IOException {
    try (SmallFileSystem small =
        new SmallFileSystem(directory.index(), FILE_SYSTEM_BYTES, FILLER_BYTES)) {
      assertThatAFullDiskOnlyRefuses(small, directory.log());
      assertThat(directory.index().resolve("data.mdb")).exists();
    }
  }

  @Test
  @SuppressWarnings("try") // the store is in the small file system
  void storeIsClosedThoughTheIndexCannotTakeItsChanges() throws IOException {
    directory.withBytesOfFlush(Long.MAX_VALUE / 8); // all changes wait for the end
    try (SmallFileSystem small =
        new SmallFileSystem(directory.index(), FILE_SYSTEM_BYTES, FILLER_BYTES)) {
      try (DiskEventStore store = open(directory.log())) {
        NumberedGroups.commit(store, 1, MORE_THAN_FITS);
      }
    } // which fails while a file is in use
    NumberedGroups.commit(model, 1, MORE_THAN_FITS);
    directory.deleteIndex();
    try (DiskEventStore store = open(directory.log())) {
      StoreAnswers.assertSameAnswers(store, model, "opened again");
    }
  }

  @Test
  void indexDirectoryThatIsALinkIsKept() throws IOException {
    Files.createDirectory(linkTarget());
    Files.createSymbolicLink(directory.index(), linkTarget());
    for (int i = 1; i <= 3; i++) {
      try (DiskEventStore store = open(directory.log())) {
        NumberedGroups.commit(store, i);
        NumberedGroups.commit(model, i);
        StoreAnswers.assertSameAnswers(store, model, "opening " + i);
      }
      assertThat(linkTarget().resolve("data.mdb")).exists();
      directory.simulateReboot();
    }
  }

  private Path linkTarget() {
    return directory.path().resolve("elsewhere");
  }

  private void assertThatAFullDiskOnlyRefuses(SmallFileSystem small, Path log) throws IOException {
    try (DiskEventStore store = open(log)) {
      long stored = fill(store);
      for (int i = 0; i < 3; i++) {
        assertThatIOException().isThrownBy(() -> NumberedGroups.commit(store, stored + 1));
        StoreAnswers.assertSameAnswers(store, model, "without room");
      }
      small.makeRoom();
      for (long number = stored + 1; number <= stored + FITS_AFTER_ROOM_IS_MADE; number++) {
        NumberedGroups.commit(store, number);
        NumberedGroups.commit(model, number);
      }
      StoreAnswers.assertSameAnswers(store, model, "with room again");
    }
    try (DiskEventStore store = open(log)) {
      StoreAnswers.assertSameAnswers(store, model, "opened again");
    }
    directory.simulateReboot();
    try (DiskEventStore store = open(log)) {
      StoreAnswers.assertSameAnswers(store, model, "with an index that was rebuilt");
    }
  }

  private DiskEventStore open(Path log) throws IOException {
    return directory.openWithLogIn(log, SEGMENT_BYTES, RECORDS_PER_TRANSACTION);
  }

  /**
   * Commits until no attempt at a commit succeeds; returns the number of groups in the store. An
   * index that has refused a commit may have freed pages, in which the next attempt finds room.
   */
  private long fill(DiskEventStore store) throws IOException {
    int failures = 0;
    long number = 1;
    while (number < MORE_THAN_FITS && failures < ATTEMPTS) {
      try {
        NumberedGroups.commit(store, number);
        NumberedGroups.commit(model, number++);
        failures = 0;
      } catch (IOException e) {
        failures++;
      }
    }
    assertThat(failures).as("the disk is full").isEqualTo(ATTEMPTS);
    return number - 1;
  }

  @Test
  void clientsAreRefusedOnAFullDiskCanReadAndWriteAgainOnceThereIsRoom() throws IOException {
    try (SmallFileSystem small =
            new SmallFileSystem(directory.path(), 4 * FILE_SYSTEM_BYTES, FILE_SYSTEM_BYTES);
        DiskEventStore store = open(directory.log());
        TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client client = relay.connect()) {
      List<String> stored = new ArrayList<>(publish(client, relay.now(), MORE_THAN_FITS));
      assertThat(idsOf(client)).hasSizeGreaterThan(0).hasSameElementsAs(stored);
      small.makeRoom();
      List<String> more = publish(client, relay.now() + 1, FITS_AFTER_ROOM_IS_MADE);
      assertThat(more).hasSize(FITS_AFTER_ROOM_IS_MADE);
      stored.addAll(more);
      assertThat(idsOf(client)).hasSameElementsAs(stored);
    }
  }

  /**
   * Publishes up to {@code max} events until one is refused; returns the ids of the accepted ones.
   */
  private static List<String> publish(Client client, long now, int max) {
    List<String> accepted = new ArrayList<>();
    while (accepted.size() < max) {
      Event event = client.publish(Keys.of("alice"), now, 1, accepted.size() + "x".repeat(20_000));
      JsonNode answer = client.nextJson();
      assertThat(answer.path(1).asText()).isEqualTo(event.id().hex());
      if (!answer.path(2).asBoolean()) {
        assertThat(answer.path(3).asText()).startsWith("error: ");
        return accepted;
      }
      accepted.add(event.id().hex());
    }
    return accepted;
  }

  private static List<String> idsOf(Client client) {
    client.send("[\"REQ\",\"all\",{\"limit\":5000}]");
    List<JsonNode> frames = client.until("EOSE");
    client.send("[\"CLOSE\",\"all\"]");
    return frames.stream()
        .limit(frames.size() - 1)
        .map(it -> it.path(2).path("id").asText())
        .toList();
  }

  @AfterEach
  void deleteDirectory() throws IOException {
    directory.delete();
  }
}
