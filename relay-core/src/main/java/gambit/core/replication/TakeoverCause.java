package gambit.core.replication;

/** Why a node takes over. */
enum TakeoverCause {
  NO_LEADER("none", "there is no leader"),
  SILENCE("silence", "the leader is silent"),
  HANDOVER("handover", "the leader has handed over");

  private final String label;
  private final String text;

  TakeoverCause(String label, String text) {
    this.label = label;
    this.text = text;
  }

  /** In metrics. */
  String label() {
    return label;
  }

  /** In the log. */
  String text() {
    return text;
  }
}
