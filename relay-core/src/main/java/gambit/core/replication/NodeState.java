package gambit.core.replication;

import gambit.core.replication.Clocks.Moment;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.Optional;

/**
 * What a node of a cluster knows of its role, its leader and the log. Changed on the writer's
 * thread, read by any.
 */
public final class NodeState {
  /** Without news of the log for so long, a node takes no events. */
  static final Duration DOUBT = Duration.ofSeconds(2);

  private static final Reason LOST =
      Reason.error("this relay cannot reach its cluster, try another one");

  private final Clocks clocks;
  private final Duration maxStaleness;
  private volatile Role role = Role.FOLLOWING;
  private volatile long epoch;
  private volatile long leader; // 0 while it is unknown
  private volatile long applied;
  private volatile long newest; // of the log, when it was last asked
  private volatile Moment confirmedAt; // when the log was asked and knew no newer entry
  private volatile Moment currentAt; // when there certainly was none

  public enum Role {
    FOLLOWING,
    LEADING,
    /** It has led, and must start anew. */
    OVERTAKEN
  }

  /** A node that follows, and serves nobody until it has reached the log. */
  NodeState(long epoch, long applied, Clocks clocks, Duration maxStaleness) {
    this.epoch = epoch;
    this.applied = applied;
    this.clocks = clocks;
    this.maxStaleness = maxStaleness;
    Duration tooLong = maxStaleness.plusMillis(1);
    Moment now = clocks.now();
    this.confirmedAt = now.minus(tooLong);
    this.currentAt = confirmedAt;
  }

  public Role role() {
    return role;
  }

  public boolean leads() {
    return role == Role.LEADING;
  }

  /** The number of takeovers so far. */
  public long epoch() {
    return epoch;
  }

  /** The number of the newest group of this node. */
  public long applied() {
    return applied;
  }

  /** The entries that this node had not applied when it last asked for the newest. */
  public long lag() {
    return Math.max(0, newest - applied);
  }

  /** How long ago this node had everything that the log's servers knew of. */
  public Duration staleness() {
    return clocks.longestSince(confirmedAt);
  }

  /** How long ago this node certainly had everything in the log. */
  Duration age() {
    return clocks.longestSince(currentAt);
  }

  /** Whether this node knows so little that it must not serve clients. */
  public boolean isCutOff() {
    return role == Role.OVERTAKEN || age().compareTo(maxStaleness) > 0;
  }

  private boolean isBehind() {
    return staleness().compareTo(DOUBT) > 0 || isCutOff();
  }

  /** Whether this node leads, or knows its leader. */
  public boolean hasLeader() {
    return leader != 0;
  }

  /** Why this node takes no events now. */
  Optional<Reason> objection() {
    return isBehind() ? Optional.of(LOST) : Optional.empty();
  }

  /** Why this node should get no clients now. */
  public Optional<String> healthObjection() {
    if (role == Role.OVERTAKEN) {
      return Optional.of("another node has taken over from this one");
    }
    if (isBehind()) {
      return Optional.of("this node is " + age().toSeconds() + " s behind the log of its cluster");
    }
    return hasLeader() ? Optional.empty() : Optional.of("the cluster has no leader");
  }

  long leader() {
    return leader;
  }

  void setLeader(long node) {
    leader = node;
  }

  void begin(Entry takeover) {
    epoch = takeover.epoch();
    leader = takeover.leader();
    applied = takeover.group().sequence();
  }

  void setApplied(long sequence) {
    applied = sequence;
  }

  void lead() {
    role = Role.LEADING;
  }

  void setOvertaken() {
    role = Role.OVERTAKEN;
  }

  /**
   * The log has answered.
   *
   * @param last the number of its newest entry
   * @param at when it was asked
   * @param age how long before there was certainly no newer entry
   */
  void confirm(long last, Moment at, Duration age) {
    newest = last;
    if (last <= applied && at.steady().isAfter(confirmedAt.steady())) {
      confirmedAt = at;
    }
    Moment certain = at.minus(age);
    if (last <= applied && certain.steady().isAfter(currentAt.steady())) {
      currentAt = certain;
    }
  }
}
