package gambit.core.replication;

import gambit.core.feature.Outgoing;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The current states that the leader has sent to the other nodes, for a node that comes later. The
 * writer's thread only. Bound: the objects that features keep states of.
 */
final class LeaderStates {
  private final Map<Key, Outgoing.Current> states = new LinkedHashMap<>();
  private final List<Long> newcomers = new ArrayList<>(1);

  private record Key(int kind, String key) {}

  /** A node gets all states with the next output. */
  void sendTo(long node) {
    newcomers.add(node);
  }

  /** The states for nodes that have none yet, then output of the leader; {@link #sent} follows. */
  List<Outgoing> withStates(List<Outgoing> outgoing) {
    if (newcomers.isEmpty()) {
      return outgoing;
    }
    List<Outgoing> all = new ArrayList<>();
    for (long node : newcomers) {
      states.values().forEach(it -> all.add(new Outgoing.Elsewhere(new Effect.State(node, it))));
      all.add(new Outgoing.Elsewhere(new Effect.StatesEnd(node)));
    }
    all.addAll(outgoing);
    return all;
  }

  /** The states that were added last are in the log. */
  void sent() {
    newcomers.clear();
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
