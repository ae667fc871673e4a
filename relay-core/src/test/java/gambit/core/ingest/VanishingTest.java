package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.ServedEvents;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests to vanish (NIP-62), from a real socket to the bytes on the disk. */
class VanishingTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Filter EVERYTHING = new Filter(null, null, null, Map.of(), null, null, null);
  private static final String VANISHED = "blocked: its author has asked this relay to vanish";

  private final StoreDirectory directory = new StoreDirectory();
  private TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open());
  private Client client = relay.connect();
  private final long now = relay.now();

  VanishingTest() throws IOException {}

  @AfterEach
  void end() throws IOException {
    client.close();
    relay.close();
    directory.delete();
  }

  @Test
  void allEventsUpToTheRequestAreRemovedAndCannotBeStoredAgain() {
    Event note = client.publishAccepted(ALICE.sign(now - 2, 1, Tags.NONE, "note"));
    Event profile = client.publishAccepted(ALICE.sign(now - 2, 0, Tags.NONE, "profile"));
    client.publishAccepted(
        ALICE.sign(now - 2, 5, new Tags(List.of(List.of("e", note.id().hex()))), ""));
    Event later = client.publishAccepted(ALICE.sign(now, 1, Tags.NONE, "later"));
    Event other = client.publishAccepted(BOB.sign(now - 2, 1, Tags.NONE, "another's"));
    Event request = client.publishAccepted(request(now - 1, TestRelay.URL));
    assertThat(client.queryIds("{}"))
        .containsExactlyInAnyOrder(later.id().hex(), other.id().hex(), request.id().hex());
    assertThat(client.answerTo(profile)).isEqualTo(VANISHED);
    assertThat(client.answerTo(note)).isEqualTo(VANISHED);
    assertThat(client.answerTo(request)).isEqualTo("duplicate: already have this event");
    client.publishAccepted(ALICE.sign(now, 0, Tags.NONE, "a new profile"));
  }

  @Test
  void giftWrapsForTheVanishedAuthorAreRemoved() {
    client.login(now, ALICE);
    Tags forAlice = new Tags(List.of(List.of("p", ALICE.pubkey().hex())));
    Event wrap = client.publishAccepted(Keys.of("once").sign(now - 2, 1059, forAlice, "sealed"));
    client.publishAccepted(BOB.sign(now - 2, 1, forAlice, "a mention"));
    client.publishAccepted(request(now - 1, "ALL_RELAYS"));
    assertThat(client.queryIds("{\"kinds\":[1059]}")).isEmpty();
    assertThat(client.queryIds("{\"kinds\":[1]}")).hasSize(1);
    assertThat(client.answerTo(wrap)).isEqualTo(VANISHED);
  }

  @Test
  void copiesOfTheVanishedAuthorsMovesAreRemovedWhicheverKeyTheRelayHad() {
    List<String> ofAlice = List.of("p", ALICE.pubkey().hex());
    Tags move = new Tags(List.of(List.of("k", "5001"), ofAlice));
    Signer former = Keys.of("former key");
    Event copy = client.publishAccepted(former.sign(now - 2, 16, move, "move"));
    Tags note = new Tags(List.of(List.of("k", "20"), ofAlice));
    client.publishAccepted(former.sign(now - 2, 16, note, "another repost"));
    client.publishAccepted(request(now - 1, "ALL_RELAYS"));
    assertThat(client.queryIds("{\"kinds\":[16]}")).hasSize(1);
    assertThat(client.answerTo(copy)).isEqualTo(VANISHED);
  }

  @Test
  void requestToAnotherRelayIsRefusedAndDeletesNothing() {
    client.publishAccepted(ALICE.sign(now - 2, 1, Tags.NONE, "note"));
    String refusal = "invalid: the request to vanish names another relay";
    assertThat(client.answerTo(request(now, "wss://another.example"))).isEqualTo(refusal);
    assertThat(client.answerTo(ALICE.sign(now, 62, Tags.NONE, ""))).isEqualTo(refusal);
    assertThat(client.queryIds("{\"kinds\":[1]}")).hasSize(1);
  }

  @Test
  void requestToVanishCannotBeDeleted() {
    Event note = client.publishAccepted(ALICE.sign(now - 2, 1, Tags.NONE, "note"));
    Event request = client.publishAccepted(request(now - 1, TestRelay.URL));
    client.publishAccepted(
        ALICE.sign(now, 5, new Tags(List.of(List.of("e", request.id().hex()))), ""));
    assertThat(client.queryIds("{\"kinds\":[62]}")).hasSize(1);
    assertThat(client.answerTo(note)).isEqualTo(VANISHED);
  }

  @Test
  void eventsBeyondOneCommitAreHiddenAtOnceAndAfterARestart() throws IOException {
    int notes = 2 * StorageRules.PORTION_EVENTS + 100;
    for (int i = 0; i < notes; i++) {
      client.publish(ALICE.sign(now - 100, 1, Tags.NONE, "" + i));
    }
    for (int i = 0; i < notes; i++) {
      assertThat(client.next()).endsWith(",true,\"\"]");
    }
    client.publishAccepted(request(now, TestRelay.URL));
    assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
    assertThat(relay.store().size()).isGreaterThan(StorageRules.PORTION_EVENTS);
    restart();
    assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
    List<Event> served = new ArrayList<>();
    servedWithoutTheRelay().forEach(EVERYTHING, served::add);
    assertThat(served).extracting(Event::kind).containsExactly(62);
    assertThat(client.answerTo(ALICE.sign(now - 100, 1, Tags.NONE, "0"))).isEqualTo(VANISHED);
    relay.time().advance(Duration.ofMinutes(1));
    relay.time().awaitSweepScheduled();
    assertThat(relay.store().size()).isEqualTo(1);
  }

  private ServedEvents servedWithoutTheRelay() {
    return new ServedEvents(relay.store(), InstantSource.fixed(Instant.ofEpochSecond(now)));
  }

  @Test
  void bytesAreErasedFromTheDiskWithinADay() throws IOException {
    client.publishAccepted(BOB.sign(now, 1, Tags.NONE, "what Bob keeps"));
    client.publishAccepted(ALICE.sign(now - 2, 1, Tags.NONE, "what Alice vanishes with"));
    Event note = client.publishAccepted(BOB.sign(now, 1, Tags.NONE, "what Bob deletes"));
    assertThat(isOnDisk("what Alice vanishes with")).isTrue();
    client.publishAccepted(request(now - 1, TestRelay.URL));
    client.publishAccepted(BOB.sign(now, 5, new Tags(List.of(List.of("e", note.id().hex()))), ""));
    relay.time().advance(Duration.ofHours(13));
    relay.time().awaitSweepScheduled();
    assertThat(isOnDisk("what Alice vanishes with")).isFalse();
    assertThat(isOnDisk("what Bob deletes")).isFalse();
    assertThat(isOnDisk("what Bob keeps")).isTrue();
    restart();
    assertThat(client.queryIds("{\"kinds\":[1]}")).hasSize(1);
    assertThat(client.answerTo(note)).isEqualTo("blocked: the event was deleted by its author");
  }

  @Test
  void replacedVersionsAreErasedFromTheDiskToo() throws IOException {
    client.publishAccepted(ALICE.sign(now - 9, 0, Tags.NONE, "what Alice was called before"));
    String fillsASegment = "x".repeat(1000);
    for (int i = 0; i < 4; i++) {
      client.publishAccepted(BOB.sign(now, 1, Tags.NONE, i + fillsASegment));
    }
    client.publishAccepted(ALICE.sign(now - 8, 0, Tags.NONE, "what Alice is called"));
    assertThat(isOnDisk("what Alice was called before")).isTrue();
    client.publishAccepted(request(now - 1, TestRelay.URL));
    relay.time().advance(Duration.ofHours(13));
    relay.time().awaitSweepScheduled();
    assertThat(isOnDisk("what Alice was called before")).isFalse();
    assertThat(isOnDisk("what Alice is called")).isFalse();
  }

  private boolean isOnDisk(String text) throws IOException {
    try (Stream<Path> files = Files.walk(directory.path())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (Files.readString(file, StandardCharsets.ISO_8859_1).contains(text)) {
          return true;
        }
      }
      return false;
    }
  }

  private void restart() throws IOException {
    client.close();
    relay.close();
    relay = new TestRelay(LimitValues.DEFAULT, directory.open());
    client = relay.connect();
  }

  private static Event request(long at, String relay) {
    return ALICE.sign(at, 62, new Tags(List.of(List.of("relay", relay))), "");
  }
}
