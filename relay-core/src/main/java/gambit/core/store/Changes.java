package gambit.core.store;

import java.util.List;

/**
 * A portion of what commits have changed ({@link EventStore#changes}). An offset among {@code
 * removed} may also be that of an event in {@code added}. Immutable.
 *
 * @param added events that commits have appended, in the order of their offsets; some may have been
 *     removed since
 * @param removed offsets of removed events; an event that was removed long ago may be missing
 * @param upTo the offset after which the next portion begins
 */
public record Changes(List<StoredEvent> added, List<Long> removed, long upTo) {}
