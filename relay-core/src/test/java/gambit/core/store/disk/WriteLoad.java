package gambit.core.store.disk;

import gambit.core.model.Address;
import gambit.core.model.Event;
import gambit.core.store.StoredEvent;
import gambit.core.store.Transaction;
import gambit.core.store.Transaction.Removal;
import gambit.core.testkit.SyntheticNotes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures writes of notes into a store. */
final class WriteLoad {
  private static final int EVENTS_PER_CHUNK = 8_192;

  private final DiskEventStore store;
  private final SyntheticNotes notes;
  private long jsonBytes; // of the stored events

  WriteLoad(DiskEventStore store, SyntheticNotes notes) {
    this.store = store;
    this.notes = notes;
  }

  long jsonBytes() {
    return jsonBytes;
  }

  void fill(long size, int batch) throws IOException {
    while (store.size() < size) {
      write(notes.next((int) Math.min(EVENTS_PER_CHUNK, size - store.size())), batch);
    }
  }

  /** The cost of each of several portions, without the creation of the notes. */
  List<MeasuredCost> measure(int portions, int events, int batch) throws Exception {
    List<MeasuredCost> costs = new ArrayList<>();
    for (int i = 0; i < portions; i++) {
      List<Event> made = notes.next(events);
      costs.add(MeasuredCost.of(() -> write(made, batch)));
    }
    return costs;
  }

  private void write(List<Event> events, int batch) throws IOException {
    for (int from = 0; from < events.size(); from += batch) {
      commit(events.subList(from, Math.min(from + batch, events.size())));
    }
  }

  private void commit(List<Event> events) throws IOException {
    try (Transaction transaction = store.begin()) {
      for (Event event : events) {
        if (transaction.byId(event.id()).isPresent()) {
          throw new IllegalStateException("the notes repeat themselves");
        }
        Optional<StoredEvent> older = Address.of(event).flatMap(transaction::byAddress);
        if (older.isPresent()) {
          transaction.remove(older.get(), Removal.OBSOLETE);
          jsonBytes -= older.get().event().json().length;
        }
        transaction.append(event, Transaction.NEVER);
        jsonBytes += event.json().length;
      }
      transaction.commit();
    }
  }
}
