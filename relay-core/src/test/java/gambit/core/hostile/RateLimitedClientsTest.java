package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.TrustedProxies;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A client that exceeds a rate is refused with the time to wait, and others are not. A proxy's
 * header sets the addresses.
 */
class RateLimitedClientsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final TransportSettings BEHIND_PROXY =
      new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1")));

  /** At two an hour, a token is refilled every half hour. */
  private static final String WAIT = "rate-limited: slow down, wait (1800|17\\d\\d) s";

  private int notes;

  @Test
  void rateOfEachVerbAppliesToAllConnectionsOfAnAddressTogether() throws IOException {
    try (TestRelay relay = relay(everyVerb("2/h"), Map.of());
        RawSocket first = from(relay, "203.0.113.1");
        RawSocket second = from(relay, "203.0.113.1");
        RawSocket other = from(relay, "203.0.113.2")) {
      for (RawSocket raw : List.of(first, second)) {
        raw.sendText("[\"EVENT\"," + note(relay, ALICE) + "]");
        assertThat(raw.read().text()).endsWith(",true,\"\"]");
        raw.sendText("[\"REQ\",\"r\",{\"kinds\":[7],\"limit\":0}]");
        assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"r\"]");
        raw.sendText("[\"COUNT\",\"c\",{}]");
        assertThat(raw.read().text()).startsWith("[\"COUNT\",\"c\",{");
        raw.sendText("[\"AUTH\"," + note(relay, ALICE) + "]");
        assertThat(raw.read().text()).contains(",false,\"invalid: ");
        raw.sendText("[\"HELLO\"]");
        assertThat(raw.read().text()).isEqualTo("[\"NOTICE\",\"invalid: unknown verb\"]");
      }
      assertLimited(relay, first, "EVENT", "\\[\"OK\",\"%s\",false,\"" + WAIT + "\"]");
      assertLimited(relay, second, "AUTH", "\\[\"OK\",\"%s\",false,\"" + WAIT + "\"]");
      first.sendText("[\"REQ\",\"q\",{\"limit\":0}]");
      assertThat(first.read().text()).matches("\\[\"CLOSED\",\"q\",\"" + WAIT + "\"]");
      second.sendText("[\"COUNT\",\"c\",{}]");
      assertThat(second.read().text()).matches("\\[\"CLOSED\",\"c\",\"" + WAIT + "\"]");
      first.sendText("[\"HELLO\"]");
      assertThat(first.read().text()).matches("\\[\"NOTICE\",\"" + WAIT + "\"]");
      assertThat(other.isServed()).isTrue();
      other.sendText("[\"EVENT\"," + note(relay, BOB) + "]");
      assertThat(other.read().text()).endsWith(",true,\"\"]");
    }
  }

  private void assertLimited(TestRelay relay, RawSocket raw, String verb, String answer)
      throws IOException {
    Event event = note(relay, BOB);
    raw.sendText("[\"" + verb + "\"," + event + "]");
    assertThat(raw.read().text()).matches(String.format(answer, event.id()));
  }

  @Test
  void malformedMessagesShareOneRateAndAreAnsweredByVerb() throws IOException {
    try (TestRelay relay = relay(Map.of(Verb.INVALID, Rate.parse("1/h")), Map.of());
        RawSocket raw = from(relay, "203.0.113.1")) {
      raw.sendText("[\"EVENT\",{\"id\":\"" + "ab".repeat(32) + "\"}]");
      assertThat(raw.read().text()).contains(",false,\"invalid: ");
      String wait = "rate-limited: slow down, wait \\d{4} s";
      raw.sendText("[\"EVENT\",{\"id\":\"" + "ab".repeat(32) + "\"}]");
      assertThat(raw.read().text())
          .matches("\\[\"OK\",\"" + "ab".repeat(32) + "\",false,\"" + wait + "\"]");
      raw.sendText("[\"EVENT\",7]");
      assertThat(raw.read().text()).matches("\\[\"NOTICE\",\"" + wait + "\"]");
      raw.sendText("[\"REQ\",\"r\",7]");
      assertThat(raw.read().text()).matches("\\[\"CLOSED\",\"r\",\"" + wait + "\"]");
      raw.sendText("[\"COUNT\",\"c\",7]");
      assertThat(raw.read().text()).matches("\\[\"CLOSED\",\"c\",\"" + wait + "\"]");
      assertThat(raw.isServed()).isTrue();
    }
  }

  @Test
  void closeIsNeverRateLimitedAndUsesNoToken() throws IOException {
    try (TestRelay relay = relay(everyVerb("2/h"), Map.of());
        RawSocket raw = from(relay, "203.0.113.1")) {
      raw.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
      for (int i = 0; i < 100; i++) {
        raw.sendText("[\"CLOSE\",\"a\"]");
      }
      raw.sendText("[\"REQ\",\"b\",{\"limit\":0}]");
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"b\"]");
      assertThat(relay.metrics().read("subscriptions")).isEqualTo(1);
    }
  }

  @Test
  void refusedReqEndsTheSubscriptionWithItsId() throws IOException {
    try (TestRelay relay = relay(everyVerb("1/h"), Map.of());
        RawSocket raw = from(relay, "203.0.113.1")) {
      raw.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
      raw.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(raw.read().text()).startsWith("[\"CLOSED\",\"a\",\"rate-limited: ");
      assertThat(relay.metrics().read("subscriptions")).isZero();
    }
  }

  @Test
  void rateOfAnAuthorAppliesToAllAddressesTogether() throws IOException {
    try (TestRelay relay = relay(Map.of(), Map.of(Verb.EVENT, Rate.parse("2/h")));
        RawSocket first = from(relay, "203.0.113.1");
        RawSocket second = from(relay, "203.0.113.2")) {
      Event note = note(relay, ALICE);
      for (int i = 0; i < 5; i++) { // the same one costs once
        first.sendText("[\"EVENT\"," + note + "]");
        assertThat(first.read().text()).contains(",true,\"" + (i == 0 ? "" : "duplicate: "));
      }
      for (int i = 0; i < 5; i++) { // forged events do not use up her tokens
        String signed = note(relay, ALICE).toString();
        second.sendText(
            "[\"EVENT\"," + signed.replaceFirst("\"sig\":\"....", "\"sig\":\"0000") + "]");
        assertThat(second.read().text()).contains(",false,\"invalid: the signature");
      }
      second.sendText("[\"EVENT\"," + note(relay, ALICE) + "]");
      assertThat(second.read().text()).endsWith(",true,\"\"]");
      Event third = note(relay, ALICE);
      first.sendText("[\"EVENT\"," + third + "]");
      assertThat(first.read().text())
          .matches("\\[\"OK\",\"" + third.id() + "\",false,\"" + WAIT + "\"]");
      first.sendText("[\"EVENT\"," + note(relay, BOB) + "]");
      assertThat(first.read().text()).as("another author").endsWith(",true,\"\"]");
    }
  }

  @Test
  void rateOfRequestsAppliesToEachKeyOfALogin() {
    Map<Verb, Rate> two = Map.of(Verb.REQ, Rate.parse("2/h"), Verb.COUNT, Rate.parse("2/h"));
    try (TestRelay relay = relay(Map.of(), two);
        Client stranger = relay.connect();
        Client alice = relay.connect().login(relay.now(), ALICE);
        Client elsewhere = relay.connect().login(relay.now(), BOB, ALICE);
        Client bob = relay.connect().login(relay.now(), BOB)) {
      for (int i = 0; i < 5; i++) {
        assertThat(ask(stranger, "REQ")).startsWith("[\"EOSE\"");
      }
      assertThat(ask(alice, "REQ")).startsWith("[\"EOSE\"");
      assertThat(ask(elsewhere, "REQ")).startsWith("[\"EOSE\"");
      assertThat(ask(alice, "REQ")).matches("\\[\"CLOSED\",\"q\",\"" + WAIT + "\"]");
      assertThat(ask(bob, "REQ")).startsWith("[\"EOSE\"");
      assertThat(ask(alice, "COUNT")).startsWith("[\"COUNT\"");
      assertThat(ask(alice, "COUNT")).startsWith("[\"COUNT\"");
      assertThat(ask(elsewhere, "COUNT")).matches("\\[\"CLOSED\",\"q\",\"" + WAIT + "\"]");
    }
  }

  private static String ask(Client client, String verb) {
    client.send("[\"" + verb + "\",\"q\",{\"limit\":0}]");
    return client.next();
  }

  @Test
  void httpRequestsAndHandshakesBeyondTheRateAreAnswered429WithRetryAfter() throws IOException {
    try (TestRelay relay = relay(Map.of(Verb.HTTP, Rate.parse("3/h")), Map.of());
        RawSocket upgraded = from(relay, "203.0.113.1");
        RawSocket raw = new RawSocket(relay.uri())) {
      String request = "HEAD / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.";
      raw.write((request + "1\r\n\r\n").repeat(3) + request + "2\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
      assertThat(raw.readHead())
          .startsWith("HTTP/1.1 429 ")
          .containsPattern("(?i)\r\nretry-after: (1200|11\\d\\d)\r\n")
          .containsIgnoringCase("\r\naccess-control-allow-origin: *\r\n");
      assertThat(raw.readHead()).as("another address").startsWith("HTTP/1.1 200 ");
      assertThat(answerTo(relay, "203.0.113.1")).startsWith("HTTP/1.1 429 ");
      assertThat(upgraded.isServed()).as("who is in already").isTrue();
    }
  }

  @Test
  void connectionsOfAnAddressAreLimitedAndAFreedPlaceIsReused() throws IOException {
    LimitValues two = TestLimits.connections(10, 2);
    try (TestRelay relay = new TestRelay(two, RateLimits.NONE, BEHIND_PROXY);
        RawSocket stays = from(relay, "2001:db8::1")) {
      RawSocket leaves = from(relay, "2001:db8::2");
      for (int i = 0; i < 3; i++) {
        assertThat(answerTo(relay, "2001:db8::3"))
            .startsWith("HTTP/1.1 429 ")
            .containsIgnoringCase("\r\nretry-after: 30\r\n")
            .containsIgnoringCase("\r\naccess-control-allow-origin: *\r\n");
        from(relay, "203.0.113.1").close();
        from(relay, "2001:db8:0:1::1").close();
        leaves.close();
        await().until(() -> relay.metrics().read("connections") == 1);
        leaves = from(relay, "2001:db8::4");
      }
      leaves.close();
      assertThat(stays.isServed()).isTrue();
    }
  }

  @Test
  void connectionsBeyondTheTotalAreAnswered503AndAFreedPlaceIsReused() throws IOException {
    try (TestRelay relay =
            new TestRelay(TestLimits.connections(2, 0), RateLimits.NONE, BEHIND_PROXY);
        RawSocket stays = from(relay, "203.0.113.1")) {
      for (int i = 0; i < 5; i++) {
        try (RawSocket waits = new RawSocket(relay.uri())) {
          RawSocket leaves = from(relay, "203.0.113.2");
          waits.write(RawSocket.UPGRADE);
          assertThat(waits.readHead())
              .startsWith("HTTP/1.1 503 ")
              .containsIgnoringCase("\r\nretry-after: 30\r\n")
              .containsIgnoringCase("\r\naccess-control-allow-origin: *\r\n");
          leaves.close();
          await().until(() -> relay.metrics().read("connections") == 1);
          waits.write(RawSocket.UPGRADE); // on the same connection
          waits.readUpgradeAnswer();
          assertThat(waits.isServed()).isTrue();
        }
        await().until(() -> relay.metrics().read("connections") == 1);
      }
      assertThat(stays.isServed()).isTrue();
    }
  }

  private static TestRelay relay(Map<Verb, Rate> byAddress, Map<Verb, Rate> byPubkey) {
    return new TestRelay(LimitValues.DEFAULT, new RateLimits(byAddress, byPubkey), BEHIND_PROXY);
  }

  private static Map<Verb, Rate> everyVerb(String rate) {
    Map<Verb, Rate> rates = new EnumMap<>(Verb.class);
    for (Verb verb : Verb.values()) {
      rates.put(verb, verb == Verb.HTTP ? Rate.UNLIMITED : Rate.parse(rate));
    }
    return rates;
  }

  private static RawSocket from(TestRelay relay, String address) throws IOException {
    RawSocket raw = new RawSocket(relay.uri());
    raw.write(RawSocket.upgradeWith("X-Forwarded-For: " + address));
    raw.readUpgradeAnswer();
    return raw;
  }

  private static String answerTo(TestRelay relay, String address) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.upgradeWith("X-Forwarded-For: " + address));
      return raw.readHead();
    }
  }

  /** One that is like no other. */
  private Event note(TestRelay relay, Signer author) {
    return author.sign(relay.now(), 1, Tags.NONE, "note " + notes++);
  }
}
