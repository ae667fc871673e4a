package gambit.core.frames;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.limit.LimitValues;
import gambit.core.management.Management;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.nip.OperatorPolicies;
import gambit.core.store.EventStore;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenPolicies;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.TestTime;
import gambit.core.testkit.UnsignedEvents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RelayFramesTest {
  private static final Signer ALICE = Keys.of("alice");

  private static final Path FRAMES = Path.of("src/test/resources/frames");

  /** One folder a NIP, and one for the operator's policies. */
  @TestFactory
  Stream<DynamicTest> everyGoldenFile() throws IOException {
    try (Stream<Path> folders = Files.list(FRAMES)) {
      return folders.sorted().toList().stream()
          .flatMap(folder -> GoldenFile.listIn(folder).stream())
          .map(
              file ->
                  DynamicTest.dynamicTest(FRAMES.relativize(file).toString(), () -> play(file)));
    }
  }

  private static void play(Path file) {
    try (TestRelay relay = new TestRelay(GoldenFile.nips(file), features(file))) {
      GoldenFile.play(relay, file);
    }
  }

  private static Feature[] features(Path file) {
    OperatorPolicies policies = GoldenPolicies.of(file);
    Set<Integer> off = GoldenFile.nips(file).off();
    Set<PubKey> admins = Set.of(AdminCalls.ADMIN.pubkey());
    return GoldenFile.hasSetting(file, "managed")
        ? new Feature[] {
          policies, new Management(policies, admins, !off.contains(86), !off.contains(56))
        }
        : new Feature[] {policies};
  }

  @Test
  void thousandsOfEventsAreServedInOrder() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      for (int i = 0; i < 1500; i++) {
        client.publish(ALICE.sign(relay.now() - i % 700, 1, Tags.NONE, "note " + i));
      }
      for (int i = 0; i < 1500; i++) {
        assertThat(client.next()).startsWith("[\"OK\"").contains("true");
      }
      client.send("[\"REQ\",\"all\",{\"limit\":5000},{\"kinds\":[1],\"limit\":1000}]");
      var frames = client.until("EOSE");
      assertThat(frames).hasSize(1501);
      for (int i = 1; i < 1500; i++) {
        var newer = frames.get(i - 1).get(2);
        var older = frames.get(i).get(2);
        long newerTime = newer.get("created_at").asLong();
        long olderTime = older.get("created_at").asLong();
        assertThat(newerTime).isGreaterThanOrEqualTo(olderTime);
        if (newerTime == olderTime) {
          assertThat(newer.get("id").asText()).isLessThan(older.get("id").asText());
        }
      }
    }
  }

  @Test
  void eventReplacedDuringAQueryIsNeverMissing() {
    PubKey bob = Keys.of("bob").pubkey();
    long now = TestTime.START.getEpochSecond();
    EventStore store = new MemoryEventStore(64 << 20);
    UnsignedEvents.store( // so that a query takes a while
        store, 3_000, i -> UnsignedEvents.event(bob, now - i % 100, 1, Tags.NONE, "note " + i));
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
        Client writer = relay.connect();
        Client reader = relay.connect()) {
      String filter = // the second one has found its limit at once, the third one soon
          "{\"kinds\":[0],\"authors\":[\""
              + ALICE.pubkey()
              + "\"]},{\"limit\":0},{\"kinds\":[1],\"limit\":5}";
      for (int i = 0; i < 150; i++) {
        String name = "q" + i;
        writer.publish(ALICE.sign(relay.now() - 150 + i, 0, Tags.NONE, "version " + i));
        if (i == 0) {
          writer.next();
        } else {
          reader.send("[\"REQ\",\"" + name + "\"," + filter + "]");
          assertThat(reader.until("EOSE"))
              .as(name)
              .anyMatch(
                  frame ->
                      frame.size() == 3
                          && frame.get(1).asText().equals(name)
                          && frame.get(2).get("kind").asInt() == 0);
          reader.send("[\"CLOSE\",\"" + name + "\"]");
        }
      }
    }
  }

  @Test
  void noEventIsMissedOrRepeatedAroundEose() {
    try (TestRelay relay = new TestRelay();
        Client writer = relay.connect();
        Client reader = relay.connect()) {
      int total = 600;
      java.util.List<String> ids = new java.util.ArrayList<>();
      for (int i = 0; i < total; i++) {
        Event event = ALICE.sign(relay.now(), 1, Tags.NONE, "note " + i);
        ids.add(event.id().hex());
        writer.publish(event);
        if (i % 100 == 50) {
          reader.send("[\"REQ\",\"s" + i + "\",{\"kinds\":[1],\"limit\":5000}]");
        }
      }
      java.util.Map<String, java.util.List<String>> got = new java.util.HashMap<>();
      int expected = total * 6 + 6;
      for (int i = 0; i < expected; i++) {
        var frame = reader.nextJson();
        if (frame.get(0).asText().equals("EVENT")) {
          got.computeIfAbsent(frame.get(1).asText(), s -> new java.util.ArrayList<>())
              .add(frame.get(2).get("id").asText());
        }
      }
      assertThat(got).hasSize(6);
      got.values().forEach(list -> assertThat(list).containsExactlyInAnyOrderElementsOf(ids));
    }
  }
}
