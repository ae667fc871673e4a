package gambit.core.store;

import gambit.core.model.Event;
import java.util.Comparator;

/**
 * An event with the offset of its record; expires in Unix seconds, or {@link Transaction#NEVER}.
 */
public record StoredEvent(long offset, Event event, long expiresAt) {

  public static final Comparator<StoredEvent> SERVING_ORDER =
      Comparator.comparing(StoredEvent::event, Event.SERVING_ORDER);
}
