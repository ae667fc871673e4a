package gambit.app.proxies;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.awaitility.Awaitility.await;

import gambit.app.FreePort;
import gambit.core.testkit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A proxy that runs with the recipe of the documentation, on a free port. */
final class Proxy implements AutoCloseable {
  private static final Path RECIPES = Path.of("../docs/operations");

  /** The programs for which there is a recipe. */
  enum Program {
    CADDY("caddy"),
    NGINX("nginx");

    private final String command;

    Program(String command) {
      this.command = command;
    }

    /** Where it is installed, if it is. */
    Optional<Path> file() {
      return Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin")
          .map(directory -> Path.of(directory, command))
          .filter(Files::isExecutable)
          .findFirst();
    }
  }

  private final Process process;
  private final Path log;
  private final int port;

  /**
   * Starts the program.
   *
   * @param directory for its files
   * @param certificate for localhost
   * @param relayPort where the relay listens
   */
  Proxy(Program program, Path directory, TestCertificate certificate, int relayPort)
      throws IOException {
    port = FreePort.any();
    log = directory.resolve("log");
    Path chain =
        Files.writeString(directory.resolve("fullchain.pem"), certificate.certificatePem());
    Path key = Files.writeString(directory.resolve("privkey.pem"), certificate.keyPem());
    Map<String, String> placeholders =
        Map.of(
            "/etc/ssl/relay/fullchain.pem", chain.toString(),
            "/etc/ssl/relay/privkey.pem", key.toString(),
            "127.0.0.1:7447", "127.0.0.1:" + relayPort);
    String executable = program.file().orElseThrow().toString();
    List<String> command =
        switch (program) {
          case CADDY ->
              List.of(
                  executable,
                  "run",
                  "--adapter",
                  "caddyfile",
                  "--config",
                  caddyfile(directory, placeholders).toString());
          case NGINX ->
              List.of(
                  executable,
                  "-p",
                  directory.toString(),
                  "-c",
                  nginx(directory, placeholders) + "");
        };
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("HOME", directory.toString());
    builder.environment().put("XDG_DATA_HOME", directory.toString());
    builder.environment().put("XDG_CONFIG_HOME", directory.toString());
    builder.environment().put("RELAY_DOMAIN", "https://localhost:" + port);
    process = builder.redirectOutput(log.toFile()).start();
    try {
      await().atMost(Duration.ofMinutes(2)).until(this::isListening);
    } catch (RuntimeException e) {
      close();
      throw new AssertionError(program + " does not listen: " + log(), e);
    }
  }

  private static String recipe(String name, Map<String, String> placeholders) throws IOException {
    String recipe = Files.readString(RECIPES.resolve(name));
    for (Map.Entry<String, String> each : placeholders.entrySet()) {
      if (!recipe.contains(each.getKey())) {
        throw new AssertionError(name + " does not contain " + each.getKey());
      }
      recipe = recipe.replace(each.getKey(), each.getValue());
    }
    return recipe;
  }

  private static Path caddyfile(Path directory, Map<String, String> placeholders)
      throws IOException {
    String withoutPort80 = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n";
    String recipe = recipe("Caddyfile", placeholders).replace("# tls /", "tls /");
    return Files.writeString(directory.resolve("Caddyfile"), withoutPort80 + recipe);
  }

  private Path nginx(Path directory, Map<String, String> placeholders) throws IOException {
    String recipe =
        recipe("nginx.conf", placeholders)
            .replace("listen 443 ssl;", "listen 127.0.0.1:" + port + " ssl;")
            .replace("listen [::]:443 ssl;", "")
            .replace("relay.example.com", "localhost")
            .replace("/run/nginx-never.sock", directory.resolve("never.sock").toString());
    Files.writeString(directory.resolve("relay.conf"), recipe);
    StringBuilder main = new StringBuilder("daemon off;\nuser root;\nerror_log stderr;\n");
    main.append("pid ").append(directory.resolve("pid")).append(";\n");
    main.append("events {}\nhttp {\naccess_log off;\n");
    for (String kind : List.of("client_body", "proxy", "fastcgi", "uwsgi", "scgi")) {
      main.append(kind).append("_temp_path ").append(directory.resolve(kind)).append(";\n");
    }
    main.append("include ").append(directory.resolve("relay.conf")).append(";\n}\n");
    return Files.writeString(directory.resolve("nginx.conf"), main);
  }

  private boolean isListening() {
    if (!process.isAlive()) {
      throw new IllegalStateException("it has ended");
    }
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  int port() {
    return port;
  }

  URI url() {
    return URI.create("wss://localhost:" + port);
  }

  /** What the program has printed. */
  String log() throws IOException {
    return Files.readString(log, UTF_8);
  }

  @Override
  public void close() {
    process.destroy(); // nginx ends its workers
    try {
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
