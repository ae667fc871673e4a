package gambit.app.server.tls;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import gambit.app.FreePort;
import gambit.core.testkit.TestCertificate;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * A certificate authority for tests, Pebble of Let's Encrypt, in a process of its own on loopback,
 * with a DNS in which every name is this machine. The program is that of the variable {@code
 * PEBBLE}, else the one that {@code .ci/run} has built from its Go module; without it, the test is
 * skipped.
 */
final class Pebble implements AutoCloseable {
  private static final TestCertificate CERTIFICATE = TestCertificate.ofLocalhost();

  private final Path directory;
  private final Path log;
  private final int port;
  private final int managementPort;
  private final Names names;
  private @Nullable Process process;

  /** One that is not started yet, so that a relay can be told where it will be. */
  Pebble(Path directory) throws IOException {
    this.directory = Files.createDirectories(directory);
    program(); // or the test is skipped
    log = directory.resolve("pebble.log");
    port = FreePort.any();
    managementPort = FreePort.any();
    names = new Names();
    Files.writeString(ca(), CERTIFICATE.certificatePem());
  }

  /**
   * Starts it.
   *
   * @param tlsPort where it connects to for TLS-ALPN-01, in place of 443
   * @param httpPort where it connects to for HTTP-01, in place of 80
   */
  void start(int tlsPort, int httpPort) throws IOException {
    Path key = Files.writeString(directory.resolve("key.pem"), CERTIFICATE.keyPem());
    String configuration =
        """
        {"pebble": {
          "listenAddress": "127.0.0.1:%s", "managementListenAddress": "127.0.0.1:%s",
          "certificate": "%s", "privateKey": "%s", "tlsPort": %s, "httpPort": %s,
          "domainBlocklist": ["blocked.example"], "retryAfter": {"authz": 1, "order": 1},
          "profiles": {"default": {"description": "", "validityPeriod": 7776000}}}}
        """
            .formatted(port, managementPort, ca(), key, tlsPort, httpPort);
    Path file = Files.writeString(directory.resolve("pebble.json"), configuration);
    ProcessBuilder builder =
        new ProcessBuilder(
                program() + "", "-config", file + "", "-dnsserver", "127.0.0.1:" + names.port())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(Map.of("PEBBLE_VA_NOSLEEP", "1", "PEBBLE_AUTHZREUSE", "0"));
    process = builder.start();
    Awaitility.await("Pebble").until(() -> log().contains("Listening on: 127.0.0.1:" + port));
  }

  private static Path program() {
    String given = System.getenv("PEBBLE");
    Optional<Path> program =
        given == null || given.isEmpty() ? built() : Optional.of(Path.of(given));
    assumeTrue(
        program.isPresent(),
        "no Pebble: set PEBBLE, or build it with Go (.ci/run does, docs/testing.md)");
    return program.get();
  }

  private static Optional<Path> built() {
    String cache = System.getenv("XDG_CACHE_HOME");
    Path root =
        cache == null || cache.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    try (Stream<Path> versions = Files.list(root.resolve("gambit/pebble"))) {
      return versions
          .map(it -> it.resolve("pebble"))
          .filter(Files::isExecutable)
          .max(Path::compareTo);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  URI url() {
    return URI.create("https://localhost:" + port + "/dir");
  }

  /** What signs the certificate of its own port. */
  Path ca() {
    return directory.resolve("ca.pem");
  }

  /** Trust in that certificate. */
  SSLContext trust() {
    return CERTIFICATE.trusting();
  }

  /** From now on, a name has no address. */
  void forget(String name) {
    names.forget(name);
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  /** The requests to a path so far. */
  long requests(String path) throws IOException {
    return log().lines().filter(line -> line.contains("POST " + path)).count();
  }

  /** Trust in certificates for a name that it has signed, whatever the address. */
  SSLContext trusting(String domain) {
    try {
      HttpClient client = HttpClient.newBuilder().sslContext(CERTIFICATE.trusting()).build();
      URI root = URI.create("https://localhost:" + managementPort + "/roots/0");
      String pem =
          client
              .send(HttpRequest.newBuilder(root).build(), HttpResponse.BodyHandlers.ofString())
              .body();
      return NamedTrust.in(Files.writeString(directory.resolve("root.pem"), pem), domain);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a relay needs to order its certificate here. */
  List<String> settings(String domain) {
    return List.of("relay.domain=" + domain, "tls.acme.directory=" + url(), "tls.acme.ca=" + ca());
  }

  @Override
  public void close() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
    names.close();
  }
}
