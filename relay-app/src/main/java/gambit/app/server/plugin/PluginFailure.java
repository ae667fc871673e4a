package gambit.app.server.plugin;

/** A plugin does not work; the message is a predicate, such as "has closed its output". */
final class PluginFailure extends Exception {
  private final String reason;

  PluginFailure(String reason) {
    super(reason);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
