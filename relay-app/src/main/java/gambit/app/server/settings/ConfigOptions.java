package gambit.app.server.settings;

import gambit.app.server.config.ConfigSources;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of the command line that select the configuration and override settings. Shared by
 * the relay and {@code gambit config}.
 */
public final class ConfigOptions {
  @Mixin private DataOptions directory = new DataOptions();

  @Option(
      names = "--domain",
      paramLabel = "NAME",
      description =
          "The relay's name in the DNS: obtains a certificate for it, and serves https and wss on"
              + " port 443; sets relay.domain.")
  private @Nullable String domain;

  @Option(
      names = "--listen",
      paramLabel = "HOST",
      description = "Address to listen on; sets relay.listen (default: 127.0.0.1).")
  private @Nullable String listen;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "Port of the relay, 0 for a free one; sets relay.port (default: 7447).")
  private @Nullable Integer port;

  @Option(
      names = "--metrics-port",
      paramLabel = "PORT",
      description = "Port for metrics and health; sets metrics.port (default: 7448).")
  private @Nullable Integer metricsPort;

  @Option(
      names = "--url",
      paramLabel = "URL",
      description = "A URL that clients use for this relay; may be repeated; sets relay.url.")
  private List<String> urls = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets any setting, in place of the file and the environment; may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  public Path dataDirectory(Map<String, String> environment) {
    return directory.dataDirectory(environment);
  }

  public ConfigSources sources(Map<String, String> environment) {
    ConfigSources sources = directory.sources(environment).withOverrides(settings);
    sources = withFlag(sources, "--domain", "relay.domain", domain);
    sources = withFlag(sources, "--listen", "relay.listen", listen);
    sources = withFlag(sources, "--port", "relay.port", port);
    sources = withFlag(sources, "--metrics-port", "metrics.port", metricsPort);
    return urls.isEmpty()
        ? sources
        : sources.withFlag("--url", "relay.url", String.join(",", urls));
  }

  private static ConfigSources withFlag(
      ConfigSources sources, String flag, String key, @Nullable Object value) {
    return value == null ? sources : sources.withFlag(flag, key, value.toString());
  }
}
