package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The order of commit, answer and delivery; the store has its own tests. */
class DurabilityRulesTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  @DisplayName("OK true, and delivery, only after the commit")
  void nothingIsAnsweredOrDeliveredBeforeTheCommit() {
    FaultyStore store = new FaultyStore();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client writer = relay.connect();
        Client reader = relay.connect()) {
      reader.send("[\"REQ\",\"live\",{}]").until("EOSE");
      store.blockCommits();
      Event event = writer.publish(ALICE, relay.now(), 1, "hello");
      writer.send("[\"REQ\",\"q\",{\"kinds\":[7]}]");
      assertThat(writer.next()).as("before any OK").isEqualTo("[\"EOSE\",\"q\"]");
      reader.send("[\"REQ\",\"stored\",{}]");
      assertThat(reader.next()).as("before any event").isEqualTo("[\"EOSE\",\"stored\"]");
      store.unblockCommits();
      assertThat(writer.next()).isEqualTo("[\"OK\",\"" + event.id() + "\",true,\"\"]");
      assertThat(List.of(reader.next(), reader.next()))
          .containsExactlyInAnyOrder(
              "[\"EVENT\",\"live\"," + event + "]", "[\"EVENT\",\"stored\"," + event + "]");
    }
  }

  @Test
  @DisplayName("what ordinary clients were told is so after a restart: replaced, deleted, vanished")
  void acknowledgedEventsAreServedAfterARestart() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    EventStore store = directory.open();
    try {
      Event old = ALICE.sign(100, 0, Tags.NONE, "old");
      Event profile = ALICE.sign(200, 0, Tags.NONE, "new");
      Event note = ALICE.sign(300, 1, Tags.NONE, "note");
      Event deletion = ALICE.sign(400, 5, new Tags(List.of(List.of("e", note.id().hex()))), "");
      Signer bob = Keys.of("bob");
      Event bobs = bob.sign(500, 1, Tags.NONE, "bob's");
      Event vanish = bob.sign(600, 62, new Tags(List.of(List.of("relay", "ALL_RELAYS"))), "");
      try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
          Client client = relay.connect()) {
        List.of(old, profile, note, deletion, bobs, vanish).forEach(client::publishAccepted);
      }
      directory.simulateReboot();
      store = directory.open();
      try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
          Client client = relay.connect()) {
        assertThat(client.queryIds("{}"))
            .containsExactly(vanish.id().hex(), deletion.id().hex(), profile.id().hex());
        assertThat(client.answerTo(profile)).isEqualTo("duplicate: already have this event");
        assertThat(client.answerTo(old)).isEqualTo("duplicate: a newer version is stored");
        assertThat(client.answerTo(note)).isEqualTo("blocked: the event was deleted by its author");
        assertThat(client.answerTo(bobs))
            .isEqualTo("blocked: its author has asked this relay to vanish");
      }
    } finally {
      store.close();
      directory.delete();
    }
  }
}
