package gambit.core.store;

import gambit.core.model.Event;
import java.util.Comparator;

/** An event and the offset at which it was committed. */
public record StoredEvent(long offset, Event event) {

  /** The order in which stored events are served: newest first, then by lowest id (NIP-01). */
  public static final Comparator<StoredEvent> SERVING_ORDER =
      Comparator.<StoredEvent>comparingLong(stored -> stored.event().createdAt())
          .reversed()
          .thenComparing(stored -> stored.event().id());
}
