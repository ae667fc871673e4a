package gambit.app.metrics;

import gambit.core.log.LimitedLog;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListMap;

/** What the operators' port serves, by path and method. Thread-safe. */
public final class OperatorRoutes {
  private static final LimitedLog LOG = LimitedLog.of(OperatorRoutes.class);

  /** Answers the requests of one path and method; called on any of several threads. */
  @FunctionalInterface
  public interface Handler {
    OperatorAnswer answer(OperatorRequest request);
  }

  private final Map<String, Map<String, Handler>> byPath = new ConcurrentSkipListMap<>();

  /** Adds or replaces a route. One for GET answers HEAD as well. */
  void add(String method, String path, Handler handler) {
    byPath.computeIfAbsent(path, p -> new ConcurrentSkipListMap<>()).put(method, handler);
  }

  /** The answer to a request; 404 or 405 if there is no route for it. */
  OperatorAnswer answer(OperatorRequest request) {
    Map<String, Handler> methods = byPath.get(request.path());
    if (methods == null) {
      return OperatorAnswer.text(404, "paths: " + String.join(", ", byPath.keySet()) + "\n");
    }
    Handler handler = methods.get(request.method().equals("HEAD") ? "GET" : request.method());
    if (handler == null) {
      String allowed = allowed(methods);
      return OperatorAnswer.text(405, Map.of("Allow", allowed), "methods: " + allowed + "\n");
    }
    try {
      return handler.answer(request);
    } catch (RuntimeException e) {
      LOG.error("A request of an operator could not be answered; this is a bug", e);
      return OperatorAnswer.text(500, "the request could not be answered; see the log\n");
    }
  }

  private static String allowed(Map<String, Handler> methods) {
    Set<String> allowed = new TreeSet<>(methods.keySet());
    if (allowed.contains("GET")) {
      allowed.add("HEAD");
    }
    return String.join(", ", allowed);
  }
}
