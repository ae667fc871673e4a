package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import gambit.core.store.Transaction;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Rows of deletions and requests to vanish: the current format, that of 0.1.0, and unreadable ones.
 */
class RowFormatTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final byte[] AUTHOR = ALICE.pubkey().bytes();
  private static final Tags D = new Tags(List.of(List.of("d", "x")));
  private static final Event OLD = ALICE.sign(1000, 30_023, D, "old");
  private static final Event NEW = ALICE.sign(1001, 30_023, D, "new");
  private static final String ADDRESS = "30023:" + ALICE.pubkey().hex() + ":x";

  private final MemoryEventStore store = new MemoryEventStore(1 << 20);

  @Test
  void rowsBeginWithTheirFormatNumber() throws IOException {
    carryOut(ALICE.sign(1000, 5, tags("e", OLD.id().hex()), ""));
    carryOut(ALICE.sign(1000, 5, tags("a", ADDRESS), ""));
    Event request = ALICE.sign(1000, 62, tags("relay", "ALL_RELAYS"), "");
    try (Transaction transaction = store.begin()) {
      new Vanishing(store).carryOut(transaction, request, 10);
      transaction.commit();
    }
    assertThat(store.row("deleted", deletedKey(OLD.id()))).contains(new byte[] {1});
    assertThat(store.row("deleted addresses", addressKey())).contains(bytes("0100000000000003e8"));
    assertThat(store.row("vanished", AUTHOR))
        .contains(bytes("0100000000000003e800" + request.id().hex()));
  }

  @Test
  void deletedEventIsRefused() throws IOException {
    carryOut(ALICE.sign(1000, 5, tags("e", NEW.id().hex()), ""));
    carryOut(ALICE.sign(1000, 5, tags("a", ADDRESS), ""));
    assertThat(Deletions.isDeleted(store, NEW)).isTrue();
    assertThat(Deletions.isDeleted(store, OLD)).isTrue();
    assertThat(Deletions.isDeleted(store, ALICE.sign(1002, 30_023, D, ""))).isFalse();
  }

  @Test
  void unreadableRowIsNamed() throws IOException {
    put("deleted addresses", addressKey(), bytes("0200000000000003e8"));
    assertThatThrownBy(() -> Deletions.isDeleted(store, OLD))
        .isInstanceOf(UnreadableRows.class)
        .hasMessage("The row of deleted addresses " + ADDRESS + " is unreadable")
        .hasRootCauseMessage("format 2, 9 bytes");
    put("deleted", deletedKey(NEW.id()), new byte[] {2});
    assertThatThrownBy(() -> Deletions.isDeleted(store, NEW))
        .hasMessage("The row of deleted " + NEW.id().hex() + " is unreadable");
    put("vanished", AUTHOR, new byte[0]);
    assertThatThrownBy(() -> new StorageRules(store, Set.of()))
        .isInstanceOf(UnreadableRows.class)
        .hasMessage("The row of vanished " + ALICE.pubkey().hex() + " is unreadable")
        .hasRootCauseMessage("format missing, 0 bytes");
  }

  private void carryOut(Event deletion) throws IOException {
    try (Transaction transaction = store.begin()) {
      Deletions.carryOut(transaction, deletion, event -> false);
      transaction.commit();
    }
  }

  private void put(String table, byte[] key, byte[] row) throws IOException {
    try (Transaction transaction = store.begin()) {
      transaction.putRow(table, key, row);
      transaction.commit();
    }
  }

  private static byte[] deletedKey(EventId id) {
    return ByteBuffer.allocate(64).put(id.bytes()).put(AUTHOR).array();
  }

  private static byte[] addressKey() {
    return Sha256.of(ADDRESS);
  }

  private static Tags tags(String name, String value) {
    return new Tags(List.of(List.of(name, value)));
  }

  private static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }
}
