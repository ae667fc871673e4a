package gambit.app;

import gambit.app.server.backup.Backups;
import gambit.app.server.config.ConfigSnapshot.Change;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.plugin.WritePolicyPlugin;
import gambit.app.server.settings.Settings;
import gambit.app.server.tls.CertificateFiles;
import gambit.app.server.web.PackagedPage;
import gambit.app.tool.sync.Mirrors;
import gambit.chess.session.ChessFeature;
import gambit.core.ChangeableSettings;
import gambit.core.Relay;
import gambit.core.management.Management;
import gambit.core.net.WebPage;
import gambit.core.nip.OperatorPolicies;
import gambit.core.store.disk.DiskEventStore;
import gambit.core.tls.CertificateFault;
import gambit.core.tls.TlsCertificate;
import java.util.List;
import java.util.Optional;

/** The parts of the running program whose settings change on reload. */
record ReloadableParts(
    DiskEventStore store,
    Optional<CertificateFiles> certificate,
    WritePolicyPlugin plugin,
    OperatorPolicies policies,
    Management management,
    Backups backups,
    ChessFeature chess,
    Mirrors mirrors,
    Relay relay) {

  /**
   * Puts other settings in force; those that need a restart are the same as at the start. Returns
   * changes that are not in the configuration itself. When the certificate cannot be used, nothing
   * has changed.
   */
  List<Change> change(Settings settings) {
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

  static ChangeableSettings changeable(Settings settings, WebPage page) {
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
