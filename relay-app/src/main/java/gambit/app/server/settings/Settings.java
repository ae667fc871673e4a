package gambit.app.server.settings;

import gambit.app.server.config.Configuration;
import gambit.app.server.config.SettingsReader;
import gambit.app.server.data.Backups.BackupSettings;
import gambit.app.server.log.LogSettings;
import gambit.app.server.metrics.MetricsSettings;
import gambit.app.server.nats.ClusterSettings;
import gambit.app.server.plugin.PluginSettings;
import gambit.app.server.search.SearchSettings;
import gambit.app.server.tls.TlsSettings;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import gambit.app.server.web.OperatorEngine;
import gambit.app.tool.sync.SyncSettings;
import gambit.chess.session.play.ChessSettings;
import gambit.core.limit.LimitValues;
import gambit.core.model.PubKey;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * The program's settings, a component for each section of {@code reference.conf}. Immutable.
 *
 * @param isWebEnabled whether browsers get the web page at the relay's URL
 * @param webEngine the files of the operator's engine for browsers, its script first, if there is
 *     one
 * @param admins who may manage the relay over HTTP (NIP-86)
 */
public record Settings(
    RelaySettings relay,
    StoreSettings store,
    LimitValues limits,
    RateLimits rates,
    TransportSettings transport,
    TlsSettings tls,
    boolean isWebEnabled,
    List<Path> webEngine,
    StandardNips nips,
    AdmissionPolicy admission,
    ReadPolicy reads,
    MemberPolicy members,
    Set<PubKey> admins,
    BackupSettings backup,
    SearchSettings search,
    ChessSettings chess,
    HouseSettings house,
    MetricsSettings metrics,
    PluginSettings plugin,
    SyncSettings sync,
    ClusterSettings cluster,
    LogSettings log) {

  public static Settings read(Configuration configuration) {
    SettingsReader all = configuration.reader();
    Settings settings =
        new Settings(
            RelaySettings.read(all.section("relay")),
            StoreSettings.read(all.section("store")),
            RelaySettings.limits(all.section("limits")),
            RelaySettings.rates(all.section("rates")),
            RelaySettings.transport(all.section("transport")),
            TlsSettings.read(all),
            all.bool("web.enabled"),
            webEngine(all.section("web")),
            RelaySettings.nips(all.section("nips")),
            RelaySettings.admission(all.section("admission")),
            RelaySettings.reads(all.section("reads")),
            RelaySettings.members(all.section("members")),
            all.section("management").pubkeys("admins"),
            BackupSettings.read(all.section("backup")),
            SearchSettings.read(all.section("search")),
            RelaySettings.chess(all.section("chess"), all.bool("web.enabled")),
            HouseSettings.read(all.section("chess.house")),
            MetricsSettings.read(all.section("metrics")),
            PluginSettings.read(all.section("plugin")),
            RelaySettings.sync(all.section("sync")),
            ClusterSettings.read(all.section("cluster")),
            LogSettings.read(all.section("log")));
    requireDifferentPorts(all, settings);
    if (settings.tls.acme().isPresent() && settings.cluster.isOn()) {
      throw all.conflict(
          "a node of a cluster cannot obtain a certificate: set tls.certificate and tls.key instead"
              + " of relay.domain, or use a proxy",
          "relay.domain",
          "cluster.servers");
    }
    RelaySettings.requireLogins(all, settings);
    return settings;
  }

  private static List<Path> webEngine(SettingsReader web) {
    try {
      return web.file("engine").map(OperatorEngine::files).orElse(List.of());
    } catch (IllegalArgumentException e) {
      throw web.problem("engine", String.valueOf(e.getMessage()));
    }
  }

  private static void requireDifferentPorts(SettingsReader all, Settings settings) {
    int port = settings.relay().port();
    if (port != 0 && port == settings.metrics().port()) {
      throw all.conflict(
          "relay.port (--port) and metrics.port (--metrics-port) must differ",
          "relay.port",
          "metrics.port");
    }
    int http = settings.tls().acme().map(AcmeSettings::httpPort).orElse(0);
    if (http != 0 && (http == port || http == settings.metrics().port())) {
      throw all.conflict(
          "tls.acme.http_port, relay.port and metrics.port must differ",
          "tls.acme.http_port",
          "relay.port",
          "metrics.port");
    }
  }
}
