package gambit.core.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of a query's answer. Immutable.
 *
 * @param found what was found, in serving order; may be empty although there is more
 * @param next behind which entry the next page begins, or null when there is no more
 * @param examined how many entries were looked at: what the page cost
 */
public record Page(List<StoredEvent> found, @Nullable StoredEvent next, int examined) {}
