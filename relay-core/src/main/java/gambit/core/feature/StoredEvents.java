package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import java.util.List;
import java.util.Optional;

/** The committed events, for checks that depend on a few of them. Thread-safe. */
public interface StoredEvents {
  /**
   * The newest served events that match a filter, whoever may read them; without those that would
   * be found only after many others were examined.
   *
   * @param max the most events; a small number, since the caller waits
   */
  List<Event> find(Filter filter, int max);

  default Optional<Event> find(EventId id) {
    return find(Filter.ofId(id), 1).stream().findFirst();
  }
}
