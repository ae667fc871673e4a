package gambit.app;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.store.Transaction;
import gambit.core.store.disk.DiskEventStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay that cannot go on with its games does not start without them. */
class UnreadableGamesTest {

  @Test
  void aGameThatCannotBeReadIsNamed(@TempDir Path data) throws Exception {
    Path directory = Files.createDirectories(data.resolve("store"));
    try (DiskEventStore store = DiskEventStore.open(directory, InstantSource.system(), 0);
        Transaction transaction = store.begin()) {
      transaction.putRow("chess.games", new byte[32], new byte[] {9});
      transaction.commit();
    }
    Gambit.Options options =
        new Gambit.Options("127.0.0.1", 0, 0, data, false, Settings.of(Map.of(), List.of()));
    for (int start = 0; start < 2; start++) { // the first has left nothing open
      assertThatThrownBy(() -> new Gambit(options, death -> {}))
          .isInstanceOf(CannotStart.class)
          .hasMessageStartingWith(
              "--data: The journal of game " + "0".repeat(64) + " is unreadable")
          .hasMessageContaining("unknown format 9");
    }
  }
}
