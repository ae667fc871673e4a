package gambit.app;

import gambit.app.common.CommandFailure;
import gambit.app.server.config.ConfigSources;
import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.reload.Reload;
import gambit.app.server.settings.Settings;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The program's relay in this process, with its store on the disk and the real time. */
public final class LocalRelay implements AutoCloseable {
  private final Gambit gambit;
  private final int port;
  private final URI metricsUrl;
  private final AtomicReference<@Nullable Throwable> death = new AtomicReference<>();

  /**
   * Starts a relay, without a house player unless a setting says otherwise.
   *
   * @param port 0 for a free one
   * @param settings as with {@code --set}: {@code key=value}
   */
  public LocalRelay(Path data, int port, String... settings) {
    this(TestSettings.options(data, false, settings(port, settings)));
  }

  /** Starts a relay on a free port, as with {@code --new-key}. */
  public static LocalRelay withNewKey(Path data) {
    return new LocalRelay(TestSettings.options(data, true, settings(0)));
  }

  private LocalRelay(Gambit.Options options) {
    try {
      gambit = new Gambit(options, death::set);
      String banner = String.join("\n", gambit.banner(options));
      this.port = Integer.parseInt(find("wss?://[^ ]*?:(\\d+)", banner));
      this.metricsUrl = URI.create(find("(http://\\S+/metrics)", banner));
    } catch (CommandFailure e) {
      throw new AssertionError(e);
    }
  }

  private static String find(String pattern, String banner) {
    Matcher found = Pattern.compile(pattern).matcher(banner);
    if (!found.find()) {
      throw new AssertionError("no " + pattern + " in the banner");
    }
    return found.group(1);
  }

  /** Starts a relay that takes commands of its operator, on a free port. */
  public static LocalRelay withControl(Path data, String... settings) {
    try {
      ConfigSources sources = TestSettings.sourcesOfRelay(settings).withAdminFileOf(data);
      Configuration configuration = sources.load();
      return new LocalRelay(
          new Gambit.Options(
              data, false, Settings.read(configuration), new Reload(sources, configuration)));
    } catch (SettingsProblem e) {
      throw new AssertionError(e);
    }
  }

  private static Settings settings(int port, String... overrides) {
    List<String> all = new ArrayList<>(List.of(overrides));
    all.add("relay.port=" + port);
    return TestSettings.ofRelay(all.toArray(String[]::new));
  }

  public int port() {
    return port;
  }

  public URI uri() {
    return URI.create("ws://127.0.0.1:" + port);
  }

  /** Where its operators read its metrics. */
  public URI metricsUrl() {
    return metricsUrl;
  }

  @Override
  public void close() {
    gambit.close();
    if (death.get() != null) {
      throw new AssertionError("a thread of the relay died", death.get());
    }
  }
}
