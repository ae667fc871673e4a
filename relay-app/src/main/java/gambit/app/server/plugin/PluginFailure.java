package gambit.app.server.plugin;

/** A plugin does not work; the message is a predicate, such as "has closed its output". */
final class PluginFailure extends Exception {
  PluginFailure(String reason) {
    super(reason);
  }

  String reason() {
    return String.valueOf(getMessage());
  }
}
