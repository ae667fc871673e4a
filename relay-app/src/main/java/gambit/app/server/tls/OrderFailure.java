package gambit.app.server.tls;

import gambit.app.common.ErrorMessages;
import gambit.app.common.SafeText;
import gambit.app.server.tls.TlsSettings.AcmeSettings;
import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLException;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.exception.AcmeException;
import org.shredzone.acme4j.exception.AcmeNetworkException;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;

/** Why no certificate was obtained: one sentence for the operator, which says what to do. */
final class OrderFailure extends Exception {
  private final transient Optional<Instant> retry;
  private final boolean isOfChallenge;

  OrderFailure(String sentence) {
    this(sentence, Optional.empty(), false);
  }

  private OrderFailure(String sentence, Optional<Instant> retry, boolean isOfChallenge) {
    super(sentence);
    this.retry = retry;
    this.isOfChallenge = isOfChallenge;
  }

  /** Whether the authority was not convinced; perhaps it is by another port. */
  boolean isOfChallenge() {
    return isOfChallenge;
  }

  /** The time before which the authority does not want another order. */
  Optional<Instant> retry() {
    return retry;
  }

  /** The authority has looked at the relay's port and was not convinced. */
  static OrderFailure ofChallenge(AcmeSettings settings, int port, Optional<Problem> problem) {
    String domain = settings.domain();
    String detail = problem.map(OrderFailure::detail).orElse("");
    return new OrderFailure(
        switch (problem.map(OrderFailure::type).orElse("")) {
          case "dns" ->
              ("the DNS has no address of %s: create an A record (or AAAA, for IPv6) that points to"
                      + " this machine%s.")
                  .formatted(domain, detail);
          case "connection", "tls" ->
              ("the certificate authority does not reach this relay at port %s of %s: open the"
                      + " port in the firewall, or have the router forward it, and check that the"
                      + " address in the DNS is that of this machine%s.")
                  .formatted(port, domain, detail);
          case "unauthorized", "incorrectResponse" ->
              ("this relay does not answer at port %s of %s: point its A and AAAA records in the"
                      + " DNS to this machine, delete others, and have the router forward the port%s.")
                  .formatted(port, domain, detail);
          case "caa" -> ofCaa(domain, detail);
          default ->
              "the certificate authority was not convinced that %s is this machine%s."
                  .formatted(domain, detail);
        },
        Optional.empty(),
        true);
  }

  private static String ofCaa(String domain, String detail) {
    return ("a CAA record in the DNS does not let this certificate authority issue a certificate"
            + " for %s: add it to the record, or delete the record%s.")
        .formatted(domain, detail);
  }

  static OrderFailure of(AcmeSettings settings, AcmeException e) {
    if (e instanceof AcmeNetworkException && e.getCause() instanceof IOException cause) {
      return new OrderFailure(
          cause instanceof SSLException
              ? ("the certificate of %s is not trusted: for a server of your own, set tls.acme.ca"
                      + " (%s).")
                  .formatted(settings.directory(), ErrorMessages.of(cause))
              : ("the certificate authority does not answer at %s: check this machine's DNS and way"
                      + " to the internet, and tls.acme.directory (%s).")
                  .formatted(settings.directory(), reason(cause)));
    } else if (e instanceof AcmeRateLimitedException limited) {
      return new OrderFailure(
          ("the certificate authority issues no further certificate%s: there is nothing to do but"
                  + " wait%s.")
              .formatted(
                  limited.getRetryAfter().map(it -> " before " + it).orElse(" for now"),
                  detail(limited.getProblem())),
          limited.getRetryAfter(),
          false);
    } else if (e instanceof AcmeServerException refusal) {
      return new OrderFailure(ofRefusal(settings, refusal.getProblem()));
    }
    return new OrderFailure(
        "%s does not answer as a certificate authority: check tls.acme.directory (%s)."
            .formatted(settings.directory(), ErrorMessages.of(e)));
  }

  /** Of a refused connection, Java has no message. */
  private static String reason(IOException cause) {
    return cause.getMessage() == null ? "no connection" : ErrorMessages.of(cause);
  }

  private static String ofRefusal(AcmeSettings settings, Problem problem) {
    String detail = detail(problem);
    return switch (type(problem)) {
      case "rejectedIdentifier" ->
          ("the certificate authority refuses the name %s: set another relay.domain, or another"
                  + " tls.acme.directory%s.")
              .formatted(settings.domain(), detail);
      case "caa" -> ofCaa(settings.domain(), detail);
      case "externalAccountRequired" ->
          ("the certificate authority wants an account from its web site, which Gambit cannot use:"
                  + " set another tls.acme.directory%s.")
              .formatted(detail);
      case "invalidContact", "unsupportedContact" ->
          "the certificate authority refuses the mail address: change tls.acme.contact%s."
              .formatted(detail);
      default ->
          "the certificate authority refuses the order; it is tried again%s.".formatted(detail);
    };
  }

  /** The last word of the type of an error (RFC 8555, 6.7). */
  static String type(Problem problem) {
    String type = problem.getType().toString();
    return type.substring(type.lastIndexOf(':') + 1);
  }

  private static String detail(Problem problem) {
    return problem
        .getDetail()
        .map(text -> " (" + SafeText.of(text).replaceFirst("\\.$", "") + ")")
        .orElse("");
  }
}
