package gambit.app.packaging;

import gambit.core.testkit.Client;
import gambit.core.testkit.TestEffort;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Assumptions;

/**
 * The services of {@code compose.yaml} or {@code cluster.yaml}, started by the engine's own tool.
 */
final class Compose implements AutoCloseable {
  private static final List<List<String>> TOOLS =
      List.of(List.of("docker", "compose"), List.of("docker-compose"));

  /**
   * Without a training, which takes half a minute and is tested by {@link RelayCacheIT}; with one
   * in a long run. The same for all builds of the image, which therefore take it from the engine's
   * cache.
   */
  private static final String TRAINING_SECONDS = "" + TestEffort.of(0, 1);

  private final List<String> tool;
  private final String file;
  private final Map<String, String> environment;

  private Compose(List<String> tool, String file, Map<String, String> environment) {
    this.tool = tool;
    this.file = file;
    this.environment = environment;
  }

  /**
   * Starts services; skips the test on a machine without the tool.
   *
   * @param file in the directory {@code compose}
   * @param image the name for the relay's image, which is built
   * @param ports of this machine, for HTTP, HTTPS and Prometheus
   */
  static Compose up(String file, String image, int[] ports, String... services)
      throws IOException, InterruptedException {
    Compose compose =
        new Compose(
            tool(),
            file,
            Map.of(
                "GAMBIT_IMAGE", image,
                "TRAINING_SECONDS", TRAINING_SECONDS,
                // Another one than that of a relay on this machine.
                "SUBNET", "172.28." + (100 + ports[0] % 100) + ".0/24",
                "HTTP_PORT", "" + ports[0],
                "HTTPS_PORT", "" + ports[1],
                "PROMETHEUS_PORT", "" + ports[2]));
    List<String> command = new ArrayList<>(List.of("up", "-d", "--build"));
    command.addAll(List.of(services));
    try {
      compose.run(command);
    } catch (AssertionError e) {
      compose.close();
      throw e;
    }
    return compose;
  }

  /** Builds the relay's image; skips the test on a machine without the tool. */
  static void build(String file, String image, String service)
      throws IOException, InterruptedException {
    new Compose(tool(), file, Map.of("GAMBIT_IMAGE", image, "TRAINING_SECONDS", TRAINING_SECONDS))
        .run(List.of("build", service));
  }

  private static List<String> tool() throws InterruptedException {
    for (List<String> each : TOOLS) {
      List<String> command = new ArrayList<>(each);
      command.add("version");
      try {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        if (process.waitFor() == 0) {
          return each;
        }
      } catch (IOException e) {
        // Not installed.
      }
    }
    return Assumptions.abort("docker-compose is not installed");
  }

  /** Checks a file without an engine; skips the test on a machine without the tool. */
  static void check(String file) throws IOException, InterruptedException {
    new Compose(tool(), file, Map.of()).run(List.of("config", "-q"));
  }

  private String run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(tool);
    command.addAll(List.of("-p", "gambit-test", "-f", "src/packaging/compose/" + file));
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new AssertionError(String.join(" ", command) + ":\n" + output);
    }
    return output;
  }

  /** What a service has logged, and when its container was started. */
  String logs(String service) throws IOException, InterruptedException {
    return run(List.of("ps", "-a", service)) + run(List.of("logs", "--tail", "50", service));
  }

  /** What Prometheus answers to a query. */
  String prometheus(String query) throws Exception {
    return get(
        "http://localhost:"
            + environment.get("PROMETHEUS_PORT")
            + "/api/v1/query?query="
            + URLEncoder.encode(query, StandardCharsets.UTF_8));
  }

  /** The relay information document (NIP-11), by TLS through Caddy. */
  String relayInformation() throws Exception {
    return get("https://localhost:" + environment.get("HTTPS_PORT") + "/");
  }

  /** A client of the relay, by TLS through Caddy. */
  Client client() throws Exception {
    return new Client(URI.create("wss://localhost:" + environment.get("HTTPS_PORT")), trusting());
  }

  /** Ends services at once; they are not started again. */
  void kill(String... services) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("kill"));
    command.addAll(List.of(services));
    run(command);
  }

  private static HttpClient trusting() throws Exception {
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(null, new TrustManager[] {new TrustEveryone()}, null);
    return HttpClient.newBuilder().sslContext(tls).build();
  }

  private static String get(String url) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url)).header("Accept", "application/nostr+json").build();
    return trusting().send(request, BodyHandlers.ofString()).body();
  }

  @Override
  public void close() throws IOException {
    try {
      run(List.of("down", "-v", "--remove-orphans"));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Caddy's own authority is unknown here. */
  private static final class TrustEveryone implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
