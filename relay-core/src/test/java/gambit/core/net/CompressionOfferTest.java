package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The negotiation of compression (RFC 7692, section 7.1). */
class CompressionOfferTest {
  private static final TestRelay RELAY =
      new TestRelay(
          LimitValues.DEFAULT, RateLimits.NONE, new TransportSettings(true, TrustedProxies.NONE));

  private static final String ACCEPTED =
      "permessage-deflate; server_no_context_takeover; client_no_context_takeover";

  private static final Pattern ANSWER =
      Pattern.compile("(?i)\r\nsec-websocket-extensions: (.*)\r\n");

  @AfterAll
  static void end() {
    RELAY.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate",
        "permessage-deflate; client_max_window_bits",
        "permessage-deflate; client_max_window_bits=8",
        "permessage-deflate; client_max_window_bits=15",
        "permessage-deflate; client_max_window_bits=\"12\"",
        "permessage-deflate; server_no_context_takeover",
        "permessage-deflate; client_no_context_takeover",
        "permessage-deflate; client_no_context_takeover; server_no_context_takeover",
        "permessage-deflate;client_max_window_bits;server_no_context_takeover",
        "  permessage-deflate\t;  client_max_window_bits  =  10 ",
        "PerMessage-Deflate",
        "permessage-deflate, permessage-deflate; client_max_window_bits",
        "permessage-deflate; server_max_window_bits=10, permessage-deflate",
        "permessage-deflate; server_max_window_bits=9; client_max_window_bits, permessage-deflate",
        "permessage-bzip2, permessage-deflate",
        "x-webkit-deflate-frame, permessage-deflate",
        ", ,permessage-deflate,",
        "garbage \"( ;;==, permessage-deflate"
      })
  void plainOfferIsAccepted(String offer) throws IOException {
    assertThat(answer("Sec-WebSocket-Extensions: " + offer)).contains(ACCEPTED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "permessage-deflate; server_max_window_bits=15",
        "permessage-deflate; server_max_window_bits=\"15\"; client_max_window_bits",
        "permessage-deflate; server_max_window_bits=14, permessage-deflate;"
            + " server_max_window_bits=15"
      })
  void requestedDefaultWindowIsConfirmed(String offer) throws IOException {
    assertThat(answer("Sec-WebSocket-Extensions: " + offer))
        .contains(ACCEPTED + "; server_max_window_bits=15");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "deflate",
        "permessage-deflate2",
        "x-webkit-deflate-frame",
        "deflate-stream",
        "permessage-deflate; server_max_window_bits",
        "permessage-deflate; server_max_window_bits=7",
        "permessage-deflate; server_max_window_bits=8",
        "permessage-deflate; server_max_window_bits=9",
        "permessage-deflate; server_max_window_bits=10",
        "permessage-deflate; server_max_window_bits=11",
        "permessage-deflate; server_max_window_bits=12",
        "permessage-deflate; server_max_window_bits=13",
        "permessage-deflate; server_max_window_bits=14",
        "permessage-deflate; server_max_window_bits=16",
        "permessage-deflate; server_max_window_bits=015",
        "permessage-deflate; server_max_window_bits=1 5",
        "permessage-deflate; server_max_window_bits='15'",
        "permessage-deflate; client_max_window_bits=7",
        "permessage-deflate; client_max_window_bits=16",
        "permessage-deflate; client_max_window_bits=08",
        "permessage-deflate; client_max_window_bits=",
        "permessage-deflate; client_max_window_bits=\"\"",
        "permessage-deflate; client_max_window_bits=-9",
        "permessage-deflate; client_max_window_bits=ten",
        "permessage-deflate; server_no_context_takeover=true",
        "permessage-deflate; client_no_context_takeover=1",
        "permessage-deflate; client_no_context_takeover=\"\"",
        "permessage-deflate; unknown",
        "permessage-deflate; client_max_window_bits; unknown=1",
        "permessage-deflate; client_max_window_bits; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        "permessage-deflate;",
        "permessage-deflate; ; client_max_window_bits",
        "permessage-deflate client_max_window_bits",
        "permessage-deflate=1",
        "\"permessage-deflate\"",
        "permessage-deflate; \"client_max_window_bits\"",
        "permessage-deflate; client_max_window_bits=\"10"
      })
  void unsupportedOfferIsDeclinedAndTheHandshakeSucceeds(String offer) throws IOException {
    assertThat(answer("Sec-WebSocket-Extensions: " + offer)).isEmpty();
  }

  @Test
  void compressionIsNotUsedWithoutAnOffer() throws IOException {
    assertThat(answer("X: permessage-deflate")).isEmpty();
  }

  @Test
  void severalHeadersFormOneListOfOffers() throws IOException {
    String name = "Sec-WebSocket-Extensions: ";
    assertThat(answer(name + "x, y", name + "z", name + "permessage-deflate")).contains(ACCEPTED);
    assertThat(
            answer(
                name + "permessage-deflate; server_max_window_bits=15",
                name + "permessage-deflate"))
        .as("the first that is acceptable")
        .contains(ACCEPTED + "; server_max_window_bits=15");
  }

  @Test
  void compressionIsNotUsedWhenSwitchedOff() throws IOException {
    try (TestRelay plain = new TestRelay();
        RawSocket raw = new RawSocket(plain.uri())) {
      raw.write(RawSocket.upgradeWith("Sec-WebSocket-Extensions: permessage-deflate"));
      assertThat(raw.readUpgradeAnswer()).doesNotContainIgnoringCase("extensions");
      raw.sendFrame(RawSocket.FINAL | RawSocket.RSV1 | RawSocket.TEXT, new byte[] {0});
      assertThat(raw.readCloseAndEnd()).isEqualTo(1002);
    }
  }

  /** What is agreed on; the connection has to be of use in either case. */
  private static Optional<String> answer(String... offers) throws IOException {
    try (RawSocket raw = new RawSocket(RELAY.uri())) {
      raw.write(RawSocket.upgradeWith(offers));
      Matcher answer = ANSWER.matcher(raw.readUpgradeAnswer());
      assertThat(raw.isServed()).isTrue();
      List<String> answers = answer.results().map(it -> it.group(1)).toList();
      assertThat(answers).hasSizeLessThan(2);
      return answers.stream().findFirst();
    }
  }
}
