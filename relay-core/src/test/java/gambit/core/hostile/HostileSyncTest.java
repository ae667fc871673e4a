package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.limit.Limit;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.negentropy.IdSum;
import gambit.core.negentropy.IdSum.Fingerprint;
import gambit.core.negentropy.MessageWriter;
import gambit.core.negentropy.Position;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.SyncClient;
import gambit.core.testkit.SyntheticNotes;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Syncs of hostile clients: everything has an answer, and other clients get theirs. */
class HostileSyncTest {
  private static final int EVENTS = 3_000;

  private final StoreDirectory directory = new StoreDirectory();
  private EventStore store;
  private TestRelay relay;
  private Client client;

  HostileSyncTest() throws IOException {}

  @BeforeEach
  void start() throws IOException {
    store = directory.openWithLogIn(directory.log(), 8 << 20, 10_000);
    try (Transaction transaction = store.begin()) {
      for (Event event : SyntheticNotes.unsigned(1).next(EVENTS)) {
        transaction.append(event, Transaction.NEVER);
      }
      transaction.commit();
    }
    relay = new TestRelay(LimitValues.DEFAULT, store);
    client = relay.connect();
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    relay.close();
    directory.delete();
  }

  private static String open(String id, byte[] message) {
    return "[\"NEG-OPEN\",\"" + id + "\",{},\"" + HexFormat.of().formatHex(message) + "\"]";
  }

  /** Ranges of one second each, which the relay's fingerprints of no event do not match. */
  private static byte[] fingerprints(int ranges) {
    MessageWriter message = new MessageWriter();
    Fingerprint wrong = IdSum.of(new EventId(new byte[32])).fingerprint();
    for (int i = 1; i <= ranges; i++) {
      message.fingerprint(Position.at(1_700_000_000L + 10L * i), wrong);
    }
    return message.message();
  }

  @Test
  void messagesOfThousandsOfRangesAreAnsweredInTurnsWithOtherClients() {
    byte[] message = fingerprints(2_900);
    for (int i = 0; i < 20; i++) {
      client.send(open("s" + i, message));
    }
    try (Client other = relay.connect()) {
      other.send("[\"REQ\",\"r\",{\"limit\":3}]");
      assertThat(other.until("EOSE")).hasSize(4);
    }
    for (int i = 0; i < 20; i++) {
      JsonNode answer = client.nextJson();
      assertThat(answer.get(0).asText()).isEqualTo("NEG-MSG");
      assertThat(answer.get(2).asText().length()).isBetween(1_000, 120_000);
    }
  }

  @Test
  void endlessRangesOfOneIdListAreAnsweredWithinTheFrameLimit() {
    MessageWriter message = new MessageWriter();
    for (int i = 0; i < 9_000; i++) {
      message.ids(Position.at(1_700_000_000L + i), List.of());
    }
    message.ids(Position.INFINITY, List.of());
    client.send(open("s", message.message()));
    JsonNode answer = client.nextJson();
    assertThat(answer.get(0).asText()).isEqualTo("NEG-MSG");
    assertThat(answer.get(2).asText().length()).isBetween(100_000, 120_000);
  }

  @Test
  void mutatedMessagesAreAnswered() {
    Random random = new Random(1);
    byte[] valid = fingerprints(20);
    int refused = 0;
    int count = 300;
    for (int i = 0; i < count; i++) {
      byte[] mutated = valid.clone();
      for (int j = random.nextInt(4); j >= 0; j--) {
        mutated[random.nextInt(mutated.length)] = (byte) random.nextInt(256);
      }
      client.send(open("s" + i % 100, mutated));
      JsonNode answer = client.nextJson();
      assertThat(answer.get(0).asText()).isIn("NEG-MSG", "NEG-ERR");
      if (answer.get(0).asText().equals("NEG-ERR")) {
        assertThat(answer.get(2).asText()).startsWith("invalid: ");
        refused++;
      }
    }
    assertThat(refused).isBetween(count / 4, count - 1);
    assertThat(SyncClient.compare(client, "{}", List.of()).onlyThere()).hasSize(EVENTS);
  }

  /** Each is answered or refused; what they hold is bounded, and gone with the connections. */
  @Test
  void thousandsOfSyncsAreBounded() {
    LimitValues limits =
        TestLimits.builder()
            .set(Limit.ALL_SYNC_BYTES, 8 << 20)
            .set(Limit.SUBSCRIPTIONS, 2_000)
            .build();
    int opened = 0;
    try (TestRelay small = new TestRelay(limits, new MemoryEventStore(1 << 20))) {
      List<Client> clients = new ArrayList<>();
      byte[] empty = {0x61};
      for (int i = 0; i < 4; i++) {
        Client hostile = small.connect();
        clients.add(hostile);
        for (int j = 0; j < 2_500; j += 20) {
          for (int k = 0; k < 20; k++) { // no more, since a slow relay refuses those that wait
            hostile.send(open("s" + (j + k), empty));
          }
          for (int k = 0; k < 20; k++) {
            opened += hostile.nextJson().get(0).asText().equals("NEG-MSG") ? 1 : 0;
          }
        }
      }
      assertThat(opened).isBetween(500, 1_024);
      assertThat(small.metrics().read("sync_bytes")).isLessThanOrEqualTo(4 << 20);
      clients.forEach(Client::close);
      await().until(() -> small.metrics().read("sync_bytes") == 0);
    }
  }
}
