package gambit.app;

import gambit.app.command.access.LocalPort;
import gambit.app.command.management.ManagementChannel;
import gambit.app.common.CommandFailure;
import gambit.app.common.ErrorMessages;
import gambit.app.common.LocalUrls;
import gambit.app.server.admin.AdminMethods;
import gambit.app.server.config.Configuration.Change;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.data.Backups;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.log.LogSettings;
import gambit.app.server.log.RecentWarnings;
import gambit.app.server.metrics.OperationsServer;
import gambit.app.server.nats.NatsCluster;
import gambit.app.server.nats.SnapshotJoin;
import gambit.app.server.plugin.WritePolicyPlugin;
import gambit.app.server.reload.ControlChannel;
import gambit.app.server.reload.ControlFile;
import gambit.app.server.reload.Reload;
import gambit.app.server.search.TextSearch;
import gambit.app.server.settings.Settings;
import gambit.app.server.tls.AcmeFiles;
import gambit.app.server.tls.CertificateFiles;
import gambit.app.server.tls.CertificateOrders;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import gambit.app.server.web.OperatorEngine;
import gambit.app.server.web.PackagedPage;
import gambit.app.tool.sync.Mirrors;
import gambit.chess.session.ChessFeature;
import gambit.core.ChangeableSettings;
import gambit.core.Relay;
import gambit.core.RelayComponents;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.lane.TimerDeadlines;
import gambit.core.limit.Limit;
import gambit.core.log.LimitedLog;
import gambit.core.management.Management;
import gambit.core.model.PubKey;
import gambit.core.net.OperatorToken;
import gambit.core.net.ServerTls;
import gambit.core.net.WebPage;
import gambit.core.nip.OperatorPolicies;
import gambit.core.replication.ClusterNode;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.tls.CertificateFault;
import gambit.core.tls.TlsCertificate;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running program: starts its parts, connects them and closes them. */
final class Gambit implements RunningGambit.Program {
  private static final Logger LOG = LoggerFactory.getLogger(Gambit.class);

  record Options(Path data, boolean newKey, Settings settings, Reload reload) {
    Options again() {
      return new Options(data, false, reload.inForce().orElse(settings), reload);
    }
  }

  private final Deque<Runnable> closers = new ArrayDeque<>();
  private final PubKey key;
  private final Path data;
  private final long eventsAtStart;
  private final DiskEventStore store;
  private final WritePolicyPlugin plugin;
  private final OperatorPolicies policies;
  private final Backups backups;
  private final ChessFeature chess;
  private final Mirrors mirrors;
  private final RelayComponents parts;
  private final Relay relay;
  private final Management management;
  private final ManagementChannel managementChannel;
  private final int metricsPort;
  private final Optional<CertificateFiles> certificate;
  private final CompletableFuture<String> overtaken = new CompletableFuture<>();
  private final CompletableFuture<Void> leading = new CompletableFuture<>();
  private @Nullable NatsCluster cluster;
  private @Nullable House house;

  /**
   * Starts everything; closes the parts that were started if one cannot be. The process should end
   * once {@code onThreadDeath} has received the exception that ended a thread.
   */
  Gambit(Options options, Consumer<Throwable> onThreadDeath) throws CommandFailure {
    try {
      EventVerifier verifier = DataDirectory.loadVerifier();
      DataDirectory directory = new DataDirectory(options.data());
      closers.push(directory::close);
      StartSteps.warnOfOpenFiles(directory);
      Optional<Signer> existing = directory.readKey();
      if (options.newKey() && existing.isPresent()) {
        throw new CommandFailure(
            ("--new-key: %s exists and is never replaced; start without --new-key to use it, or"
                    + " move it away first.")
                .formatted(directory.keyFile()));
      }
      Settings settings = options.settings();
      RecentWarnings warnings = RecentWarnings.collect();
      closers.push(warnings::close);
      OperationsServer operations =
          StartSteps.listenForOperators(settings.metrics(), onThreadDeath);
      closers.push(operations::close);
      operations.reportBuild(Main.version());
      Optional<AcmeFiles> acme = StartSteps.acme(settings.tls(), directory.path());
      certificate = StartSteps.certificate(settings.tls(), acme, operations.metrics());
      certificate.ifPresent(files -> closers.push(files::close));
      ServerTls tls = certificate.map(CertificateFiles::tls).orElse(null);
      Reload reload = options.reload();
      ControlChannel control = openControl(operations, directory.path(), reload);
      String token = control.token();
      store = openStore(settings, directory, existing.map(Signer::pubkey));
      closers.push(store::close);
      operations
          .metrics()
          .gauge(
              "disk_free_bytes",
              "Bytes that the program may still write to the disk with the data directory",
              () -> directory.path().toFile().getUsableSpace());
      Signer signer =
          existing.isPresent() ? existing.get() : directory.createKey(store, options.newKey());
      TimerDeadlines deadlines = new TimerDeadlines(onThreadDeath);
      closers.push(deadlines::close);
      InetSocketAddress address = StartSteps.address(settings.relay());
      Signer houseKey = settings.house().isOn(address.getAddress()) ? directory.houseKey() : null;
      plugin = new WritePolicyPlugin(settings.plugin());
      closers.push(plugin::close); // after the relay, which waits for its verdicts
      WebPage page = PackagedPage.of(settings.isWebEnabled(), settings.webEngine());
      policies = policies(settings, houseKey);
      management = ManagementChannel.management(settings, policies);
      backups = StartSteps.backups(settings, directory.path());
      closers.push(backups::close);
      AdminMethods admin =
          new AdminMethods(
              management,
              new AdminMethods.Program(
                  Main.version(),
                  directory.path(),
                  () -> reload.inForce().orElse(settings),
                  reload,
                  operations.metrics(),
                  backups,
                  warnings,
                  () -> certificate.flatMap(CertificateFiles::problem),
                  InstantSource.system()));
      mirrors = new Mirrors(settings.sync(), directory.path());
      chess = chess(settings, houseKey);
      List<Feature> features =
          new ArrayList<>(List.of(policies, management, admin, chess, plugin, mirrors));
      if (!settings.nips().off().contains(50)) {
        TextSearch search =
            new TextSearch(settings.search(), store, directory.path().resolve("search"));
        closers.push(search::close); // after the relay, whose lanes use it
        features.add(search);
      }
      if (settings.isWebEnabled() && !settings.webEngine().isEmpty()) {
        String engine = OperatorEngine.path(settings.webEngine().get(0));
        features.add(
            builder -> builder.information(it -> it.describe("chess", Map.of("engine", engine))));
      }
      features.add(builder -> builder.whenLeading(() -> leading.complete(null)));
      parts =
          new RelayComponents(
              changeable(settings, page),
              new RelayComponents.Identity(
                  Main.version(), settings.relay().ownUrls(tls != null, address.getPort()), signer),
              new RelayComponents.Port(address, tls, OperatorToken.of(token)),
              storage(settings, store, signer.pubkey(), onThreadDeath),
              features,
              new RelayComponents.Environment(
                  verifier,
                  InstantSource.system(),
                  deadlines,
                  operations.metrics(),
                  onThreadDeath));
      relay = StartSteps.listen(parts);
      closers.push(relay::close);
      if (acme.isPresent()) {
        CertificateOrders orders =
            new CertificateOrders(
                settings.tls().acme().orElseThrow(),
                acme.get(),
                certificate.orElseThrow(),
                relay.address(),
                InstantSource.system(),
                operations.metrics(),
                onThreadDeath);
        closers.push(orders::close);
        orders.start();
      }
      if (cluster != null) {
        Path files = directory.path().resolve("store");
        ClusterNode node = Objects.requireNonNull(relay.cluster());
        cluster.measure(operations.metrics());
        closers.push(
            cluster.makeSnapshots(files, node::leads, InstantSource.system(), onThreadDeath));
      }
      boolean hasAdminPage = management.isOpen() && page.files().containsKey("/admin");
      String relayUrl = parts.identity().urls().primary();
      managementChannel =
          new ManagementChannel(management, hasAdminPage ? ManagementChannel.pageOf(relayUrl) : "");
      managementChannel.install(control);
      control.listens(() -> LocalPort.of(parts()).text()); // the last, for those who wait for it
      relay.logQueriesSlowerThan(settings.log().slowQuery());
      reportLogOmissions(deadlines);
      admin.start(deadlines);
      backups.start(deadlines);
      operations.report(relay.health());
      if (houseKey != null) {
        House playing = new House(settings.house(), houseKey, parts);
        closers.push(playing::close);
        leading.thenRun(playing::begin);
        house = playing;
      }
      mirrors.start(
          LocalPort.inThisProcess(parts).withHeaders(Map.of("Authorization", "Bearer " + token)),
          onThreadDeath);
      closers.push(mirrors::close);
      eventsAtStart = store.size();
      key = signer.pubkey();
      data = directory.path();
      metricsPort = operations.port();
      closers.push(reload::end);
      reload.begin(this::change);
    } catch (Throwable e) {
      close();
      throw e;
    }
  }

  /** Opens the store; that of a node which the cluster's log has left behind is replaced. */
  private static DiskEventStore openStore(
      Settings settings, DataDirectory directory, Optional<PubKey> key) throws CommandFailure {
    long minFreeBytes = settings.store().minFreeBytes();
    DiskEventStore store = directory.openStore(minFreeBytes);
    if (!settings.cluster().isOn()) {
      return store;
    }
    try (SnapshotJoin join = new SnapshotJoin(settings.cluster())) {
      if (join.isBehind(store, key)) {
        store.close();
        join.replaceStore(directory, minFreeBytes);
        store = directory.openStore(minFreeBytes);
      }
      return store;
    } catch (Throwable e) {
      store.close();
      throw e;
    }
  }

  private RelayComponents.Storage storage(
      Settings settings, DiskEventStore store, PubKey key, Consumer<Throwable> onThreadDeath)
      throws CommandFailure {
    if (!settings.cluster().isOn()) {
      return new RelayComponents.Storage(store);
    }
    NatsCluster connected =
        NatsCluster.connect(settings.cluster(), store, key, overtaken::complete, onThreadDeath);
    closers.push(connected::close); // after the relay
    cluster = connected;
    try {
      requireRoomForMessages(settings);
    } catch (SettingsProblem e) {
      throw new CommandFailure(e.sentence());
    }
    return new RelayComponents.Storage(store, connected.membership());
  }

  /** An entry of the log has room for the largest message of a client, and for what follows. */
  private void requireRoomForMessages(Settings settings) {
    int most = cluster == null ? Integer.MAX_VALUE : cluster.membership().log().maxEntryBytes() / 4;
    if (settings.limits().get(Limit.MESSAGE_BYTES) > most) {
      throw new SettingsProblem(
          ("limits.message_bytes: at most %s in this cluster, a quarter of an entry, which"
                  + " max_payload of NATS bounds.")
              .formatted(most));
    }
  }

  @Override
  public String awaitOvertaken() {
    return overtaken.join();
  }

  private static void reportLogOmissions(TimerDeadlines deadlines) {
    LogSettings.reportOmissions(false);
    deadlines.set(LogSettings.class, LimitedLog.PERIOD, () -> reportLogOmissions(deadlines));
  }

  private ControlChannel openControl(OperationsServer operations, Path data, Reload reload)
      throws CommandFailure {
    try {
      ControlChannel control = new ControlChannel(operations, data, reload);
      closers.push(control::close);
      reload.register(operations.metrics());
      return control;
    } catch (IOException e) {
      throw new CommandFailure(
          "--data: cannot write " + ControlFile.in(data) + ": " + ErrorMessages.of(e) + ".");
    }
  }

  private static OperatorPolicies policies(Settings settings, @Nullable Signer house) {
    OperatorPolicies policies =
        new OperatorPolicies(
            settings.admission(),
            settings.reads(),
            house == null ? Set.of() : Set.of(house.pubkey()));
    policies.change(settings.members());
    return policies;
  }

  private static ChessFeature chess(Settings settings, @Nullable Signer house) {
    return house == null
        ? new ChessFeature(settings.chess())
        : House.chess(settings.chess(), settings.house(), house);
  }

  /** The parts of the relay with the settings in force, for tests of the wiring. */
  RelayComponents parts() {
    return parts.with(relay.settings());
  }

  int metricsPort() {
    return metricsPort;
  }

  Optional<CertificateFiles> certificate() {
    return certificate;
  }

  Optional<House> house() {
    return Optional.ofNullable(house);
  }

  @Override
  public String readiness() {
    return "listens on %s as %s, metrics on port %s, public key %s, %s"
        .formatted(
            url("ws", parts.port().address().getHostString()),
            String.join(", ", parts.identity().urls().all()),
            metricsPort,
            key.hex(),
            events());
  }

  List<String> banner(Options options) {
    Optional<AcmeSettings> acme = options.settings().tls().acme();
    String host = acme.map(AcmeSettings::domain).orElse(options.settings().relay().listen());
    return List.of(
        "Gambit " + Main.version() + " listens on " + url("ws", host),
        "  metrics     "
            + LocalUrls.of("http", named(options.settings().metrics().listen()), metricsPort)
            + "/metrics",
        "  public key  " + key.hex(),
        "  data        " + data,
        "  store       on disk, " + events(),
        "  web page    " + (parts.settings().page().isEmpty() ? "none" : url("http", host)));
  }

  /**
   * How to become the first admin, while there is none: a link; or the command that prints one,
   * where the output is systemd's journal, which others than root may read, and in a cluster, which
   * may have no leader yet.
   */
  Optional<String> firstAdmin() {
    if (!management.isOpen() || !management.needsAdmin()) {
      return Optional.empty();
    } else if (managementChannel.page().isEmpty()) {
      return Optional.of(ManagementChannel.NO_PAGE);
    } else if (cluster != null || System.getenv("JOURNAL_STREAM") != null) {
      return Optional.of("gambit admin link --data " + data);
    }
    String answer = new String(managementChannel.makeLink().body(), StandardCharsets.UTF_8);
    return Optional.of(answer.strip());
  }

  private String events() {
    return eventsAtStart + (eventsAtStart == 1 ? " event" : " events");
  }

  private String url(String scheme, String host) {
    String inUse = scheme + (certificate.isPresent() ? "s" : "");
    String url = LocalUrls.of(inUse, named(host), relay.address().getPort());
    return certificate.isPresent() ? url.replaceFirst(":443$", "") : url;
  }

  /** 127.0.0.1, the default, is written as localhost. */
  private static String named(String host) {
    return host.equals("127.0.0.1") ? "localhost" : host;
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().run();
      } catch (RuntimeException e) {
        LOG.error("A part of the program could not be closed", e);
      }
    }
  }

  /**
   * Puts other settings in force; those that need a restart are the same as at the start. Returns
   * changes that are not in the configuration itself. When the certificate cannot be used, nothing
   * has changed.
   */
  private List<Change> change(Settings settings) {
    requireRoomForMessages(settings);
    Optional<TlsCertificate> next = readCertificate();
    WebPage page = page(settings);
    settings.log().apply();
    relay.logQueriesSlowerThan(settings.log().slowQuery());
    store.setMinFreeBytes(settings.store().minFreeBytes());
    plugin.change(settings.plugin());
    policies.change(settings.admission(), settings.reads());
    policies.change(settings.members());
    management.change(settings.admins());
    backups.change(settings.backup(), StartSteps.bytesLeftByBackups(settings));
    chess.change(settings.chess());
    mirrors.change(settings.sync());
    relay.change( // after the features, since it makes the information document anew
        changeable(settings, page));
    return next.map(this::use).orElse(List.of());
  }

  private static ChangeableSettings changeable(Settings settings, WebPage page) {
    return new ChangeableSettings(
        settings.relay().about(),
        page,
        settings.transport(),
        settings.limits(),
        settings.rates(),
        settings.store().retention(),
        settings.nips());
  }

  /** A loaded page is kept, because an upgrade may have replaced the jar since the start. */
  private WebPage page(Settings settings) {
    WebPage now = relay.settings().page();
    return settings.isWebEnabled() && !now.equals(WebPage.NONE)
        ? now
        : PackagedPage.of(settings.isWebEnabled(), settings.webEngine());
  }

  private Optional<TlsCertificate> readCertificate() {
    try {
      return certificate.isEmpty() ? Optional.empty() : Optional.of(certificate.get().read());
    } catch (CertificateFault e) {
      throw new SettingsProblem("tls.certificate, tls.key: " + e.getMessage());
    }
  }

  private List<Change> use(TlsCertificate next) {
    CertificateFiles files = certificate.orElseThrow();
    String before = files.tls().certificate().toString();
    return files.use(next)
        ? List.of(new Change("the certificate in tls.certificate", before, next.toString()))
        : List.of();
  }
}
