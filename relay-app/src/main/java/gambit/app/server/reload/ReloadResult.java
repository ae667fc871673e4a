package gambit.app.server.reload;

import gambit.app.server.config.Configuration.Change;
import java.util.List;
import java.util.stream.Collectors;

/** The result of a reload, in words for the operator. Immutable. */
public sealed interface ReloadResult {
  /** That of the answer over HTTP. */
  default int status() {
    int failure = this instanceof Refused it && it.isTemporary() ? 503 : 422;
    return this instanceof Applied ? 200 : failure;
  }

  /** Several lines for the operator who has requested the reload, with a line break at the end. */
  String text();

  String logLine();

  /** The configuration is in force, but for the values that take effect at the next start. */
  record Applied(List<Change> changed, List<Change> needRestart) implements ReloadResult {
    @Override
    public String text() {
      String head =
          changed.isEmpty() ? "Settings reloaded: none changed.\n" : lines("Changed:\n", changed);
      return head + (needRestart.isEmpty() ? "" : lines("Needs a restart:\n", needRestart));
    }

    private static String lines(String head, List<Change> changes) {
      return changes.stream().map(it -> "  " + it + "\n").collect(Collectors.joining("", head, ""));
    }

    @Override
    public String logLine() {
      return "Settings reloaded: "
          + (changed.isEmpty() ? "none changed" : joined(changed))
          + (needRestart.isEmpty() ? "" : "; needs a restart: " + joined(needRestart));
    }

    private static String joined(List<Change> changes) {
      return changes.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
  }

  /**
   * Nothing has changed, for a reason in one sentence; temporary while the relay starts or ends, so
   * that the configuration was not even read.
   */
  record Refused(String sentence, boolean isTemporary) implements ReloadResult {
    @Override
    public String text() {
      return sentence + "\n";
    }

    @Override
    public String logLine() {
      return "Settings were not reloaded: " + sentence;
    }
  }
}
