package gambit.app.tool.sync;

import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.peers.SyncFilter;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Synchronizes with a relay without NIP-77: reads its events page by page, publishes them here, and
 * publishes there what this relay has in the same window and the peer has not served. Owned by the
 * pair's thread.
 */
final class PagedComparison {
  private final RelayPair pair;
  private final Optional<EventMover> down;
  private final Optional<EventMover> up;

  PagedComparison(RelayPair pair, Optional<EventMover> down, Optional<EventMover> up) {
    this.pair = pair;
    this.down = down;
    this.up = up;
  }

  /** Reads all events of a filter, and moves those that one of the relays lacks. */
  void run(SyncFilter filter) throws RelayFailure {
    EventPages pages = new EventPages(pair, pair.there(), filter);
    Set<EventId> theirs = new HashSet<>();
    for (var page = pages.next(); page.isPresent(); page = pages.next()) {
      for (Event event : page.get().events()) {
        theirs.add(event.id());
        down.ifPresent(mover -> mover.add(event));
      }
      if (down.isPresent()) {
        down.get().moveAll();
      }
      if (up.isPresent()) {
        moveUp(up.get(), filter.within(page.get().after() + 1, page.get().until()), theirs);
      }
      theirs = new HashSet<>(pages.known());
    }
  }

  private void moveUp(EventMover mover, SyncFilter window, Set<EventId> theirs)
      throws RelayFailure {
    if (window.since() > window.until()) {
      return;
    }
    EventPages pages = new EventPages(pair, pair.here(), window);
    for (var page = pages.next(); page.isPresent(); page = pages.next()) {
      for (Event event : page.get().events()) {
        if (!theirs.contains(event.id())) {
          mover.add(event);
        }
      }
      mover.moveAll();
    }
  }
}
