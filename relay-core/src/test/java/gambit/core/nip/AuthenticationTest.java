package gambit.core.nip;

import static gambit.core.testkit.Client.loginEvent;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** NIP-42; the golden files have the flows of its text. */
class AuthenticationTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String ANOTHER_RELAY =
      "another URL than this relay's ("
          + TestRelay.URL
          + "); if clients are to use that one, the operator has to add it with --url";

  private final TestRelay relay = new TestRelay();
  private Client client = relay.connect();
  private final long now = relay.now();

  @AfterEach
  void end() {
    client.close();
    relay.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wss://gambit.example/",
        "wss://gambit.example",
        "ws://gambit.example",
        "wss://GAMBIT.Example/",
        "wss://gambit.example:443/",
        " wss://gambit.example// "
      })
  void anySpellingOfTheRelayUrlIsAccepted(String url) {
    assertThat(client.answerTo("AUTH", loginEvent(ALICE, now, url, client.nextChallenge())))
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "gambit.example",
        "https://gambit.example/",
        "wss://gambit.example.evil.example/",
        "wss://evil.example/gambit.example",
        "wss://gambit.example@evil.example/",
        "wss://gambit.example:7447/",
        "wss://gambit.example/other"
      })
  void otherUrlsAreRejected(String url) {
    assertThat(client.answerTo("AUTH", loginEvent(ALICE, now, url, client.nextChallenge())))
        .isEqualTo(
            "invalid: the login names " + (url.startsWith("ws") ? url + ", " : "") + ANOTHER_RELAY);
    assertNotLoggedIn(client);
  }

  @Test
  void urlThatTheClientConnectedToIsNotTrusted() throws IOException {
    assertThat(
            client.answerTo(
                "AUTH", loginEvent(ALICE, now, relay.uri().toString(), client.nextChallenge())))
        .isEqualTo("invalid: the login names " + relay.uri() + ", " + ANOTHER_RELAY);
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.UPGRADE.replace("Host: x", "Host: evil.example"));
      raw.readHead();
      String challenge = Client.parse(raw.read().text()).get(1).asText();
      raw.sendText("[\"AUTH\"," + loginEvent(ALICE, now, "wss://evil.example/", challenge) + "]");
      assertThat(raw.read().text())
          .contains(",false,\"invalid: the login names wss://evil.example/, " + ANOTHER_RELAY);
    }
  }

  /** A relay that is tried out in a local network, without {@code --url}. */
  @Test
  void loginsForUnknownUrlsAreLoggedAtABoundedRate() {
    try (ClassLog log = new ClassLog(Authentication.class)) {
      for (String url :
          List.of(
              "no url",
              "ws://192.168.1.20:7447/other",
              "ws://192.168.1.20:7447/other",
              "ws://chess.local:7447/%0aforged%20line")) {
        client.answerTo("AUTH", loginEvent(ALICE, now, url, client.nextChallenge()));
        client = again();
      }
      String warning =
          "A client tried to log in under ws://%s, which is none of this relay's URLs"
              + " (wss://gambit.example/): if clients are to use it, add --url ws://%s";
      assertThat(log.messages())
          .containsExactly(warning.formatted("192.168.1.20:7447/other", "192.168.1.20:7447/other"));
      relay.time().advance(Duration.ofMinutes(10));
      Event later =
          loginEvent(ALICE, relay.now(), "ws://chess.local:7447/%0aforged", client.nextChallenge());
      client.answerTo("AUTH", later);
      assertThat(log.messages())
          .hasSize(2)
          .last()
          .isEqualTo(warning.formatted("chess.local:7447/%0aforged", "chess.local:7447/%0aforged"));
    }
  }

  private Client again() {
    client.close();
    return relay.connect();
  }

  @Test
  void everyConnectionHasItsOwnUnpredictableChallenge() {
    Set<String> challenges = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      try (Client other = relay.connect()) {
        String challenge = other.nextChallenge();
        assertThat(challenge.length()).isGreaterThanOrEqualTo(32);
        challenges.add(challenge);
      }
    }
    assertThat(challenges).hasSize(50);
  }

  @Test
  void loginsAreAcceptedUpToBothEndsOfTheTimeWindow() {
    String challenge = client.nextChallenge();
    for (long wrong : new long[] {now - 601, now + 601, 0, 999_999_999_999_999_999L}) {
      assertThat(client.answerTo("AUTH", loginEvent(ALICE, wrong, TestRelay.URL, challenge)))
          .isEqualTo("invalid: created_at of a login must be the present time");
      assertNotLoggedIn(client);
    }
    for (long right : new long[] {now - 600, now, now + 600}) {
      assertThat(client.answerTo("AUTH", loginEvent(ALICE, right, TestRelay.URL, challenge)))
          .isEmpty();
    }
  }

  @Test
  void challengeIsValidAsLongAsItsConnection() {
    String challenge = client.nextChallenge();
    relay.time().advance(Duration.ofDays(30));
    assertThat(client.answerTo("AUTH", loginEvent(ALICE, relay.now(), TestRelay.URL, challenge)))
        .isEmpty();
  }

  @Test
  void connectionMayLogInWithAtMostAHundredKeys() {
    String challenge = client.nextChallenge();
    List<Signer> keys = new ArrayList<>();
    for (int i = 0; i < 101; i++) {
      keys.add(Keys.of("key " + i));
    }
    for (Signer key : keys.subList(0, 100)) {
      assertThat(client.answerTo("AUTH", loginEvent(key, now, TestRelay.URL, challenge))).isEmpty();
    }
    assertThat(client.answerTo("AUTH", loginEvent(keys.get(100), now, TestRelay.URL, challenge)))
        .isEqualTo("error: more than 100 keys on a connection");
    assertThat(client.answerTo("AUTH", loginEvent(keys.get(0), now, TestRelay.URL, challenge)))
        .isEmpty();
    client.publishAccepted(letterTo(keys.get(99)));
    client.publishAccepted(letterTo(keys.get(100)));
    assertThat(client.queryIds("{\"kinds\":[4]}")).hasSize(1);
  }

  private Event letterTo(Signer key) {
    return ALICE.sign(now, 4, new Tags(List.of(List.of("p", key.pubkey().hex()))), "hello");
  }

  @Test
  void lazyChallengeIsNotSentBeforeItIsNeeded() throws IOException {
    try (TestRelay quiet = new TestRelay(new StandardNips(Set.of(67), false, 0));
        RawSocket raw = new RawSocket(quiet.uri())) {
      raw.write(RawSocket.UPGRADE);
      raw.readHead();
      raw.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
      raw.sendText("[\"REQ\",\"b\",{\"kinds\":[4]}]");
      assertThat(raw.read().text()).startsWith("[\"AUTH\",");
      assertThat(raw.read().text()).startsWith("[\"CLOSED\",\"b\",\"auth-required: ");
      raw.sendText("[\"REQ\",\"c\",{\"kinds\":[4]}]");
      assertThat(raw.read().text()).startsWith("[\"CLOSED\",\"c\",\"auth-required: ");
    }
  }

  @Test
  void refusedReqForPrivateMessagesEndsTheReplacedSubscriptionFirst() throws IOException {
    try (TestRelay quiet = new TestRelay(new StandardNips(Set.of(67), false, 0));
        RawSocket raw = new RawSocket(quiet.uri())) {
      raw.write(RawSocket.UPGRADE);
      raw.readHead();
      raw.sendText("[\"REQ\",\"a\",{\"limit\":0}]");
      assertThat(raw.read().text()).isEqualTo("[\"EOSE\",\"a\"]");
      raw.sendText("[\"REQ\",\"a\",{\"kinds\":[4]}]");
      assertThat(raw.read().text()).startsWith("[\"AUTH\",");
      assertThat(raw.read().text()).startsWith("[\"CLOSED\",\"a\",\"auth-required: ");
      assertThat(quiet.metrics().read("subscriptions")).isZero();
    }
  }

  private static void assertNotLoggedIn(Client client) {
    client.send("[\"REQ\",\"dms\",{\"kinds\":[4]}]");
    assertThat(client.next()).startsWith("[\"CLOSED\",\"dms\",\"auth-required: ");
  }
}
