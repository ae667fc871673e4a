package gambit.core.replication;

import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.replication.message.Effect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The current states that the leader has sent to the other nodes, for a node that comes later. The
 * writer's thread only. Bound: the objects that features keep states of.
 */
final class LeaderStates {
  private final Map<Key, Outgoing.Current> states = new LinkedHashMap<>();
  private final Set<Long> newcomers = new LinkedHashSet<>(1);

  private record Key(int kind, String key) {}

  /** A node gets all states before the next batch. */
  void sendTo(long node) {
    newcomers.add(node);
  }

  /** The states for nodes that have none yet, once. */
  List<Outgoing> takeForNewcomers() {
    List<Outgoing> all = new ArrayList<>(0);
    for (long node : newcomers) {
      for (Outgoing.Current it : states.values()) {
        Event unsigned = it.state().get().unsigned();
        all.add(new Outgoing.Elsewhere(new Effect.Current(node, it, unsigned)));
      }
      all.add(new Outgoing.Elsewhere(new Effect.StatesEnd(node)));
    }
    newcomers.clear();
    return all;
  }

  /** Follows the changes of states in output of the leader. */
  void follow(List<Outgoing> outgoing) {
    for (Outgoing item : outgoing) {
      if (item instanceof Outgoing.Current it) {
        Key key = new Key(it.kind(), it.key());
        if (it.ends()) {
          states.remove(key);
        } else {
          states.put(key, it);
        }
      } else if (item instanceof Outgoing.StateRemoval it) {
        states.remove(new Key(it.kind(), it.key()));
      }
    }
  }
}
