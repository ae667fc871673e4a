package gambit.app.server.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Prometheus in a process of its own, on a free port of loopback, and its HTTP interface.
 */
final class Prometheus implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/prometheus");
  private static final Path PROMTOOL = Path.of("/usr/bin/promtool");
  private static final Pattern LISTENS = Pattern.compile("Listening on\" address=\\S+?:(\\d+)");
  private static final int TIMEOUT_SECONDS = 120;

  private final ObjectMapper json = new ObjectMapper();
  private final HttpClient http = HttpClient.newHttpClient();
  private final Process process;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private final StringBuffer log = new StringBuffer();

  /** Starts it with a configuration file; its data is kept beside that file. */
  Prometheus(Path configuration) throws Exception {
    process =
        new ProcessBuilder(
                PROGRAM.toString(),
                "--config.file=" + configuration,
                "--storage.tsdb.path=" + configuration.resolveSibling("prometheus-data"),
                "--web.listen-address=127.0.0.1:0")
            .redirectErrorStream(true)
            .start();
    Thread reader = new Thread(this::readLog, "prometheus-log");
    reader.setDaemon(true);
    reader.start();
    try {
      port.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      close();
      throw new AssertionError("Prometheus does not listen: " + log, e);
    }
  }

  /** Whether Debian's package prometheus is installed. */
  static boolean isInstalled() {
    return Files.isExecutable(PROGRAM) && Files.isExecutable(PROMTOOL);
  }

  /** Runs promtool; returns its output, and fails unless it succeeds. */
  static String promtool(Path directory, List<String> arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(PROMTOOL.toString()));
    command.addAll(arguments);
    Process tool =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (tool.waitFor() != 0) {
      throw new AssertionError(command + ": " + output);
    }
    return output;
  }

  private void readLog() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        log.append(line).append('\n');
        Matcher listens = LISTENS.matcher(line);
        if (listens.find()) {
          port.complete(Integer.valueOf(listens.group(1)));
        }
      }
    } catch (IOException e) {
      log.append(e);
    }
    port.completeExceptionally(new IOException("it has ended"));
  }

  /** The value of {@code data} in the answer of the interface. */
  JsonNode get(String pathAndQuery) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.get() + pathAndQuery)).build();
    HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
    JsonNode body = json.readTree(answer.body());
    if (!body.path("status").asText().equals("success")) {
      throw new AssertionError(pathAndQuery + ": " + answer.body());
    }
    return body.path("data");
  }

  /** The samples of an expression now. */
  JsonNode query(String expression) throws Exception {
    String encoded = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return get("/api/v1/query?query=" + encoded).path("result");
  }

  /** Whether an expression has a sample that is a number. */
  boolean hasData(String expression) throws Exception {
    for (JsonNode sample : query(expression)) {
      if (!sample.path("value").path(1).asText().equals("NaN")) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
