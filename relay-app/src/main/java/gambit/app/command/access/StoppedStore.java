package gambit.app.command.access;

import gambit.app.server.data.DataDirectory;
import gambit.app.server.data.StartFailure;
import gambit.core.ServedEvents;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.store.disk.EncodedEvents;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** The store of a stopped relay. */
public final class StoppedStore implements ReadAccess {
  private final DataDirectory directory;
  private final DiskEventStore store;
  private final ServedEvents events;

  private StoppedStore(DataDirectory directory, DiskEventStore store) {
    this.directory = directory;
    this.store = store;
    this.events = new ServedEvents(store, InstantSource.system());
  }

  /** Opens the store of a directory, which is closed with it. */
  static StoppedStore open(DataDirectory directory) throws StartFailure {
    StoppedStore opened = null;
    try {
      opened = new StoppedStore(directory, directory.openStore(0));
      return opened;
    } finally {
      if (opened == null) {
        directory.close();
      }
    }
  }

  /** The events that the relay would serve. */
  public ServedEvents events() {
    return events;
  }

  /**
   * The encodings of all events that the relay would serve; empty if they are not known without the
   * events.
   */
  public Optional<EncodedEvents> encodedEvents() {
    return events.areAllUnexpired()
        ? Optional.of(store.encodedEvents(Instant.now()))
        : Optional.empty();
  }

  @Override
  public void close() {
    store.close();
    directory.close();
  }
}
