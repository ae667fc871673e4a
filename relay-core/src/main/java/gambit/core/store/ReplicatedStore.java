package gambit.core.store;

import java.io.IOException;
import java.util.List;

/**
 * A store whose log can be copied group by group: after the same groups in the same order, two
 * stores have the same events and rows at the same offsets.
 */
public interface ReplicatedStore extends EventStore {

  /** The end of the log. The writer's thread only. */
  LogEnd logEnd();

  @Override
  ReplicatedTransaction begin();

  /**
   * Applies groups of another store that follow the end of this one's log, in order. They are
   * visible, and durable if the store is, when this returns. The writer's thread only, while no
   * transaction is open.
   *
   * @return what each group has changed
   * @throws IllegalArgumentException when a group does not follow the one before it, or is not well
   *     formed; nothing is applied then
   * @throws IOException when there is no room; nothing is applied then
   * @throws StoreFailure when it is unknown what is stored: the process must end
   */
  List<AppliedGroup> apply(List<LogGroup> groups) throws IOException;
}
