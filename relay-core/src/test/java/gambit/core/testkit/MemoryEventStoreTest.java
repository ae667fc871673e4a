package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.store.EventStore;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs the contract of stores on the store in memory, and tests its bound. */
class MemoryEventStoreTest extends EventStoreContract {
  @Override
  protected EventStore openEmpty() {
    return new MemoryEventStore(1 << 30);
  }

  @Test
  void removalFreesRoom() {
    Event event = Keys.of("alice").sign(1, 1, Tags.NONE, "x".repeat(1000));
    MemoryEventStore store = new MemoryEventStore(2L * event.json().length + 600);
    try (Transaction transaction = store.begin()) {
      assertThat(transaction.hasRoomFor(List.of(event), List.of(), true)).isTrue();
      long offset = transaction.append(event, Transaction.NEVER);
      assertThat(transaction.hasRoomFor(List.of(event), List.of(), true)).isFalse();
      transaction.remove(new StoredEvent(offset, event, Transaction.NEVER), Removal.OBSOLETE);
      assertThat(transaction.hasRoomFor(List.of(event), List.of(), true)).isTrue();
    }
  }
}
