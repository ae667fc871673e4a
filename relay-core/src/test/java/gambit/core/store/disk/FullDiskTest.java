package gambit.core.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Event;
import gambit.core.session.Limits;
import gambit.core.store.EventStore;
import gambit.core.store.MemoryEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A full disk refuses what is new; it loses nothing, shows everything, and ends when it has room.
 */
class FullDiskTest {
  private static final int SEGMENT = 128 << 10;
  private static final int ROOM = 1 << 20;
  private static final int FILLER = ROOM / 2;

  /** Groups for which there is no room. */
  private static final int ENOUGH = 3_000;

  /** Groups, or events of clients, for which there is room when the filler is gone. */
  private static final int MORE = 20;

  private final StoreDirectory directory = new StoreDirectory(null);
  private final EventStore model = new MemoryEventStore(Long.MAX_VALUE);

  FullDiskTest() throws IOException {}

  @Test
  void aLogWithoutRoomRefusesAndLosesNothing() throws IOException {
    try (SmallFileSystem small = new SmallFileSystem(elsewhere(), ROOM, FILLER)) {
      assertThatAFullDiskOnlyRefuses(small, elsewhere().resolve("log"));
    }
  }

  @Test
  void anIndexWithoutRoomRefusesAndLosesNothing() throws IOException {
    try (SmallFileSystem small = new SmallFileSystem(directory.index(), ROOM, FILLER)) {
      assertThatAFullDiskOnlyRefuses(small, directory.log());
      assertThat(directory.index().resolve("data.mdb")).exists();
    }
  }

  @Test
  void anIndexThatIsALinkStaysWhereItLeads() throws IOException {
    Files.createDirectory(elsewhere());
    Files.createSymbolicLink(directory.index(), elsewhere());
    for (int i = 1; i <= 3; i++) {
      try (DiskEventStore store = open(directory.log())) {
        NumberedGroups.commit(store, i);
        NumberedGroups.commit(model, i);
        Answers.assertAlike(store, model, "opening " + i);
      }
      assertThat(elsewhere().resolve("data.mdb")).exists();
      directory.startMachineAgain();
    }
  }

  private Path elsewhere() {
    return directory.path().resolve("elsewhere");
  }

  private void assertThatAFullDiskOnlyRefuses(SmallFileSystem small, Path log) throws IOException {
    try (DiskEventStore store = open(log)) {
      long stored = fill(store);
      for (int i = 0; i < 3; i++) {
        assertThatIOException().isThrownBy(() -> NumberedGroups.commit(store, stored + 1));
        Answers.assertAlike(store, model, "without room");
      }
      small.makeRoom();
      for (long number = stored + 1; number <= stored + MORE; number++) {
        NumberedGroups.commit(store, number);
        NumberedGroups.commit(model, number);
      }
      Answers.assertAlike(store, model, "with room again");
    }
    try (DiskEventStore store = open(log)) {
      Answers.assertAlike(store, model, "opened again");
    }
    directory.startMachineAgain();
    try (DiskEventStore store = open(log)) {
      Answers.assertAlike(store, model, "with an index that was made again");
    }
  }

  private DiskEventStore open(Path log) throws IOException {
    return DiskEventStore.open(
        directory.path(),
        new RealDisk(log),
        new DiskEventStore.Options(
            InstantSource.system(), 0, SEGMENT, 50, "boot " + directory.boots(), null));
  }

  /** Commits until that fails; returns how many groups the store has then. */
  private long fill(DiskEventStore store) throws IOException {
    for (long number = 1; number < ENOUGH; number++) {
      try {
        NumberedGroups.commit(store, number);
      } catch (IOException e) {
        return number - 1;
      }
      NumberedGroups.commit(model, number);
    }
    throw new AssertionError("there is still room");
  }

  @Test
  void clientsAreToldReadOnAndWriteAgainWhenThereIsRoom() throws IOException {
    try (SmallFileSystem small = new SmallFileSystem(directory.path(), 4 * ROOM, ROOM);
        DiskEventStore store = open(directory.log());
        TestRelay relay = new TestRelay(Limits.DEFAULT, store);
        Client client = relay.connect()) {
      List<String> stored = new ArrayList<>(publish(client, relay.now(), ENOUGH));
      assertThat(idsOf(client)).hasSizeGreaterThan(0).hasSameElementsAs(stored);
      small.makeRoom();
      List<String> more = publish(client, relay.now() + 1, MORE);
      assertThat(more).hasSize(MORE);
      stored.addAll(more);
      assertThat(idsOf(client)).hasSameElementsAs(stored);
    }
  }

  /** Publishes until it is refused, or so often; returns the ids of what was accepted. */
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
