package gambit.app.command.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.app.tool.client.ReceivedMessage;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Exports from a relay to which a client writes, and in which events are replaced and deleted. */
@Timeout(120)
class ExportDuringWritesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final long TIME = 1_700_000_000;
  private static final int KEPT = 1_000;

  @TempDir Path directory;

  private final Set<String> deleted = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isEnding = new AtomicBoolean();
  private final CountDownLatch changes = new CountDownLatch(10);

  /** Replaces a profile and an article, and deletes notes between those that are kept. */
  private void write(URI relay) {
    try (Client client = new Client(relay)) {
      for (int i = 0; !isEnding.get(); i++) {
        long time = TIME + i % KEPT;
        client.answerTo(ALICE.sign(TIME + i, 0, Tags.NONE, "profile " + i));
        client.answerTo(ALICE.sign(TIME + i, 30_023, tag("d", "article"), "article " + i));
        Event note = ALICE.sign(time, 1, Tags.NONE, "deleted " + i);
        String answer = client.answerTo(note);
        Event deletion = ALICE.sign(time, 5, tag("e", note.id().hex()), "");
        if (client.answerTo(deletion).isEmpty() && answer.isEmpty()) {
          deleted.add(note.id().hex());
          changes.countDown();
        }
      }
    }
  }

  private static Tags tag(String name, String value) {
    return new Tags(List.of(List.of(name, value)));
  }

  @Test
  void everyLineIsAnEventAndEventsThatWereNotChangedAreComplete() throws Exception {
    Path data = Files.createDirectory(directory.resolve("data"));
    List<String> kept =
        IntStream.range(0, KEPT)
            .mapToObj(i -> BOB.sign(TIME + i, 1, Tags.NONE, "kept " + i).toString())
            .toList();
    Path file = Files.write(directory.resolve("kept.jsonl"), kept);
    assertThat(CommandResult.of("import", "--data", "" + data, "" + file).status()).isZero();
    try (LocalRelay relay = LocalRelay.withControl(data)) {
      CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(relay.uri()));
      try {
        assertThat(changes.await(2, TimeUnit.MINUTES)).isTrue();
        for (int i = 0; i < 3; i++) {
          assertExportIsConsistent(data, kept);
        }
      } finally {
        isEnding.set(true);
      }
      writing.get(2, TimeUnit.MINUTES);
    }
  }

  private void assertExportIsConsistent(Path data, List<String> kept) throws Exception {
    Set<String> deletedBefore = Set.copyOf(deleted);
    Path file = directory.resolve("exported.jsonl");
    assertThat(CommandResult.of("export", "--data", "" + data, "" + file).status()).isZero();
    List<String> lines = Files.readAllLines(file);
    assertThat(lines).containsAll(kept).doesNotHaveDuplicates();
    EventVerifier verifier = new EventVerifier();
    Set<String> others = new HashSet<>(lines);
    kept.forEach(others::remove);
    for (String line : others) {
      Event event = ReceivedMessage.parseEvent(line).orElseThrow();
      assertThat(verifier.hasValidSignature(event)).isTrue();
      assertThat(deletedBefore).doesNotContain(event.id().hex());
    }
  }
}
