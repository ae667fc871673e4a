package gambit.core.management;

import static gambit.core.management.ManagedRelay.body;
import static gambit.core.testkit.AdminCalls.ADMIN;
import static gambit.core.testkit.AdminCalls.MEDIA_TYPE;
import static gambit.core.testkit.AdminCalls.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.feature.PostHandler.PostAnswer;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.Authors;
import gambit.core.nip.AdmissionPolicy.Kinds;
import gambit.core.nip.AdmissionPolicy.Writers;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The methods of NIP-86 and their effects, over sockets. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class ManagementTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String ALICE_HEX = ALICE.pubkey().hex();
  private static final String BOB_HEX = BOB.pubkey().hex();

  @Test
  void bannedAuthorIsRefusedAtOnceOnAnOpenConnectionUntilTheBanIsLifted() {
    try (ManagedRelay relay = new ManagedRelay();
        Client client = relay.relay.connect()) {
      client.publishAccepted(note(relay, ALICE, "before"));
      assertThat(relay.call("banpubkey", ALICE_HEX, "spam").asBoolean()).isTrue();
      assertThat(client.answerTo(note(relay, ALICE, "after")))
          .isEqualTo("blocked: events of this author are not taken here");
      assertThat(client.answerTo(ALICE.sign(relay.relay.now(), 20_001, Tags.NONE, "ephemeral")))
          .startsWith("blocked: ");
      client.publishAccepted(note(relay, BOB, "another author"));
      assertThat(relay.call("listbannedpubkeys").toString())
          .isEqualTo("[{\"pubkey\":\"" + ALICE_HEX + "\",\"reason\":\"spam\"}]");
      assertThat(relay.call("unbanpubkey", ALICE_HEX).asBoolean()).isTrue();
      client.publishAccepted(note(relay, ALICE, "again"));
      assertThat(relay.call("listbannedpubkeys")).isEmpty();
    }
  }

  @Test
  void bannedAuthorMayStillRequestToVanish() {
    try (ManagedRelay relay = new ManagedRelay();
        Client client = relay.relay.connect()) {
      relay.call("banpubkey", ALICE_HEX);
      Tags everywhere = new Tags(List.of(List.of("relay", "ALL_RELAYS")));
      client.publishAccepted(ALICE.sign(relay.relay.now(), 62, everywhere, ""));
    }
  }

  @Test
  void allowedAuthorIsAcceptedWhereOnlyListedOnesAre() {
    AdmissionPolicy onlyBob =
        policy(Kinds.EVERY, new Authors(Set.of(BOB.pubkey()), Set.of(), Set.of()));
    try (ManagedRelay relay = new ManagedRelay(onlyBob);
        Client client = relay.relay.connect()) {
      assertThat(client.answerTo(note(relay, ALICE, "stranger"))).startsWith("blocked: ");
      relay.call("allowpubkey", ALICE_HEX, "a friend");
      client.publishAccepted(note(relay, ALICE, "friend"));
      assertThat(texts(relay.call("listallowedpubkeys"), "pubkey"))
          .containsExactlyInAnyOrder(ALICE_HEX, BOB_HEX);
      relay.call("unallowpubkey", ALICE_HEX);
      assertThat(client.answerTo(note(relay, ALICE, "stranger again"))).startsWith("blocked: ");
      assertThat(relay.error("unallowpubkey", BOB_HEX)).contains("admission.pubkeys");
    }
  }

  @Test
  void allowedAuthorClosesNothingForOthersWhereEverybodyIsAccepted() {
    try (ManagedRelay relay = new ManagedRelay();
        Client client = relay.relay.connect()) {
      relay.call("allowpubkey", ALICE_HEX);
      client.publishAccepted(note(relay, BOB, "not listed"));
    }
  }

  @Test
  void laterDecisionReplacesAnEarlierOneOnTheSameAuthor() {
    try (ManagedRelay relay = new ManagedRelay();
        Client client = relay.relay.connect()) {
      relay.call("banpubkey", ALICE_HEX);
      relay.call("allowpubkey", ALICE_HEX);
      client.publishAccepted(note(relay, ALICE, "allowed"));
      relay.call("banpubkey", ALICE_HEX);
      assertThat(client.answerTo(note(relay, ALICE, "banned"))).startsWith("blocked: ");
      assertThat(relay.call("listallowedpubkeys")).isEmpty();
    }
  }

  @Test
  void refusalOfTheSettingsIsListedAndCannotBeLifted() {
    AdmissionPolicy refusing =
        policy(
            new Kinds(KindSet.NONE, KindSet.of(7)),
            new Authors(Set.of(), Set.of(ALICE.pubkey()), Set.of()));
    try (ManagedRelay relay = new ManagedRelay(refusing);
        Client client = relay.relay.connect()) {
      assertThat(relay.call("listbannedpubkeys").get(0).get("reason").asText())
          .isEqualTo("in the settings: admission.refused_pubkeys");
      assertThat(relay.error("unbanpubkey", ALICE_HEX)).contains("admission.refused_pubkeys");
      assertThat(relay.error("allowpubkey", ALICE_HEX)).contains("admission.refused_pubkeys");
      assertThat(relay.error("allowkind", 7)).contains("admission.refused_kinds");
      assertThat(relay.call("listdisallowedkinds").toString()).isEqualTo("[7]");
      assertThat(client.answerTo(note(relay, ALICE, "refused"))).startsWith("blocked: ");
    }
  }

  @Test
  void banOfATrustedAuthorWins() {
    AdmissionPolicy trusting =
        policy(Kinds.EVERY, new Authors(Set.of(ALICE.pubkey()), Set.of(), Set.of(ALICE.pubkey())));
    try (ManagedRelay relay = new ManagedRelay(trusting);
        Client client = relay.relay.connect()) {
      relay.call("banpubkey", ALICE_HEX);
      assertThat(client.answerTo(note(relay, ALICE, "banned"))).startsWith("blocked: ");
    }
  }

  @Test
  void keysOfTheRelayAndOfAdminsCannotBeBanned() {
    try (ManagedRelay relay = new ManagedRelay()) {
      assertThat(relay.error("banpubkey", relay.relay.signer().pubkey().hex()))
          .isEqualTo("this is the relay's own key");
      assertThat(relay.error("banpubkey", ADMIN.pubkey().hex())).contains("the key of an admin");
    }
  }

  @Test
  void bannedEventIsRemovedAndRefusedUntilItIsAllowed() {
    try (ManagedRelay relay = new ManagedRelay();
        Client client = relay.relay.connect()) {
      Event note = client.publishAccepted(note(relay, ALICE, "illegal"));
      Event other = client.publishAccepted(note(relay, ALICE, "other"));
      relay.call("banevent", note.id().hex(), "illegal");
      assertThat(client.queryIds("{\"kinds\":[1]}")).containsExactly(other.id().hex());
      assertThat(client.answerTo(note)).isEqualTo("blocked: this event is not taken here");
      assertThat(relay.call("listbannedevents").toString())
          .isEqualTo("[{\"id\":\"" + note.id().hex() + "\",\"reason\":\"illegal\"}]");
      relay.call("allowevent", note.id().hex());
      client.publishAccepted(note);
      assertThat(relay.call("listbannedevents")).isEmpty();
    }
  }

  /**
   * The event has passed the checks of its arrival, and waits for the writer, when it is banned.
   */
  @Test
  void eventThatIsOnItsWayToTheStoreWhenItIsBannedIsNotStored() {
    FaultyStore store = new FaultyStore();
    try (ManagedRelay relay = new ManagedRelay(store);
        Client alice = relay.relay.connect();
        Client bob = relay.relay.connect()) {
      store.blockCommits();
      alice.publish(note(relay, BOB, "holds the writer"));
      await().until(store::hasBlockedCommit);
      Event note = note(relay, ALICE, "on its way");
      bob.publish(note);
      bob.send("[\"REQ\",\"x\",{\"kinds\":[9]}]").until("EOSE"); // the note has passed its checks
      CompletableFuture<JsonNode> banned =
          CompletableFuture.supplyAsync(() -> relay.call("banpubkey", ALICE_HEX));
      try (Client other = relay.relay.connect()) {
        await().until(() -> other.answerTo(ephemeral(relay)).startsWith("blocked: "));
      }
      assertThat(banned).isNotDone();
      store.unblockCommits();
      banned.join();
      assertThat(bob.nextJson().toString()).contains("false").contains("blocked: ");
      assertThat(bob.queryIds("{\"authors\":[\"" + ALICE_HEX + "\"]}")).isEmpty();
    }
  }

  private static Event ephemeral(ManagedRelay relay) {
    return ALICE.sign(relay.relay.now(), 20_001, Tags.NONE, "");
  }

  @Test
  void importedEventsAreRefusedByTheSameDecisions() {
    try (ManagedRelay relay = new ManagedRelay();
        Client operator = relay.relay.connectOperator()) {
      Event banned = note(relay, BOB, "banned");
      relay.call("banpubkey", ALICE_HEX);
      relay.call("banevent", banned.id().hex());
      assertThat(operator.answerTo(note(relay, ALICE, "x"))).startsWith("blocked: ");
      assertThat(operator.answerTo(banned)).startsWith("blocked: ");
      operator.publishAccepted(note(relay, BOB, "y"));
    }
  }

  @Test
  void allowedAuthorIsImportedWhereOnlyListedOnesAreAccepted() {
    AdmissionPolicy onlyBob =
        policy(Kinds.EVERY, new Authors(Set.of(BOB.pubkey()), Set.of(), Set.of()));
    try (ManagedRelay relay = new ManagedRelay(onlyBob);
        Client operator = relay.relay.connectOperator()) {
      relay.call("allowpubkey", ALICE_HEX);
      operator.publishAccepted(note(relay, ALICE, "x"));
    }
  }

  @Test
  void callsBeyondTheBoundAreRefusedWhileTheWriterIsBusy() {
    FaultyStore store = new FaultyStore();
    try (ManagedRelay relay = new ManagedRelay(store);
        Client alice = relay.relay.connect()) {
      store.blockCommits();
      alice.publish(note(relay, ALICE, "holds the writer"));
      await().until(store::hasBlockedCommit);
      List<CompletableFuture<PostAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        CompletableFuture<PostAnswer> answer = new CompletableFuture<>();
        relay.management.call(body("banpubkey", BOB_HEX), answer::complete);
        answers.add(answer);
      }
      assertThat(answers.stream().filter(CompletableFuture::isDone))
          .hasSizeGreaterThanOrEqualTo(99) // one is carried out, a hundred wait
          .allSatisfy(it -> assertThat(it.join().status()).isEqualTo(503));
      store.unblockCommits();
      assertThat(answers.stream().map(CompletableFuture::join).filter(it -> it.status() == 200))
          .hasSizeBetween(100, 101);
    }
  }

  @Test
  void disallowedKindIsRefusedUntilItIsAllowed() {
    try (ManagedRelay relay = new ManagedRelay();
        Client client = relay.relay.connect()) {
      relay.call("disallowkind", 1);
      assertThat(client.answerTo(note(relay, ALICE, "x")))
          .isEqualTo("blocked: kind 1 is not taken here");
      assertThat(relay.call("listdisallowedkinds").toString()).isEqualTo("[1]");
      relay.call("allowkind", 1);
      client.publishAccepted(note(relay, ALICE, "y"));
      assertThat(relay.call("listdisallowedkinds")).isEmpty();
    }
  }

  @Test
  void allowedKindIsAcceptedWhereOnlyListedOnesAre() {
    AdmissionPolicy onlyReactions =
        policy(new Kinds(KindSet.of(7), KindSet.NONE), Authors.EVERYBODY);
    try (ManagedRelay relay = new ManagedRelay(onlyReactions);
        Client client = relay.relay.connect()) {
      relay.call("allowkind", 1);
      client.publishAccepted(note(relay, ALICE, "x"));
      assertThat(relay.call("listallowedkinds").toString()).isEqualTo("[1,7]");
      relay.call("disallowkind", 7);
      assertThat(client.answerTo(ALICE.sign(relay.relay.now(), 7, Tags.NONE, "+")))
          .startsWith("blocked: ");
    }
  }

  @Test
  void clientsOfABlockedAddressAreDisconnectedAndRefused() throws IOException {
    try (ManagedRelay relay = new ManagedRelay();
        RawSocket blocked = new RawSocket(relay.relay.uri());
        RawSocket other = new RawSocket(relay.relay.uri())) {
      blocked.write(upgradeFrom("198.51.100.7"));
      assertThat(blocked.readHead()).startsWith("HTTP/1.1 101 ");
      other.write(upgradeFrom("198.51.100.8"));
      assertThat(other.readHead()).startsWith("HTTP/1.1 101 ");
      relay.call("blockip", "198.51.100.7", "attack");
      assertThat(blocked.awaitClose()).isEqualTo(1008);
      assertThat(relay.call("listblockedips").toString())
          .isEqualTo("[{\"ip\":\"198.51.100.7\",\"reason\":\"attack\"}]");
      assertThat(handshakeFrom("198.51.100.7", relay)).startsWith("HTTP/1.1 403 ");
      assertThat(handshakeFrom("198.51.100.8", relay)).startsWith("HTTP/1.1 101 ");
      relay.call("unblockip", "198.51.100.7");
      assertThat(handshakeFrom("198.51.100.7", relay)).startsWith("HTTP/1.1 101 ");
      assertThat(other.nextText()).startsWith("[\"AUTH\",");
      assertThat(other.isServed()).isTrue();
    }
  }

  @Test
  void blockOfAnIpv6AddressCoversItsSlash64() throws IOException {
    try (ManagedRelay relay = new ManagedRelay()) {
      relay.call("blockip", "2001:db8:1:2::7");
      assertThat(handshakeFrom("2001:db8:1:2::8", relay)).startsWith("HTTP/1.1 403 ");
      assertThat(handshakeFrom("2001:db8:1:3::7", relay)).startsWith("HTTP/1.1 101 ");
      relay.call("unblockip", "2001:db8:1:2:0:0:0:0/64");
      assertThat(relay.call("listblockedips")).isEmpty();
    }
  }

  @Test
  void addressOfThisMachineCannotBeBlocked() {
    try (ManagedRelay relay = new ManagedRelay()) {
      assertThat(relay.error("blockip", "127.0.0.1")).startsWith("this machine");
      assertThat(relay.error("blockip", "::1")).startsWith("this machine");
    }
  }

  @Test
  void callersOwnAddressCannotBeBlocked() {
    try (ManagedRelay relay = new ManagedRelay()) {
      assertThat(relay.error("blockip", "203.0.113.9")).startsWith("it is your own address");
    }
  }

  @Test
  void changedTextsAreInTheInformationDocumentAtOnceAndEmptyOnesRestoreTheSettings() {
    try (ManagedRelay relay = new ManagedRelay()) {
      relay.call("changerelayname", "Another");
      relay.call("changerelaydescription", "A text");
      relay.call("changerelayicon", "https://a.example/i.png");
      JsonNode document = relay.relay.information();
      assertThat(document.get("name").asText()).isEqualTo("Another");
      assertThat(document.get("description").asText()).isEqualTo("A text");
      assertThat(document.get("icon").asText()).isEqualTo("https://a.example/i.png");
      relay.call("changerelayname", "");
      relay.call("changerelayicon", "");
      assertThat(relay.relay.information().get("name").asText()).isEqualTo("Test");
      assertThat(relay.relay.information().has("icon")).isFalse();
      assertThat(relay.error("changerelayicon", "javascript:alert(1)")).contains("URL");
    }
  }

  @Test
  void invalidParametersAreRefusedWithoutAnEffect() {
    String key = "00".repeat(31) + "aa";
    List<String> calls =
        List.of(
            call("banpubkey", "[]"),
            call("banpubkey", "[\"abc\"]"),
            call("banpubkey", "[1]"),
            call("banpubkey", "[null]"),
            call("banpubkey", "[\"" + key.toUpperCase(Locale.ROOT) + "\"]"),
            call("banpubkey", "[\"" + key + "\",1]"),
            call("banpubkey", "[\"" + key + "\",\"a\\nb\"]"),
            call("banpubkey", "[\"" + key + "\",\"" + "x".repeat(501) + "\"]"),
            call("banevent", "[{}]"),
            call("banevent", "[\"\"]"),
            call("allowkind", "[]"),
            call("allowkind", "[\"1\"]"),
            call("allowkind", "[65536]"),
            call("allowkind", "[-1]"),
            call("allowkind", "[1.5]"),
            call("allowkind", "[99999999999]"),
            call("blockip", "[\"localhost\"]"),
            call("blockip", "[\"1.2.3\"]"),
            call("blockip", "[\"1.2.3.4/8\"]"),
            call("blockip", "[\"fe80::1%eth0\"]"),
            call("changerelayname", "[]"),
            call("changerelayname", "[[]]"),
            call("changerelayname", "[\"\\u001b[2J\"]"));
    try (ManagedRelay relay = new ManagedRelay()) {
      for (String body : calls) {
        HttpResponse<String> answer = relay.post(body, header(relay.login(body, TestRelay.URL)));
        assertThat(answer.statusCode()).as(body).isEqualTo(200);
        assertThat(Client.parse(answer.body()).path("error").asText()).as(body).isNotEmpty();
        assertThat(Client.parse(answer.body()).path("result").isNull()).as(body).isTrue();
      }
      assertThat(relay.operator("audit").get("result")).isEmpty();
    }
  }

  private static String call(String method, String params) {
    return "{\"method\":\"" + method + "\",\"params\":" + params + "}";
  }

  @Test
  void bodyThatIsNoCallIsABadRequest() {
    try (ManagedRelay relay = new ManagedRelay()) {
      for (String body :
          List.of(
              "",
              "x",
              "[]",
              "{}",
              "{\"method\":1}",
              call("x", "{}"),
              call("x", "[],\"params\":[]"))) {
        assertThat(relay.post(body, header(relay.login(body, TestRelay.URL))).statusCode())
            .as(body)
            .isEqualTo(400);
      }
    }
  }

  @Test
  void longBodyIsRefused() {
    try (ManagedRelay relay = new ManagedRelay()) {
      String body = body("changerelayname", "x".repeat(8192));
      assertThat(relay.post(body, header(relay.login(body, TestRelay.URL))).statusCode())
          .isEqualTo(413);
    }
  }

  @Test
  void otherMediaTypesAndPathsAreNotAnswered() {
    try (ManagedRelay relay = new ManagedRelay()) {
      String body = body("supportedmethods");
      String login = header(relay.login(body, TestRelay.URL));
      assertThat(AdminCalls.post(relay.url(), "application/json", body, login).statusCode())
          .isEqualTo(405);
      assertThat(AdminCalls.post(relay.url().resolve("/x"), MEDIA_TYPE, body, login).statusCode())
          .isEqualTo(404);
      String type = "Application/Nostr+JSON+RPC; charset=utf-8";
      assertThat(AdminCalls.post(relay.url(), type, body, login).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void pagesOfAllOriginsMaySendRequestsWithALogin() throws Exception {
    try (ManagedRelay relay = new ManagedRelay()) {
      HttpResponse<String> preflight = options(relay.url());
      assertThat(preflight.statusCode()).isEqualTo(204);
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Methods"))
          .contains("GET, HEAD, OPTIONS, POST");
      assertThat(preflight.headers().firstValue("Access-Control-Allow-Headers"))
          .contains("*, Authorization, Content-Type");
      HttpResponse<String> refused = relay.post(body("supportedmethods"), null);
      assertThat(refused.headers().firstValue("Access-Control-Allow-Origin")).contains("*");
    }
    try (ManagedRelay relay = new ManagedRelay(false, false)) {
      assertThat(options(relay.url()).headers().firstValue("Access-Control-Allow-Methods"))
          .contains("GET, HEAD, OPTIONS");
    }
  }

  private static HttpResponse<String> options(URI url) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(url)
                .method("OPTIONS", HttpRequest.BodyPublishers.noBody())
                .build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void requestThatFollowsBeforeTheAnswerClosesTheConnectionAfterIt() throws IOException {
    try (ManagedRelay relay = new ManagedRelay();
        RawSocket raw = new RawSocket(relay.relay.uri())) {
      String body = body("supportedmethods");
      String request =
          "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: "
              + MEDIA_TYPE
              + "\r\nContent-Length: "
              + body.length()
              + "\r\nAuthorization: "
              + header(relay.login(body, TestRelay.URL))
              + "\r\n\r\n"
              + body;
      raw.write(request + "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      String head = raw.readHead();
      assertThat(head).startsWith("HTTP/1.1 200 ").containsIgnoringCase("connection: close");
    }
  }

  @Test
  void switchedOffOnlyTheOperatorManagesTheRelay() {
    try (ManagedRelay relay = new ManagedRelay(false, true);
        Client client = relay.relay.connect()) {
      String body = body("supportedmethods");
      assertThat(relay.post(body, header(relay.login(body, TestRelay.URL))).statusCode())
          .isEqualTo(405);
      assertThat(relay.relay.information().get("supported_nips").toString())
          .contains(",56,")
          .doesNotContain("86");
      relay.operator("banpubkey", ALICE_HEX);
      assertThat(client.answerTo(note(relay, ALICE, "banned"))).startsWith("blocked: ");
    }
  }

  @Test
  void withoutReportsNothingListsThem() {
    try (ManagedRelay relay = new ManagedRelay(true, false)) {
      assertThat(relay.error("listeventsneedingmoderation")).contains("does not support");
      assertThat(relay.operator("reports").get("error").asText()).contains("nips.56");
      assertThat(relay.relay.information().get("supported_nips").toString()).doesNotContain("56");
    }
  }

  private static Event note(ManagedRelay relay, Signer author, String text) {
    return author.sign(relay.relay.now(), 1, Tags.NONE, text);
  }

  private static AdmissionPolicy policy(Kinds kinds, Authors authors) {
    return new AdmissionPolicy(kinds, authors, 0, List.of(), Writers.EVERYBODY);
  }

  private static List<String> texts(JsonNode list, String field) {
    return StreamSupport.stream(list.spliterator(), false)
        .map(it -> it.get(field).asText())
        .toList();
  }

  private static String upgradeFrom(String address) {
    return RawSocket.upgradeWith("X-Forwarded-For: " + address);
  }

  private static String handshakeFrom(String address, ManagedRelay relay) throws IOException {
    try (RawSocket raw = new RawSocket(relay.relay.uri())) {
      raw.write(upgradeFrom(address));
      return raw.readHead();
    }
  }
}
