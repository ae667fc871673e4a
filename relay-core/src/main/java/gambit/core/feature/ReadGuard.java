package gambit.core.feature;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.KindSet;
import gambit.core.wire.Reason;
import java.util.List;

/**
 * Decides who may read events of some kinds, stored or live. A reader may log in with further keys
 * at any time (NIP-42), so each call looks at the current ones. An event that several guards cover
 * is shown only if each of them allows it. Called on any thread, for every such event, so it must
 * be cheap.
 */
public interface ReadGuard {
  KindSet kinds();

  /** Whether the reader may read the event, which is of a guarded kind. */
  boolean mayRead(Event event, ClientConnection reader);

  /**
   * Whether the filter, apart from its kinds, can match any event of the guarded kinds that the
   * reader may read. Called for the filters of every query.
   */
  boolean mayFind(Filter filter, ClientConnection reader);

  /**
   * The kinds of which a sync lists the events that the reader may read. For the others it uses the
   * store's sums of ids, which contain all events of a kind.
   */
  default KindSet partlyHidden(ClientConnection reader) {
    return kinds();
  }

  /**
   * Filters that together find every event that the given one, which has no conditions on authors
   * and tags, finds and the reader may read, and few others. By default the same filter.
   */
  default List<Filter> narrowed(Filter filter, ClientConnection reader) {
    return List.of(filter);
  }

  /** Why a query is refused whose filters match only events that the reader may not read. */
  default Reason refusal(ClientConnection reader) {
    return reader.keys().isEmpty()
        ? Reason.authRequired("these events are not shown to everybody")
        : Reason.restricted("these events are for other readers");
  }
}
