package gambit.app.server.reload;

import gambit.app.server.config.ConfigSnapshot;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a reload, in words for the operator. Immutable. */
public sealed interface ReloadResult {

  int status();

  /** Several lines for the operator who has requested the reload, with a line break at the end. */
  String text();

  String logLine();

  /**
   * The configuration was read, and is in force.
   *
   * @param changed settings whose new values are in force
   * @param needRestart settings whose new values take effect at the next start
   */
  record Applied(List<ConfigSnapshot.Change> changed, List<ConfigSnapshot.Change> needRestart)
      implements ReloadResult {
    @Override
    public int status() {
      return 200;
    }

    @Override
    public String text() {
      return Stream.concat(
              lines(changed.isEmpty() ? "Settings reloaded: none changed." : "Changed:", changed),
              needRestart.isEmpty() ? Stream.of() : lines("Needs a restart:", needRestart))
          .map(line -> line + "\n")
          .collect(Collectors.joining());
    }

    private static Stream<String> lines(String head, List<ConfigSnapshot.Change> changes) {
      return Stream.concat(Stream.of(head), changes.stream().map(change -> "  " + change));
    }

    @Override
    public String logLine() {
      return "Settings reloaded: "
          + (changed.isEmpty() ? "none changed" : joined(changed))
          + (needRestart.isEmpty() ? "" : "; needs a restart: " + joined(needRestart));
    }

    private static String joined(List<ConfigSnapshot.Change> changes) {
      return changes.stream()
          .map(ConfigSnapshot.Change::toString)
          .collect(Collectors.joining(", "));
    }
  }

  /**
   * Nothing has changed.
   *
   * @param sentence why, as one sentence
   * @param isTemporary whether the relay is starting or ending, so that the configuration was not
   *     even read
   */
  record Refused(String sentence, boolean isTemporary) implements ReloadResult {
    @Override
    public int status() {
      return isTemporary ? 503 : 422;
    }

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
