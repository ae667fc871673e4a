package gambit.app.server.tls;

import gambit.app.server.config.SettingsReader;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The section {@code tls}: both files or what obtains a certificate, or neither for a port without
 * TLS. Immutable.
 *
 * @param certificate the certificate and its chain, a PEM file
 * @param key its private key, a PEM file
 */
public record TlsSettings(
    Optional<Path> certificate, Optional<Path> key, Optional<AcmeSettings> acme) {

  /** Reads the section, and the relay's domain, from all settings. */
  public static TlsSettings read(SettingsReader all) {
    SettingsReader tls = all.section("tls");
    TlsSettings settings =
        new TlsSettings(tls.file("certificate"), tls.file("key"), AcmeSettings.read(all));
    if (settings.certificate().isPresent() != settings.key().isPresent()) {
      throw tls.conflict("tls.certificate and tls.key must be set together", "certificate", "key");
    }
    if (settings.acme().isPresent() && settings.key().isPresent()) {
      throw all.conflict(
          "relay.domain obtains a certificate, so tls.certificate and tls.key must be empty",
          "relay.domain",
          "tls.certificate");
    }
    return settings;
  }

  public boolean isOn() {
    return certificate.isPresent() || acme.isPresent();
  }
}
