package gambit.app.server.plugin;

/** A plugin does not work; the message is a predicate, such as "has closed its output". */
final class PluginFailure extends Exception {
  private static final long serialVersionUID = 1;

  private final String reason;

  PluginFailure(String reason) {
    super(reason);
    this.reason = reason;
  }

  /** The message. */
  String reason() {
    return reason;
  }
}
