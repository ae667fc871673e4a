package gambit.core.replication;

/** What holds in every history of a cluster. */
enum Invariant {
  /** No two entries are appended after the same one, and an entry never changes. */
  LOG_IS_THE_ONLY_ARBITER,

  /** Once another node has taken over, a leader appends nothing and decides nothing. */
  DEPOSED_LEADER_IS_SILENT,

  /**
   * What is answered with {@code OK true} is in the shared log and in the log of the node that
   * answers, where a query finds it.
   */
  OK_MEANS_STORED,

  /** All nodes have the same groups at the same offsets. */
  NODES_HAVE_THE_SAME_LOG,

  /**
   * A connection gets one verdict on each event, a subscription gets each event once and in the
   * order of the log, and the leader handles each forwarded event and commit once.
   */
  EXACTLY_ONCE_AND_IN_ORDER,

  /** A game has one sequence of moves, with every acknowledged one. */
  GAMES_DO_NOT_FORK,

  /**
   * A node that has lost the log refuses events and is not ready after two seconds, and later has
   * no clients; it answers no query from older data.
   */
  CUT_OFF_NODE_DOES_NOT_PRETEND,

  /**
   * Once all faults have ended, there is one leader, all nodes have everything, and nothing waits.
   */
  CLUSTER_RECOVERS
}
