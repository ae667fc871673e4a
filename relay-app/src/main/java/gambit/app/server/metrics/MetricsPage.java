package gambit.app.server.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a scrape: the metrics in Prometheus' text format 0.0.4, or in OpenMetrics 1.0 for a
 * client that prefers it, compressed with gzip for one that accepts that. With a token, only for
 * requests that have it. Thread-safe.
 */
final class MetricsPage implements OperatorRoutes.Handler {
  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final int USUAL_BYTES = 64 * 1024;

  private final PrometheusMeterRegistry registry;
  private final JavaMetrics java;
  private final @Nullable String token;

  MetricsPage(PrometheusMeterRegistry registry, JavaMetrics java, @Nullable String token) {
    this.registry = registry;
    this.java = java;
    this.token = token;
  }

  @Override
  public OperatorAnswer answer(OperatorRequest request) {
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
    return new OperatorAnswer(200, type, headers, scrape(type, isCompressed));
  }

  private byte[] scrape(String type, boolean isCompressed) {
    java.begin();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(USUAL_BYTES);
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
