package gambit.app.metrics;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import gambit.core.Health;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operators' port, on the loopback address only, open before and after the relay's own.
 *
 * <ul>
 *   <li>{@code /metrics}: Prometheus' text format.
 *   <li>{@code /health/live}: 200 while every lane and event loop takes a turn in time, and while
 *       the relay starts or ends; else 503, with the names of those that are stuck. The answer
 *       takes as long as they do.
 *   <li>{@code /health/ready}: 200 while the relay takes clients and their events, with a second
 *       line if the store was found damaged; else 503, with the reason.
 * </ul>
 *
 * <p>A few threads of its own serve it; a request that takes longer than {@link #REQUEST_SECONDS}
 * to come in is dropped.
 */
public final class OperationsServer implements AutoCloseable {
  /** For {@code sun.net.httpserver.maxReqTime}, which is set before there is a server. */
  public static final int REQUEST_SECONDS = 10;

  private static final int THREADS = 4;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Logger LOG = LoggerFactory.getLogger(OperationsServer.class);

  private record Answer(int status, String type, String body) {}

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics garbage = new JvmGcMetrics();
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          task -> new Thread(task, "operations"));
  private final HttpServer server;
  private final Duration patience;
  private volatile @Nullable Health health;

  /**
   * Listens.
   *
   * @param patience how long a lane or an event loop may take until its next turn
   * @throws IOException when the port cannot be had
   */
  public OperationsServer(int port, Duration patience) throws IOException {
    this.patience = patience;
    System.setProperty("sun.net.httpserver.maxReqTime", "" + REQUEST_SECONDS);
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
    garbage.bindTo(registry);
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

  /** Where it listens. */
  InetSocketAddress address() {
    return server.getAddress();
  }

  /** The relay has been started: from now on this is what is told of it. */
  public void watch(Health relay) {
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
      case "/health/live" -> health(notAlive(), "alive");
      case "/health/ready" -> health(notReady(), "ready" + remark());
      default -> new Answer(404, TEXT, "there are /metrics, /health/live and /health/ready\n");
    };
  }

  private static Answer health(Optional<String> objection, String well) {
    return new Answer(objection.isPresent() ? 503 : 200, TEXT, objection.orElse(well) + "\n");
  }

  private Optional<String> notAlive() {
    Health relay = health;
    try {
      List<String> stuck = relay == null ? List.of() : relay.stuck(patience);
      return stuck.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "no turn within " + patience.toMillis() + " ms: " + String.join(", ", stuck));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("this port is being closed");
    }
  }

  private Optional<String> notReady() {
    Health relay = health;
    return relay == null ? Optional.of("the store is being opened") : relay.objection();
  }

  private String remark() {
    Health relay = health;
    return relay == null ? "" : relay.remark().map(it -> "\n" + it).orElse("");
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
    garbage.close();
    registry.close();
  }
}
