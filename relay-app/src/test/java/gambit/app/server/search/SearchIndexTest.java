package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.nip.StandardNips;
import gambit.core.store.EventStore;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The index on disk: restarts, unusable files, and a store that has changed meanwhile. */
class SearchIndexTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final StandardNips SEARCHING = new StandardNips(Set.of(), true, 0);
  private static final KindSet NOTES = KindSet.of(1);
  private static final String BUILDING =
      "The search index is being built; searches are refused until it is complete";

  @TempDir Path temporary;

  private final StoreDirectory directory = new StoreDirectory();
  private final List<Event> notes = new ArrayList<>();

  SearchIndexTest() throws IOException {}

  @AfterEach
  void delete() throws IOException {
    directory.delete();
  }

  private Path index() {
    return temporary.resolve("search");
  }

  /** What happens while a relay runs. */
  private interface Session {
    void run(TestRelay relay, Client client) throws IOException;
  }

  /** Runs a relay that searches for some kinds; returns what was logged of the index. */
  private List<String> run(KindSet kinds, Session session) throws IOException {
    EventStore store = directory.open();
    List<String> lines = new ArrayList<>();
    try (ClassLog follower = ClassLog.withInfo(IndexFollower.class);
        ClassLog versions = ClassLog.withInfo(IndexVersion.class)) {
      try (TextSearch search =
              new TextSearch(new SearchSettings(kinds), store, index(), SearchFramesTest.PATIENT);
          TestRelay relay = new TestRelay(SEARCHING, store, search);
          Client client = relay.connect()) {
        session.run(relay, client);
      }
      lines.addAll(versions.messages());
      lines.addAll(follower.messages());
    }
    return lines;
  }

  private static List<String> found(Client client, String text) {
    return client.queryIds("{\"search\":\"" + text + "\"}");
  }

  private static Event publish(TestRelay relay, Client client, String content) {
    return client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, content));
  }

  @BeforeEach
  void publishNotes() throws IOException {
    run(
        NOTES,
        (relay, client) -> {
          for (int i = 0; i < 30; i++) {
            notes.add(publish(relay, client, "note number " + i));
          }
          assertThat(found(client, "note")).hasSize(30);
        });
  }

  private void assertEveryNoteIsFound(TestRelay relay, Client client) {
    assertThat(found(client, "note"))
        .containsExactlyInAnyOrderElementsOf(notes.stream().map(it -> it.id().hex()).toList());
    assertThat(found(client, "number 7")).containsExactly(notes.get(7).id().hex());
  }

  @Test
  void indexIsUsedAgainAfterARestart() throws IOException {
    assertThat(run(NOTES, this::assertEveryNoteIsFound)).doesNotContain(BUILDING);
  }

  @Test
  void indexFollowsTheStoreWithinASecondWithoutASearch() throws IOException {
    run(
        NOTES,
        (relay, client) -> {
          notes.add(publish(relay, client, "nobody searches for it"));
          await()
              .atMost(Duration.ofMinutes(2))
              .until(
                  () -> {
                    relay.time().advance(Duration.ofSeconds(1));
                    return relay.metrics().read("search_index_events") == 31
                        && relay.metrics().read("search_index_behind_bytes") == 0;
                  });
        });
  }

  @Test
  void missingIndexIsBuiltFromTheLog() throws IOException {
    deleteIndex();
    assertThat(run(NOTES, this::assertEveryNoteIsFound)).contains(BUILDING);
  }

  @Test
  void indexOfOtherKindsIsBuiltAnew() throws IOException {
    assertThat(run(KindSet.of(1, 7), this::assertEveryNoteIsFound))
        .contains("The search index is built anew: search.kinds has changed", BUILDING);
  }

  @Test
  void indexThatCannotBeReadIsBuiltAnew() throws IOException {
    for (Path file : indexFiles()) {
      Files.write(file, new byte[] {1, 2, 3});
    }
    assertThat(run(NOTES, this::assertEveryNoteIsFound))
        .contains("The search index is built anew, because it cannot be read", BUILDING);
  }

  @Test
  void indexOfAnotherStoreIsBuiltAnew() throws IOException {
    StoreDirectory.delete(directory.path());
    notes.clear();
    assertThat(
            run(
                NOTES,
                (relay, client) -> {
                  assertThat(found(client, "note")).isEmpty();
                  notes.add(publish(relay, client, "a note"));
                  assertThat(found(client, "note")).containsExactly(notes.get(0).id().hex());
                }))
        .contains("The search index is built anew: it is not of this store");
  }

  @Test
  void indexOfAnotherStoreIsBuiltAnewAlsoWhenThatHasGrownLonger() throws IOException {
    StoreDirectory.delete(directory.path());
    notes.clear();
    EventStore store = directory.open();
    try (TestRelay relay = new TestRelay(SEARCHING, store);
        Client client = relay.connect()) {
      for (int i = 0; i < 40; i++) {
        notes.add(publish(relay, client, "another note, number " + i));
      }
    }
    assertThat(run(NOTES, this::assertEveryNoteIsFound))
        .contains("The search index is built anew: it is not of this store");
  }

  @Test
  void indexIsUsedAgainAfterSomeOfTheNewestEventsWereDeleted() throws IOException {
    run(
        NOTES,
        (relay, client) -> {
          for (Event note : notes.subList(20, 30)) {
            Tags target = new Tags(List.of(List.of("e", note.id().hex())));
            client.publishAccepted(ALICE.sign(relay.now(), 5, target, ""));
          }
        });
    notes.subList(20, 30).clear();
    assertThat(run(NOTES, this::assertEveryNoteIsFound)).doesNotContain(BUILDING);
  }

  @Test
  void eventsOfTheTimeWithoutSearchAreFoundAndThoseRemovedThenAreForgotten() throws IOException {
    EventStore store = directory.open();
    Event added;
    try (TestRelay relay = new TestRelay(SEARCHING, store);
        Client client = relay.connect()) {
      added = publish(relay, client, "a later note");
      for (Event note : notes.subList(0, 29)) {
        Tags target = new Tags(List.of(List.of("e", note.id().hex())));
        client.publishAccepted(ALICE.sign(relay.now(), 5, target, ""));
      }
    }
    try (EventStore rewritten = directory.open()) {
      StoreDirectory.reclaimAll(rewritten, Instant.MAX.minusSeconds(1));
    }
    run(
        NOTES,
        (relay, client) -> {
          assertThat(found(client, "note"))
              .containsExactlyInAnyOrder(added.id().hex(), notes.get(29).id().hex());
          await()
              .until(
                  () -> {
                    relay.time().advance(Duration.ofSeconds(1));
                    return relay.metrics().read("search_index_events") == 2;
                  });
        });
  }

  @Test
  void relayRunsWithoutAUsableDirectoryAndTriesAgain() throws IOException {
    deleteIndex();
    Files.createFile(index());
    List<String> lines =
        run(
            NOTES,
            (relay, client) -> {
              client.send("[\"REQ\",\"s\",{\"search\":\"note\"}]");
              assertThat(client.next())
                  .isEqualTo(
                      "[\"CLOSED\",\"s\",\"error: the search index is not ready, try again later\"]");
              notes.add(publish(relay, client, "note number thirty"));
              Files.delete(index());
              await()
                  .until(
                      () -> {
                        relay.time().advance(Duration.ofSeconds(30));
                        return relay.metrics().read("search_index_events") == 31;
                      });
              assertEveryNoteIsFound(relay, client);
            });
    assertThat(lines).contains("The search index has failed; it is opened again in 30 s");
  }

  private void deleteIndex() throws IOException {
    for (Path file : indexFiles()) {
      Files.delete(file);
    }
    Files.delete(index());
  }

  private List<Path> indexFiles() throws IOException {
    try (Stream<Path> files = Files.list(index())) {
      return files.toList();
    }
  }
}
