package gambit.core.management;

import static gambit.core.management.ManagedRelay.body;
import static gambit.core.testkit.AdminCalls.ADMIN;
import static gambit.core.testkit.AdminCalls.MEDIA_TYPE;
import static gambit.core.testkit.AdminCalls.header;
import static gambit.core.testkit.AdminCalls.tags;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.RelayUrls;
import gambit.core.model.Tags;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The login of a request (NIP-98, and "Authorization" of NIP-86), over sockets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // with one relay
class HttpLoginsTest {
  private static final String BODY = body("supportedmethods");

  private final ManagedRelay relay = new ManagedRelay();

  @AfterAll
  void end() {
    relay.close();
  }

  @Test
  void requestWithAValidLoginOfAnAdminIsAnswered() {
    HttpResponse<String> answer = relay.post(BODY, header(relay.login(BODY, TestRelay.URL)));
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type")).contains(MEDIA_TYPE);
    assertThat(Client.parse(answer.body()).get("result").toString()).contains("\"banpubkey\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wss://gambit.example/",
        "wss://gambit.example",
        "https://gambit.example",
        "https://gambit.example/",
        "HTTPS://GAMBIT.example:443/"
      })
  void urlOfALoginIsTheRelaysByHttpOrWs(String url) {
    assertThat(status(header(relay.login(BODY, url)))).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "https://other.example/",
        "https://gambit.example/path",
        "https://gambit.example:8080/",
        "https://gambit.example/?x=1",
        "https://gambit.example/#x",
        "https://me@gambit.example/",
        "ftp://gambit.example/"
      })
  void anotherUrlIsRefused(String url) {
    requireRefused(header(relay.login(BODY, url)), "the tag u is not the URL of this request");
  }

  @Test
  void queryOfTheUrlIsThatOfTheRequest() {
    URI withQuery = relay.url().resolve("/?x=1");
    String wrong = header(relay.login(BODY, TestRelay.URL));
    String right = header(relay.login(BODY, TestRelay.URL + "?x=1"));
    assertThat(AdminCalls.post(withQuery, MEDIA_TYPE, BODY, wrong).statusCode()).isEqualTo(401);
    assertThat(AdminCalls.post(withQuery, MEDIA_TYPE, BODY, right).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({"-60,200", "60,200", "-61,401", "61,401", "-100000,401"})
  void loginIsValidForAMinute(long offset, int status) {
    Tags tags = tags(TestRelay.URL, "POST", BODY);
    Event login = ADMIN.sign(relay.relay.now() + offset, 27_235, tags, "");
    assertThat(status(header(login))).isEqualTo(status);
  }

  @Test
  void anotherKindMethodOrBodyIsRefused() {
    long now = relay.relay.now();
    Tags right = tags(TestRelay.URL, "POST", BODY);
    requireRefused(header(ADMIN.sign(now, 22_242, right, "")), "not of kind 27235");
    requireRefused(
        header(ADMIN.sign(now, 27_235, tags(TestRelay.URL, "GET", BODY), "")),
        "method is not POST");
    requireRefused(
        header(ADMIN.sign(now, 27_235, tags(TestRelay.URL, "POST", BODY + " "), "")),
        "payload is not the SHA-256");
  }

  @ParameterizedTest
  @ValueSource(strings = {"u", "method", "payload"})
  void eachTagIsRequiredOnce(String name) {
    List<List<String>> tags = new ArrayList<>(tags(TestRelay.URL, "POST", BODY).list());
    List<String> tag = tags.stream().filter(it -> it.get(0).equals(name)).findFirst().orElseThrow();
    long now = relay.relay.now();
    tags.add(tag);
    assertThat(status(header(ADMIN.sign(now, 27_235, new Tags(tags), "")))).isEqualTo(401);
    tags.removeIf(tag::equals);
    assertThat(status(header(ADMIN.sign(now, 27_235, new Tags(tags), "")))).isEqualTo(401);
  }

  @Test
  void forgedLoginIsRefused() {
    Event login = relay.login(BODY, TestRelay.URL);
    String ofBob = Keys.of("bob").pubkey().hex();
    String forged = login.toString().replace(login.pubkey().hex(), ofBob);
    requireRefused(encoded(forged), "id or signature is wrong");
    String sig = HexFormat.of().formatHex(login.sig());
    String damaged = login.toString().replace(sig, sig.substring(1) + sig.charAt(0));
    requireRefused(encoded(damaged), "id or signature is wrong");
  }

  private static String encoded(String event) {
    return "Nostr " + Base64.getEncoder().encodeToString(event.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Bearer abc", "Nostr", "Nostr !!!", "Nostr e30=", "Nostr W10=", "nostr"})
  void headerWithoutAnEventIsRefused(String header) {
    requireRefused(header, "Authorization: Nostr");
  }

  @Test
  void missingLoginIsRefusedWithTheScheme() {
    HttpResponse<String> answer = relay.post(BODY, null);
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Nostr");
  }

  @Test
  void signatureOfAStrangersKeyIsNotVerified() {
    Tags tags = tags(TestRelay.URL, "POST", BODY);
    Event login = Keys.of("bob").sign(relay.relay.now(), 27_235, tags, "unsigned");
    String sig = HexFormat.of().formatHex(login.sig());
    String unsigned = encoded(login.toString().replace(sig, "0".repeat(128)));
    HttpResponse<String> answer = relay.post(BODY, unsigned);
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("this key has no rights here");
  }

  @Test
  void loginIsUsedOnce() {
    String login = header(relay.login(BODY, TestRelay.URL));
    assertThat(status(login)).isEqualTo(200);
    requireRefused(login, "was used before");
  }

  @Test
  void sameCallTwiceInOneSecondSaysThatANewLoginMustBeSigned() {
    Tags tags = tags(TestRelay.URL, "POST", BODY);
    long now = relay.relay.now();
    assertThat(status(header(ADMIN.sign(now, 27_235, tags, "same second")))).isEqualTo(200);
    requireRefused(header(ADMIN.sign(now, 27_235, tags, "same second")), "sign a new one");
    assertThat(status(header(ADMIN.sign(now, 27_235, tags, "other content")))).isEqualTo(200);
  }

  @Test
  void loginDatedAheadIsRememberedForAsLongAsItIsValid() {
    Instant now = Instant.ofEpochSecond(1_700_000_000);
    HttpLogins logins = new HttpLogins(new RelayUrls(List.of(TestRelay.URL)), new EventVerifier());
    assertThat(logins.use("ahead", "admin", now)).isNull(); // created_at is 60 s ahead
    for (long after : List.of(60L, 61L, 120L)) { // until created_at is 60 s ago
      assertThat(logins.use("ahead", "admin", now.plusSeconds(after))).contains("used before");
    }
    assertThat(logins.use("ahead", "admin", now.plusSeconds(121))).isNull();
  }

  @Test
  void adminWithThousandsOfLoginsLeavesRoomForOthers() {
    Instant now = Instant.ofEpochSecond(1_700_000_000);
    HttpLogins logins = new HttpLogins(new RelayUrls(List.of(TestRelay.URL)), new EventVerifier());
    int used = 0;
    while (logins.use("greedy " + used, "greedy", now) == null) {
      used++;
    }
    assertThat(used).isEqualTo(HttpLogins.MAX_REMEMBERED / 2);
    assertThat(logins.use("one more", "greedy", now)).contains("too many logins");
    for (int i = 0; i < 20; i++) {
      assertThat(logins.use("modest " + i, "admin " + i, now)).isNull();
    }
    assertThat(logins.use("later", "greedy", now.plusSeconds(121))).isNull();
  }

  @Test
  void anotherKeyIsForbiddenUntilItIsAnAdmins() {
    Signer bob = Keys.of("bob");
    long now = relay.relay.now();
    Tags tags = tags(TestRelay.URL, "POST", BODY);
    assertThat(status(header(bob.sign(now, 27_235, tags, "1")))).isEqualTo(403);
    try (ManagedRelay changing = new ManagedRelay()) {
      changing.management.change(Set.of(bob.pubkey()));
      String ofBob = header(bob.sign(changing.relay.now(), 27_235, tags, "2"));
      assertThat(changing.post(BODY, ofBob).statusCode()).isEqualTo(200);
      String former = header(changing.login(BODY, TestRelay.URL));
      assertThat(changing.post(BODY, former).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void withoutAdminsNobodyHasRights() {
    try (ManagedRelay without = new ManagedRelay()) {
      without.management.change(Set.of());
      String login = header(without.login(BODY, TestRelay.URL));
      assertThat(without.post(BODY, login).statusCode()).isEqualTo(403);
    }
  }

  @Test
  void relayWithoutManagementSaysSoInItsDocument() {
    assertThat(relay.relay.information().get("supported_nips").toString())
        .endsWith(",56,59,62,65,70,77,86,98]");
    try (ManagedRelay without = new ManagedRelay(false, false)) {
      String login = header(without.login(BODY, TestRelay.URL));
      assertThat(without.post(BODY, login).statusCode()).isEqualTo(405);
      assertThat(without.relay.information().get("supported_nips").toString())
          .endsWith("62,65,70,77]");
    }
  }

  private int status(String header) {
    return relay.post(BODY, header).statusCode();
  }

  private void requireRefused(String header, String reason) {
    HttpResponse<String> answer = relay.post(BODY, header);
    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(Client.parse(answer.body()).get("error").asText()).contains(reason);
  }
}
