package gambit.app.command.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** The operations of all clients on all registers. Thread-safe. */
final class RegisterHistory {
  /** A return that is not known, or has no meaning. */
  static final long OPEN = -1;

  /** What a client did. */
  enum Type {
    WRITE,
    /** A query. */
    READ,
    /** An event that the node has accepted, and then a query. */
    SYNCED_READ
  }

  /**
   * A version of a replaceable event.
   *
   * @param time its {@code created_at}; 0 of none
   * @param id empty if there is none
   */
  record Version(long time, String id) {
    static final Version NONE = new Version(0, "");

    /** Whether it replaces the other one (NIP-01). */
    boolean isNewerThan(Version other) {
      return time > other.time || (time == other.time && id.compareTo(other.id) < 0);
    }

    String json() {
      return "{\"time\":" + time + ",\"id\":\"" + id + "\"}";
    }
  }

  /**
   * An operation.
   *
   * @param call when it began, in nanoseconds
   * @param end when its answer came, or {@link #OPEN}
   * @param outcome of a write, as the checker names it; null of a read
   */
  record Operation(
      int node,
      int client,
      Type type,
      long register,
      long call,
      long end,
      Version version,
      @Nullable String outcome) {

    String line(String history, long end) {
      return "{\"history\":\""
          + history
          + "\",\"register\":\""
          + register
          + "\",\"client\":"
          + client
          + ",\"call\":"
          + call
          + (end == OPEN ? "" : ",\"return\":" + end)
          + (type == Type.WRITE ? ",\"outcome\":\"" + outcome + "\",\"write\":" : ",\"read\":")
          + version.json()
          + "}";
    }
  }

  private final List<Operation> operations = new ArrayList<>();

  synchronized void add(Operation operation) {
    operations.add(operation);
  }

  synchronized List<Operation> operations() {
    return List.copyOf(operations);
  }

  private List<String> lines(
      String history, Predicate<Operation> isIncluded, ToLongFunction<Operation> end) {
    return operations().stream()
        .filter(isIncluded)
        .map(it -> it.line(history, end.applyAsLong(it)))
        .toList();
  }

  /** All writes, and the reads of these types, at all nodes. */
  List<String> ofAllNodes(Type... reads) {
    List<Type> types = List.of(reads);
    return lines(
        "all nodes", it -> it.type() == Type.WRITE || types.contains(it.type()), Operation::end);
  }

  /**
   * What the clients of one node have seen: their own operations, and the writes at other nodes,
   * which may take effect here at any later time.
   */
  List<String> ofNode(int node) {
    return lines(
        "node " + node,
        it -> it.node() == node || it.type() == Type.WRITE,
        it -> it.node() == node ? it.end() : OPEN);
  }
}
