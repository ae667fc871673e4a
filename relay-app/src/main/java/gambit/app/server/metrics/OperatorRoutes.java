package gambit.app.server.metrics;

import gambit.core.log.LimitedLog;
import gambit.core.rate.ClientAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the operators' port serves, by path and method. A request whose {@code Host} is a name that
 * the port does not know comes from a web page that has given its own name this machine's address
 * (DNS rebinding): it is answered 421, unless it has the token. Thread-safe.
 *
 * <p>Since some answers take long, {@value #THREADS} threads with a queue of {@value #QUEUE}
 * requests make them.
 */
public final class OperatorRoutes implements AutoCloseable {
  static final int THREADS = 4;
  static final int QUEUE = 32;
  private static final LimitedLog LOG = LimitedLog.of(OperatorRoutes.class);

  @FunctionalInterface
  public interface Handler {
    OperatorAnswer answer(OperatorRequest request);
  }

  private record Route(List<String> methods, Handler handler) {}

  private final Map<String, Route> byPath = new ConcurrentSkipListMap<>();
  private final List<String> names;
  private final @Nullable String token;
  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          0,
          TimeUnit.SECONDS,
          new ArrayBlockingQueue<>(QUEUE),
          task -> new Thread(task, "operations"));

  /** Routes of a port that listens at that name or number; {@code token} is that of the metrics. */
  OperatorRoutes(String name, @Nullable String token) {
    this.names = List.of("", "localhost", name.toLowerCase(Locale.ROOT)); // HTTP/1.0 has no Host
    this.token = token;
    threads.prestartAllCoreThreads();
  }

  void add(String method, String path, Handler handler) {
    List<String> methods = method.equals("GET") ? List.of("GET", "HEAD") : List.of(method);
    byPath.put(path, new Route(methods, handler));
  }

  /**
   * Passes the answer to a request on, from a thread of this object; throws a {@link
   * RejectedExecutionException} when the queue is full.
   */
  void answer(OperatorRequest request, Consumer<OperatorAnswer> then) {
    threads.execute(
        () -> {
          try {
            then.accept(answer(request));
          } catch (RejectedExecutionException e) {
            // The port was closed meanwhile.
          }
        });
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  private OperatorAnswer answer(OperatorRequest request) {
    if (!isForThisPort(request)) {
      return OperatorAnswer.text(
          421, "use this machine's address, localhost or metrics.listen as the host\n");
    }
    Route route = byPath.get(request.path());
    if (route == null) {
      return OperatorAnswer.text(404, "paths: " + String.join(", ", byPath.keySet()) + "\n");
    }
    if (!route.methods().contains(request.method())) {
      String allowed = String.join(", ", route.methods());
      return OperatorAnswer.text(405, Map.of("Allow", allowed), "methods: " + allowed + "\n");
    }
    try {
      return route.handler().answer(request);
    } catch (RuntimeException e) {
      LOG.error("A request of an operator could not be answered; this is a bug", e);
      return OperatorAnswer.text(500, "the request could not be answered; see the log\n");
    }
  }

  private boolean isForThisPort(OperatorRequest request) {
    String host = request.header("host").toLowerCase(Locale.ROOT).replaceFirst(":\\d*$", "");
    String address = host.startsWith("[") ? host.replaceAll("[\\[\\]]", "") : host;
    return names.contains(host)
        || ClientAddress.parse(address).isPresent()
        || (token != null && request.hasBearerToken(token));
  }
}
