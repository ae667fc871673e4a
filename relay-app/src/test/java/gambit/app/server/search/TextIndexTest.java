package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.store.EventStore.Changes;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextIndexTest {
  private static final String SECRET = "xylophonequartz";

  private final WordAnalyzer analyzer = new WordAnalyzer();

  @TempDir Path directory;
  private TextIndex index;

  @BeforeEach
  void open() throws IOException {
    index = TextIndex.open(directory, false, analyzer, KindSet.of(1), new MemoryEventStore(1));
  }

  @AfterEach
  void close() throws IOException {
    index.close();
  }

  private static StoredEvent note(long offset, String content) {
    return new StoredEvent(
        offset, Keys.of("alice").sign(offset, 1, Tags.NONE, content), Transaction.NEVER);
  }

  private long[] find(String text, long deadline) throws IOException {
    SearchText search = SearchText.read(text, analyzer);
    Filter filter = new Filter(null, null, null, Map.of(), null, null, null, text);
    return index.find(search, filter, null, 10, deadline);
  }

  @Test
  void wordsOfRemovedEventsAreErasedFromTheFiles() throws IOException {
    index.apply(new Changes(List.of(note(1, SECRET), note(2, "kept")), List.of(), 2));
    index.refresh();
    index.commit(2);
    assertThat(filesContainTheSecret()).isTrue();
    index.apply(new Changes(List.of(), List.of(1L), 3));
    assertThat(index.hasRemoved()).isTrue();
    index.eraseRemoved();
    await()
        .until(
            () -> {
              index.refresh(); // releases files that were merged
              index.commit(3);
              return !filesContainTheSecret();
            });
    assertThat(find("kept", Long.MAX_VALUE / 2)).containsExactly(2);
    assertThat(index.hasRemoved()).isFalse();
  }

  private boolean filesContainTheSecret() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (containsTheSecret(file)) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean containsTheSecret(Path file) throws IOException {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).contains(SECRET);
    } catch (NoSuchFileException e) {
      return false; // a merge has deleted it since the files were listed
    }
  }

  @Test
  void searchThatTakesTooLongHasNoResult() throws IOException {
    index.apply(new Changes(List.of(note(1, "a note")), List.of(), 1));
    index.refresh();
    assertThat(find("note", System.nanoTime() + 60_000_000_000L)).containsExactly(1);
    assertThat(find("note", System.nanoTime() - 1)).isNull();
  }
}
