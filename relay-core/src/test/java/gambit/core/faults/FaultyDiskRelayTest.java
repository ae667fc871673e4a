package gambit.core.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.StoreFailure;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.FaultyDisk;
import gambit.core.store.disk.FaultyDisk.SyncFault;
import gambit.core.store.disk.LogFile;
import gambit.core.store.disk.LogFile.RecordLocation;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Answers of a relay whose disk fails. */
class FaultyDiskRelayTest {
  private static final Signer ALICE = Keys.of("alice");

  private final StoreDirectory directory = new StoreDirectory();
  private final FaultyDisk disk = new FaultyDisk(SyncFault.NONE);

  FaultyDiskRelayTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  @Test
  void failedWriteIsAnsweredAndReadingAndWritingContinue() throws IOException {
    Event first = ALICE.sign(1, 1, Tags.NONE, "first");
    Event second = ALICE.sign(2, 1, Tags.NONE, "second");
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open(disk));
        Client client = relay.connect()) {
      client.publishAccepted(first);
      disk.failAt(disk.operations() + 1);
      assertThat(client.answerTo(second)).isEqualTo("error: the event could not be stored");
      assertThat(client.queryIds("{}")).containsExactly(first.id().hex());
      client.publishAccepted(second);
      assertThat(client.queryIds("{}")).containsExactly(second.id().hex(), first.id().hex());
    }
    directory.simulateReboot();
    try (DiskEventStore store = directory.open(disk.afterKill())) {
      assertThat(store.size()).isEqualTo(2);
    }
  }

  @Test
  void damagedRecordIsLeftOutOfAnswersAndCounted() throws IOException {
    Event first = ALICE.sign(1, 1, Tags.NONE, "first");
    Event second = ALICE.sign(2, 1, Tags.NONE, "second");
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open());
        Client client = relay.connect()) {
      client.publishAccepted(first);
      client.publishAccepted(second);
    }
    LogFile.all(directory).get(0).events().get(0).flipBit(RecordLocation.signaturePosition());
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open());
        Client client = relay.connect()) {
      assertThat(client.queryIds("{}")).containsExactly(second.id().hex());
      assertThat(client.queryIds("{\"ids\":[\"" + first.id().hex() + "\"]}")).isEmpty();
      assertThat(relay.metrics().read("damaged_records")).isEqualTo(1);
      assertThat(relay.health().objection()).isEmpty();
      assertThat(relay.health().remark())
          .contains("damaged records found in the store: 1; run gambit check");
      client.publishAccepted(first); // it is accepted like a new event
      assertThat(client.queryIds("{}")).containsExactly(second.id().hex(), first.id().hex());
    }
  }

  @Test
  void failedSyncEndsTheRelayBeforeAnythingIsAnswered() throws IOException {
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open(disk));
        Client client = relay.connect();
        Client observer = relay.connect()) {
      observer.send("[\"REQ\",\"live\",{\"limit\":0}]").until("EOSE");
      client.publishAccepted(ALICE.sign(1, 1, Tags.NONE, "first"));
      observer.next();
      disk.failAt(disk.operations() + 2); // the group, then its sync
      client.publish(ALICE.sign(2, 1, Tags.NONE, "second"));
      assertThat(relay.awaitFailure())
          .isInstanceOf(StoreFailure.class)
          .hasMessage("the event log could not be synced to the disk");
      for (Client each : List.of(client, observer)) {
        each.send("[\"REQ\",\"after\",{\"limit\":0}]");
        assertThat(each.next()).as("the first frame").isEqualTo("[\"EOSE\",\"after\"]");
      }
    }
  }
}
