package gambit.app.server.tls;

import gambit.app.server.config.DomainDefaults;
import gambit.app.server.config.SettingsReader;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The section {@code tls}: both files or what obtains a certificate, or neither for a port without
 * TLS. Immutable.
 *
 * @param certificate the certificate and its chain, a PEM file
 * @param key its private key, a PEM file
 */
public record TlsSettings(
    Optional<Path> certificate, Optional<Path> key, Optional<AcmeSettings> acme) {

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

  /**
   * How a relay with a domain obtains its certificate: {@code relay.domain} and the section {@code
   * tls.acme}. Immutable.
   *
   * @param domain in lower case, in ASCII
   * @param directory the URL of the certificate authority's directory (RFC 8555, 7.1.1)
   * @param ca the authorities that sign the certificate of the directory's server, a PEM file
   * @param contact a mail address; may be empty
   * @param httpPort 0 for none
   */
  public record AcmeSettings(
      String domain, URI directory, Optional<Path> ca, String contact, int httpPort) {
    private static final String STAGING = "https://acme-staging-v02.api.letsencrypt.org/directory";

    private static final Pattern MAIL = Pattern.compile("[^@,?\\s]+@[^@,?\\s]+|");

    /** Reads them from all settings; empty without a domain. */
    public static Optional<AcmeSettings> read(SettingsReader all) {
      SettingsReader acme = all.section("tls.acme");
      URI directory = acme.parse("directory", AcmeSettings::directory);
      String contact = acme.text("contact");
      if (!MAIL.matcher(contact).matches()) {
        throw acme.problem("contact", "expected a mail address, as in me@example.com");
      }
      Optional<Path> ca = acme.file("ca");
      int httpPort = acme.count("http_port", 0, 65_535);
      return all.text("relay.domain").isEmpty()
          ? Optional.empty()
          : Optional.of(
              new AcmeSettings(
                  all.parse("relay.domain", AcmeSettings::domain),
                  directory,
                  ca,
                  contact,
                  httpPort));
    }

    private static String domain(String text) {
      return DomainDefaults.ascii(text)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "expected a name in the DNS, as in relay.example.com, without a port or a"
                          + " wildcard"));
    }

    private static URI directory(String text) {
      try {
        URI url = URI.create(text.equals("staging") ? STAGING : text);
        if ("https".equals(url.getScheme()) && url.getHost() != null) {
          return url;
        }
      } catch (IllegalArgumentException e) {
        // as of another scheme
      }
      throw new IllegalArgumentException("expected staging, or a URL that begins with https://");
    }
  }
}
