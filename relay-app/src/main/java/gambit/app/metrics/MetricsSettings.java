package gambit.app.metrics;

import gambit.app.config.SettingsProblem;
import gambit.app.config.SettingsReader;

/**
 * The section {@code metrics}. Immutable.
 *
 * @param port of the operators' server; 0 for a free one
 */
public record MetricsSettings(int port) {

  /** Reads the section. */
  public static MetricsSettings read(SettingsReader metrics) throws SettingsProblem {
    return new MetricsSettings(metrics.count("port", 0, 65_535));
  }
}
