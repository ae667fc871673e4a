package gambit.app.server.metrics;

import gambit.app.server.config.SettingsReader;
import org.jspecify.annotations.Nullable;

/** The section {@code metrics}; the token is null if a scrape needs none. Immutable. */
public record MetricsSettings(String listen, int port, @Nullable String token) {
  private static final int MIN_TOKEN_LENGTH = 16;

  public static MetricsSettings read(SettingsReader metrics) {
    return new MetricsSettings(
        metrics.text("listen"), metrics.count("port", 0, 65_535), token(metrics));
  }

  private static @Nullable String token(SettingsReader metrics) {
    String token = metrics.text("token");
    if (token.isEmpty()) {
      return null;
    }
    if (token.length() < MIN_TOKEN_LENGTH || !token.matches("[!-~]*")) {
      throw metrics.problem(
          "token",
          "expected at least " + MIN_TOKEN_LENGTH + " visible ASCII characters without blanks");
    }
    return token;
  }

  /** The settings without the token, which must not get into a log. */
  @Override
  public String toString() {
    return listen + ":" + port + (token == null ? "" : " with a token");
  }
}
