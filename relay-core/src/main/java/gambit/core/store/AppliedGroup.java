package gambit.core.store;

import java.util.List;

/**
 * What a group from another node has changed.
 *
 * @param added the events that it has added, in its order
 * @param rows the rows that it has set or removed
 */
public record AppliedGroup(List<StoredEvent> added, List<RowName> rows) {

  @SuppressWarnings("ArrayRecordComponent") // nobody compares names
  public record RowName(String table, byte[] key) {}
}
