package gambit.app.server.tls;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.server.tls.TlsSettings.AcmeSettings;
import java.net.URI;
import java.net.URL;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.shredzone.acme4j.Problem;
import org.shredzone.acme4j.exception.AcmeRateLimitedException;
import org.shredzone.acme4j.exception.AcmeServerException;
import org.shredzone.acme4j.toolbox.JSON;

/** What the operator is told about the errors of an authority (RFC 8555, 6.7). */
class OrderFailureTest {
  private static final AcmeSettings SETTINGS =
      new AcmeSettings("a.example", URI.create("https://ca.example/"), Optional.empty(), "", 80);

  private static Problem problem(String type, String detail) throws Exception {
    String json =
        "{\"type\":\"urn:ietf:params:acme:error:%s\",\"detail\":\"%s\"}".formatted(type, detail);
    return new Problem(JSON.parse(json), new URL("https://ca.example/"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          dns               | create an A record (or AAAA, for IPv6) that points to this machine (why).
          connection        | open the port in the firewall, or have the router forward it
          tls               | open the port in the firewall
          unauthorized      | point its A and AAAA records in the DNS to this machine
          incorrectResponse | this relay does not answer at port 443 of a.example
          caa               | add it to the record, or delete the record (why).
          serverInternal    | was not convinced that a.example is this machine (why).
          """)
  void aChallengeThatFailsSaysWhatToDo(String type, String words) throws Exception {
    OrderFailure failure =
        OrderFailure.ofChallenge(SETTINGS, 443, Optional.of(problem(type, "why.")));
    assertThat(failure).hasMessageContaining(words);
    assertThat(failure.isOfChallenge()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          rejectedIdentifier      | set another relay.domain
          caa                     | a CAA record in the DNS
          externalAccountRequired | set another tls.acme.directory
          invalidContact          | change tls.acme.contact
          malformed               | refuses the order; it is tried again (why).
          """)
  void anOrderThatIsRefusedSaysWhatToDo(String type, String words) throws Exception {
    assertThat(OrderFailure.of(SETTINGS, new AcmeServerException(problem(type, "why"))))
        .hasMessageContaining(words);
  }

  @Test
  void aLimitIsObeyedUntilItEnds() throws Exception {
    Instant end = Instant.parse("2026-01-02T03:04:05Z");
    OrderFailure failure =
        OrderFailure.of(
            SETTINGS,
            new AcmeRateLimitedException(problem("rateLimited", "too many"), end, List.of()));
    assertThat(failure.retry()).hasValue(end);
    assertThat(failure)
        .hasMessage(
            "the certificate authority issues no further certificate before 2026-01-02T03:04:05Z:"
                + " there is nothing to do but wait (too many).");
  }

  @Test
  void wordsOfTheAuthorityCannotControlATerminal() throws Exception {
    assertThat(
            OrderFailure.ofChallenge(
                SETTINGS, 443, Optional.of(problem("dns", "a\\u001b[2Jb\\nc\\u202ed"))))
        .hasMessageEndingWith(" (a?[2Jb c?d).");
  }
}
