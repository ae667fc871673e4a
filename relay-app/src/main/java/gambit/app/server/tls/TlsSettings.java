package gambit.app.server.tls;

import gambit.app.server.config.SettingsReader;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The section {@code tls}: both files, or none for a port without TLS. Immutable.
 *
 * @param certificate the certificate and its chain, a PEM file
 * @param key its private key, a PEM file
 */
public record TlsSettings(Optional<Path> certificate, Optional<Path> key) {

  public static TlsSettings read(SettingsReader tls) {
    TlsSettings settings = new TlsSettings(tls.file("certificate"), tls.file("key"));
    if (settings.certificate().isPresent() != settings.key().isPresent()) {
      throw tls.conflict("tls.certificate and tls.key must be set together", "certificate", "key");
    }
    return settings;
  }

  public boolean isOn() {
    return certificate.isPresent();
  }
}
