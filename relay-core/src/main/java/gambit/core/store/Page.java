package gambit.core.store;

import java.util.List;

/**
 * A part of a query's answer. Immutable.
 *
 * @param found what was found, in serving order; may be empty although there is more
 * @param isLast whether there is no more
 * @param examined how many entries were looked at: what the page cost
 */
public record Page(List<StoredEvent> found, boolean isLast, int examined) {}
