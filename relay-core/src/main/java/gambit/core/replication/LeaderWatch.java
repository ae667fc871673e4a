package gambit.core.replication;

import gambit.core.live.Delivery;
import gambit.core.log.LimitedLog;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Whether the leader has been silent for too long, upon which {@link ClusterNode} takes over; and
 * what a change of leader has waited for. The writer's thread only, unless stated.
 */
final class LeaderWatch {
  /** A new leader has told the current states after that time, or does not have them. */
  private static final Duration STATES_TIMEOUT = Duration.ofSeconds(10);

  /** Why a node takes over; with its label in metrics, and its text in the log. */
  enum TakeoverCause {
    NO_LEADER("none", "there is no leader"),
    SILENCE("silence", "the leader is silent"),
    ABSENCE("absence", "the leader has no connection"),
    HANDOVER("handover", "the leader has handed over");

    final String label;
    final String text;

    TakeoverCause(String label, String text) {
      this.label = label;
      this.text = text;
    }
  }

  private static final LimitedLog LOG = LimitedLog.of(LeaderWatch.class);

  private final NodeState state;
  private final Delivery live;
  private final InstantSource steady;
  private volatile Instant heardAt;
  private long appliedThen;
  private @Nullable Instant statesEnd; // when the earlier leader's states are forgotten

  LeaderWatch(NodeState state, Delivery live, InstantSource steady) {
    this.state = state;
    this.live = live;
    this.steady = steady;
    this.heardAt = steady.instant();
  }

  /** A sign of the leader has arrived, at that time by the steady clock. */
  void heard(Instant at) {
    heardAt = at;
    appliedThen = state.applied();
  }

  /**
   * Whether nothing has been heard of the leader for that time. Any thread.
   *
   * @param at the moment, after whatever has arrived before it was handled
   * @param awakeSince when this process has last stood still, which says nothing of the leader
   */
  boolean isSilentFor(Duration time, Instant at, Instant awakeSince) {
    Instant begin = heardAt.isBefore(awakeSince) ? awakeSince : heardAt;
    return !at.isBefore(begin.plus(time));
  }

  /**
   * Another leader has begun: logs the cause, and what has waited for it. The states of the earlier
   * leader are kept until the new one has told its own.
   *
   * @param cause why this node has taken over; null if another one has
   */
  void changed(Entry takeover, @Nullable TakeoverCause cause, int waiting) {
    long silence = Duration.between(heardAt, steady.instant()).toMillis();
    long sequence = takeover.group().sequence();
    if (cause == null) {
      LOG.info(
          "Another node leads the cluster as epoch {} from entry {} on; nobody has led for {} ms, {}"
              + " requests of this node have waited and are sent to it",
          takeover.epoch(),
          sequence,
          silence,
          waiting);
    } else {
      LOG.info(
          "This node leads the cluster as epoch {} from entry {} on: {}; nobody has led for {} ms,"
              + " {} entries were read meanwhile, {} requests of this node have waited",
          takeover.epoch(),
          sequence,
          cause.text,
          silence,
          sequence - 1 - appliedThen,
          waiting);
    }
    live.forgetStates();
    statesEnd = steady.instant().plus(STATES_TIMEOUT);
  }

  /** Forgets the states that the new leader has not confirmed in time. Called now and then. */
  void forgetStates() {
    if (statesEnd != null && !steady.instant().isBefore(statesEnd)) {
      live.forgetEarlierStates();
      statesEnd = null;
    }
  }
}
