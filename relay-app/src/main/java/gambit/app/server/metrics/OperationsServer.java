package gambit.app.server.metrics;

import gambit.app.common.LocalUrls;
import gambit.core.Health;
import gambit.core.net.EventLoops;
import gambit.core.net.HttpExchange;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.Channel;
import io.prometheus.metrics.core.metrics.Info;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The operators' HTTP port, which opens before the relay's port and closes after it: {@code
 * /metrics}, {@code /health/live} and {@code /health/ready} as {@code docs/operations.md} has them,
 * and what other parts of the program add with {@link #route}.
 *
 * <p>One event loop reads requests and writes answers, {@value OperatorRoutes#THREADS} threads make
 * the answers; Java's HTTP server reads on the threads that answer, so a few slow requests block
 * it. Beyond {@value OperatorRoutes#QUEUE} queued requests, the answer is 503. Bounds on
 * connections: {@link OperatorConnection}.
 */
public final class OperationsServer implements AutoCloseable {
  private static final int CLOSE_SECONDS = 1;
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";
  private static final int USUAL_METRICS_BYTES = 64 * 1024;

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final MicrometerMetrics metrics = new MicrometerMetrics(registry);
  private final JavaMetrics javaMetrics = new JavaMetrics(registry);
  private final OperatorRoutes routes;
  private final Duration turnTimeout;
  private volatile @Nullable Health health; // once the relay runs
  private final EventLoops eventLoop;
  private final Channel server;

  /**
   * Binds the port and starts to serve.
   *
   * @param address made from the name or number by which requests may name it, too
   * @param token the bearer token that a scrape must have; null if it needs none
   * @param turnTimeout the time after which a lane or an event loop without a turn is stuck
   * @param onDeath receives the error that ended the event loop; the process should end
   */
  public OperationsServer(
      InetSocketAddress address,
      @Nullable String token,
      Duration turnTimeout,
      Consumer<Throwable> onDeath)
      throws IOException {
    this.turnTimeout = turnTimeout;
    routes = new OperatorRoutes(address.getHostString(), token);
    metrics.gauge(
        "ready",
        "1 while the relay accepts clients and their events, else 0; /health/ready has the reason",
        () -> readinessObjection().isEmpty() ? 1 : 0);
    routes.add("GET", "/metrics", request -> scrape(request, token));
    routes.add("GET", "/health/live", request -> live());
    routes.add("GET", "/health/ready", request -> ready());
    eventLoop = new EventLoops("operators-port", 1, EventLoops.io(), onDeath);
    OperatorConnection.OpenConnections connections = new OperatorConnection.OpenConnections();
    try {
      server =
          HttpExchange.listen(
              eventLoop, address, () -> new OperatorConnection(connections, routes));
    } catch (IOException e) {
      routes.close();
      throw e;
    }
  }

  public MicrometerMetrics metrics() {
    return metrics;
  }

  public void reportBuild(String version) {
    Info.builder()
        .name(MicrometerMetrics.PREFIX + "build")
        .help("Always 1; the labels are the versions of Gambit and of Java")
        .labelNames("version", "java")
        .register(registry.getPrometheusRegistry())
        .setLabelValues(version, Runtime.version().toString());
  }

  public int port() {
    return address().getPort();
  }

  public URI url() {
    return LocalUrls.reachable("http", address());
  }

  InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  public void report(Health relay) {
    health = relay;
  }

  public void route(String method, String path, OperatorRoutes.Handler handler) {
    routes.add(method, path, handler);
  }

  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    routes.close();
    eventLoop.shutdownGracefully(0, CLOSE_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    javaMetrics.close();
    registry.close();
  }

  // ---- health: 200 if all is well, else 503 with the reason as text

  private OperatorAnswer live() {
    return answer(livenessObjection(), "alive");
  }

  private OperatorAnswer ready() {
    Health relay = health;
    Optional<String> remark = relay == null ? Optional.empty() : relay.remark();
    return answer(readinessObjection(), "ready" + remark.map(it -> "\n" + it).orElse(""));
  }

  private static OperatorAnswer answer(Optional<String> objection, String healthy) {
    return OperatorAnswer.text(objection.isPresent() ? 503 : 200, objection.orElse(healthy) + "\n");
  }

  private Optional<String> livenessObjection() {
    Health relay = health;
    try {
      List<String> stuck = relay == null ? List.of() : relay.stuck(turnTimeout);
      return stuck.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "no turn within " + turnTimeout.toMillis() + " ms: " + String.join(", ", stuck));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("the operators' port is being closed");
    }
  }

  private Optional<String> readinessObjection() {
    Health relay = health;
    return relay == null ? Optional.of("the store is being opened") : relay.objection();
  }

  /**
   * The answer to a scrape: the metrics in Prometheus' text format 0.0.4, or in OpenMetrics 1.0 for
   * a client that prefers it, compressed with gzip for one that accepts that. With a token, only
   * for requests that have it.
   */
  private OperatorAnswer scrape(OperatorRequest request, @Nullable String token) {
    if (token != null && !request.hasBearerToken(token)) {
      return OperatorAnswer.text(
          401,
          Map.of("WWW-Authenticate", "Bearer realm=\"metrics\""),
          "metrics need the bearer token of metrics.token\n");
    }
    String accepted = request.header("accept");
    String type = prefersOpenMetrics(accepted) ? OPEN_METRICS : TEXT;
    boolean isCompressed = quality(request.header("accept-encoding"), "gzip", "") > 0;
    String vary = "Accept, Accept-Encoding";
    Map<String, String> headers =
        isCompressed ? Map.of("Vary", vary, "Content-Encoding", "gzip") : Map.of("Vary", vary);
    return new OperatorAnswer(200, type, headers, page(type, isCompressed));
  }

  private byte[] page(String type, boolean isCompressed) {
    javaMetrics.begin();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_METRICS_BYTES);
    try (OutputStream out = isCompressed ? new GZIPOutputStream(bytes) : bytes) {
      registry.scrape(out, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static boolean prefersOpenMetrics(String accepted) {
    double open = quality(accepted, "application/openmetrics-text", "1.0.0");
    return open > 0 && open >= quality(accepted, "text/plain", "0.0.4");
  }

  /**
   * The highest quality with which a header accepts a name, and that version if it names one (RFC
   * 9110, 12.4.2): 1 without {@code q}, 0 if it does not name it.
   */
  private static double quality(String header, String name, String version) {
    return Arrays.stream(header.toLowerCase(Locale.ROOT).replaceAll("[\\s\"]", "").split(",", -1))
        .map(entry -> entry.split(";", -1))
        .filter(parts -> parts[0].equals(name))
        .filter(parts -> parameter(parts, "version").orElse(version).equals(version))
        .mapToDouble(parts -> number(parameter(parts, "q").orElse("1")))
        .max()
        .orElse(0);
  }

  private static Optional<String> parameter(String[] parts, String name) {
    return Arrays.stream(parts)
        .filter(part -> part.startsWith(name + "="))
        .map(part -> part.substring(name.length() + 1))
        .findFirst();
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
