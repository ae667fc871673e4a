package gambit.app.command.access;

import gambit.app.common.LocalUrls;
import gambit.app.server.tls.PinnedCertificate;
import gambit.app.tool.client.RelayPlace;
import gambit.core.RelayComponents;
import gambit.core.limit.Limit;
import gambit.core.net.ServerTls;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A running relay's port as programs on this machine reach it. Immutable.
 *
 * @param url with the port's own address
 * @param loginUrl the relay's first URL
 * @param certificate the fingerprint of its certificate; null for a port without TLS
 * @param maxMessageBytes the longest message that it reads
 */
public record LocalPort(
    URI url, String loginUrl, @Nullable String certificate, int maxMessageBytes) {
  private static final String NO_CERTIFICATE = "-";

  public static LocalPort of(RelayComponents relay) {
    ServerTls tls = relay.port().tls();
    return new LocalPort(
        LocalUrls.reachable(tls == null ? "ws" : "wss", relay.port().address()),
        relay.identity().urls().primary(),
        tls == null ? null : PinnedCertificate.fingerprint(tls.certificate().leaf()),
        relay.settings().limits().get(Limit.MESSAGE_BYTES));
  }

  /** The port of a relay in this process, with whichever certificate it uses at the moment. */
  public static RelayPlace inThisProcess(RelayComponents relay) {
    LocalPort port = of(relay);
    ServerTls tls = relay.port().tls();
    return new RelayPlace(
        port.url(), port.loginUrl(), tls == null ? null : PinnedCertificate.contextFor(tls));
  }

  static Optional<LocalPort> parse(String text) {
    String[] words = text.strip().split(" ", -1);
    try {
      return words.length == 4
          ? Optional.of(
              new LocalPort(
                  URI.create(words[0]),
                  words[1],
                  words[2].equals(NO_CERTIFICATE) ? null : words[2],
                  Integer.parseInt(words[3])))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public String text() {
    String pin = certificate == null ? NO_CERTIFICATE : certificate;
    return url + " " + loginUrl + " " + pin + " " + maxMessageBytes;
  }

  RelayPlace place() {
    return new RelayPlace(
        url, loginUrl, certificate == null ? null : PinnedCertificate.contextFor(certificate));
  }
}
