package gambit.app.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gambit.core.Health;
import gambit.core.log.LimitedLog;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The operators' HTTP port, on the loopback address only; it opens before the relay's port and
 * closes after it.
 *
 * <ul>
 *   <li>{@code /metrics}: the metrics in Prometheus' text format.
 *   <li>{@code /health/live}: 200 while every lane and event loop takes a turn in time, and while
 *       the relay starts or ends; else 503, with the names of the stuck threads. The answer waits
 *       for their turns.
 *   <li>{@code /health/ready}: 200 while the relay accepts clients and their events, with a second
 *       line if damage was found in the store; else 503, with the reason.
 * </ul>
 *
 * <p>{@value #THREADS} threads of its own serve it. A request that takes longer than {@value
 * #REQUEST_SECONDS} seconds to arrive is dropped.
 */
public final class OperationsServer implements AutoCloseable {
  /** The value of {@code sun.net.httpserver.maxReqTime}, which must be set before the server. */
  public static final int REQUEST_SECONDS = 10;

  private static final int THREADS = 4;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final LimitedLog LOG = LimitedLog.of(OperationsServer.class);

  private record Answer(int status, String type, String body) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics gcMetrics = new JvmGcMetrics();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> new Thread(task, "operations"));
  private final HttpServer server;
  private final Duration turnTimeout;
  private volatile @Nullable Health health;

  /**
   * Binds the port and starts to serve.
   *
   * @param turnTimeout the time after which a lane or an event loop without a turn is stuck
   * @throws IOException when the port cannot be bound
   */
  public OperationsServer(int port, Duration turnTimeout) throws IOException {
    this.turnTimeout = turnTimeout;
    System.setProperty("sun.net.httpserver.maxReqTime", "" + REQUEST_SECONDS);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    gcMetrics.bindTo(registry);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 16);
    server.createContext("/", this::answer);
    threads.prestartAllCoreThreads();
    server.setExecutor(threads);
    server.start();
  }

  public PrometheusMeterRegistry registry() {
    return registry;
  }

  public int port() {
    return address().getPort();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  /** Reports the health of a started relay from now on. */
  public void report(Health relay) {
    health = relay;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      Answer answer = answerTo(exchange.getRequestURI().getPath());
      byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    } catch (RuntimeException e) {
      LOG.error("A request could not be answered; this is a bug", e);
    }
  }

  private Answer answerTo(String path) {
    return switch (path) {
      case "/metrics" ->
          new Answer(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape());
      case "/health/live" -> healthAnswer(livenessObjection(), "alive");
      case "/health/ready" -> healthAnswer(readinessObjection(), "ready" + remarkLine());
      default -> new Answer(404, TEXT, "paths: /metrics, /health/live, /health/ready\n");
    };
  }

  private static Answer healthAnswer(Optional<String> objection, String healthy) {
    return new Answer(objection.isPresent() ? 503 : 200, TEXT, objection.orElse(healthy) + "\n");
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

  private String remarkLine() {
    Health relay = health;
    return relay == null ? "" : relay.remark().map(it -> "\n" + it).orElse("");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    gcMetrics.close();
    registry.close();
  }
}
