package gambit.app;

import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** Settings for programs in this process. */
public final class TestSettings {
  private TestSettings() {}

  /** The settings with some given as by {@code --set}. */
  public static Settings of(Map<String, String> set) throws SettingsProblem {
    return Settings.read(ConfigSources.defaults().withOverrides(set).load());
  }

  /**
   * The settings of a relay on free ports without a house player, unless others are given.
   *
   * @param set each is {@code key=value}
   */
  static Settings ofRelay(String... set) {
    try {
      return Settings.read(sourcesOfRelay(set).load());
    } catch (SettingsProblem e) {
      throw new AssertionError(e);
    }
  }

  /** Options of a program with these settings, of which a reload makes the defaults. */
  static Gambit.Options options(Path data, boolean newKey, Settings settings) {
    ConfigSources sources = ConfigSources.defaults();
    return new Gambit.Options(data, newKey, settings, new Reload(sources, sources.load()));
  }

  /** The sources of these settings. */
  static ConfigSources sourcesOfRelay(String... set) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("relay.port", "0");
    all.put("metrics.port", "0");
    all.put("chess.house.enabled", "false");
    for (String each : set) {
      all.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
    }
    return ConfigSources.defaults().withOverrides(all);
  }
}
