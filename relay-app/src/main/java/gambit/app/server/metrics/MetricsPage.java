package gambit.app.server.metrics;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Map;
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
  private final @Nullable String token;

  MetricsPage(PrometheusMeterRegistry registry, @Nullable String token) {
    this.registry = registry;
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
   * The highest quality with which a header accepts a name (RFC 9110, 12.4.2): 1 without {@code q},
   * 0 if it does not name it.
   *
   * @param version the version that an entry must have, if it has one
   */
  private static double quality(String header, String name, String version) {
    double highest = 0;
    for (String entry : header.toLowerCase(Locale.ROOT).split(",", -1)) {
      String[] parts = entry.split(";", -1);
      if (parts[0].strip().equals(name)) {
        double quality = 1;
        for (int i = 1; i < parts.length; i++) {
          String parameter = parts[i].strip();
          if (parameter.startsWith("q=")) {
            quality = number(parameter.substring(2));
          } else if (parameter.startsWith("version=")
              && !unquoted(parameter.substring("version=".length())).equals(version)) {
            quality = 0;
            break;
          }
        }
        highest = Math.max(highest, quality);
      }
    }
    return highest;
  }

  private static String unquoted(String value) {
    boolean isQuoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
    return isQuoted ? value.substring(1, value.length() - 1) : value;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text.strip());
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
