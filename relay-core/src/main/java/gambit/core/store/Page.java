package gambit.core.store;

import java.util.List;

/**
 * One page of a query's result. Immutable.
 *
 * @param found events in serving order; may be empty although more pages follow
 * @param isLast whether no page follows
 * @param examined number of entries examined: the cost of the page
 */
public record Page(List<StoredEvent> found, boolean isLast, int examined) {}
