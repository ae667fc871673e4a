package gambit.core.net;

/** The settings of the port that are in force. Thread-safe. */
final class CurrentPortSettings {
  private volatile PortSettings now;

  CurrentPortSettings(PortSettings initial) {
    this.now = initial;
  }

  PortSettings now() {
    return now;
  }

  void change(PortSettings changed) {
    now = changed;
  }
}
