package gambit.app.packaging;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What a command printed, errors included, and its exit status. */
record Outcome(int status, String output) {
  static Outcome of(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Outcome(process.waitFor(), output.strip());
  }
}
