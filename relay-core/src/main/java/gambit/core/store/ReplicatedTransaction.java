package gambit.core.store;

import gambit.core.model.Event;
import java.io.IOException;
import java.util.List;

/** A write transaction whose changes other nodes apply, too. The writer's thread only. */
public interface ReplicatedTransaction extends Transaction {

  /**
   * Ends the changes and returns their records. From then on {@link #commit} appends a group also
   * if it has no records, and a commit that fails throws {@link StoreFailure}, since other nodes
   * may have the group already.
   *
   * @throws IOException when this store has no room for them; then none of them takes effect
   */
  LogGroup prepare() throws IOException;

  /** The size of the changes' records so far, as the other nodes will get them, about. */
  long recordBytes();

  /** The events that were {@linkplain #append appended}, in order. */
  List<Event> added();
}
