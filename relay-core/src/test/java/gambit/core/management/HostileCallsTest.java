package gambit.core.management;

import static gambit.core.management.ManagedRelay.body;
import static gambit.core.testkit.AdminCalls.ADMIN;
import static gambit.core.testkit.AdminCalls.MEDIA_TYPE;
import static gambit.core.testkit.AdminCalls.header;
import static gambit.core.testkit.AdminCalls.login;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Calls of management by who wants more than is theirs, over sockets. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class HostileCallsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final Signer PAGE = Keys.of("page");

  private static ManagedRelay relay() {
    return new ManagedRelay(new MemoryEventStore(64 << 20));
  }

  /** Nor does a damaged copy, which whoever sees the login may send first, use it up. */
  @Test
  void noByteOfALoginCanBeChanged() {
    String call = body("whoami");
    try (ManagedRelay relay = relay()) {
      String login = login(ADMIN, relay.relay.now(), TestRelay.URL, call).toString();
      for (int i = 0; i < login.length(); i += TestEffort.of(7, 1)) {
        byte[] changed = login.getBytes(StandardCharsets.UTF_8);
        changed[i] ^= 1;
        String header = "Nostr " + Base64.getEncoder().encodeToString(changed);
        assertThat(relay.post(call, header).statusCode()).as("byte " + i).isEqualTo(401);
      }
      String header = "Nostr " + Base64.getEncoder().encodeToString(login.getBytes());
      assertThat(relay.post(body("audit"), header).statusCode()).isEqualTo(401);
      assertThat(relay.post(call, header).statusCode()).isEqualTo(200);
      assertThat(relay.post(call, header).statusCode()).isEqualTo(401);
    }
  }

  @Test
  void callSignedByASessionIsRefusedOnceTheSessionIsClosed() {
    String call = body("banpubkey", BOB.pubkey().hex());
    try (ManagedRelay relay = relay()) {
      relay.call("opensession", PAGE.pubkey().hex());
      String signedBefore = header(login(PAGE, relay.relay.now(), TestRelay.URL, call));
      String closing = body("closesession");
      String ofThePage = header(login(PAGE, relay.relay.now(), TestRelay.URL, closing));
      assertThat(relay.post(closing, ofThePage).statusCode()).isEqualTo(200);
      assertThat(relay.post(call, signedBefore).statusCode()).isEqualTo(403);
      assertThat(relay.post(closing, ofThePage).statusCode()).isEqualTo(403);
      relay.call("opensession", PAGE.pubkey().hex());
      assertThat(relay.post(closing, ofThePage).statusCode()).isEqualTo(401);
      assertThat(relay.call("listbannedpubkeys")).isEmpty();
    }
  }

  @Test
  void sessionForTheKeyOfAnotherTakesNoRightsThatTheyGet() {
    try (ManagedRelay relay = relay()) {
      moderator(relay, ALICE, "banpubkey");
      relay.callBy(ALICE, "opensession", BOB.pubkey().hex());
      relay.callBy(ALICE, "opensession", CAROL.pubkey().hex());
      relay.callBy(BOB, "claimadmin", relay.call("adminlink").get("code").asText());
      relay.call("assignrole", CAROL.pubkey().hex(), "admin");
      for (Signer admin : List.of(BOB, CAROL)) {
        JsonNode who = relay.callBy(admin, "whoami");
        assertThat(who.get("pubkey").asText()).isEqualTo(admin.pubkey().hex());
        assertThat(who.get("admin").asBoolean()).isTrue();
      }
      assertThat(relay.callBy(ALICE, "whoami").get("admin").asBoolean()).isFalse();
    }
  }

  @Test
  void moderatorWithEveryMethodOfRolesIsStillNoAdmin() {
    try (ManagedRelay relay = relay()) {
      moderator(relay, ALICE, texts(relay.call("rolemethods")).toArray(String[]::new));
      relay.call("assignrole", BOB.pubkey().hex(), "moderator");
      relay.callBy(ALICE, "opensession", PAGE.pubkey().hex());
      JsonNode before = relay.callBy(ALICE, "whoami");
      JsonNode members = relay.call("listmembers");
      Set<String> forbidden = new TreeSet<>(texts(relay.call("supportedmethods")));
      forbidden.removeAll(texts(before.get("methods")));
      assertThat(forbidden).contains("adminlink", "assignrole", "audit", "createrole", "editrole");
      String alice = ALICE.pubkey().hex();
      for (Signer signer : List.of(ALICE, PAGE)) {
        for (String method : forbidden) {
          String call = body(method, alice, "admin");
          assertThat(AdminCalls.call(relay.relay, signer, call).statusCode())
              .as(method)
              .isEqualTo(403);
        }
        for (String key : List.of(ADMIN.pubkey().hex(), BOB.pubkey().hex(), alice)) {
          for (String method : List.of("banpubkey", "removemember", "addmember")) {
            assertThat(relay.errorOf(signer, method, key)).as(method).isNotEmpty();
          }
        }
      }
      assertThat(relay.call("listmembers")).isEqualTo(members);
      assertThat(relay.callBy(ALICE, "whoami")).isEqualTo(before);
      assertThat(relay.call("listbannedpubkeys")).isEmpty();
    }
  }

  @Test
  void moderatorCannotBlockTheAddressOfAnAdmin() {
    try (ManagedRelay relay = new ManagedRelay(AdmissionPolicy.EVERYTHING)) {
      moderator(relay, ALICE, "blockip");
      assertThat(from(relay, "198.51.100.7", ALICE, "blockip", AdminCalls.ADDRESS))
          .contains("an admin calls from this address");
      assertThat(from(relay, "198.51.100.7", ALICE, "blockip", "198.51.100.9"))
          .contains("\"result\":true");
      relay.call("whoami");
    }
  }

  @Test
  void codesGuessedAtOneAddressKeepNobodyElseFromClaiming() {
    try (ManagedRelay relay = new ManagedRelay(AdmissionPolicy.EVERYTHING)) {
      String code = relay.call("adminlink").get("code").asText();
      List<CompletableFuture<Integer>> guesses = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        String guess = body("claimadmin", "guess" + i);
        String login = header(login(BOB, relay.relay.now(), TestRelay.URL, guess));
        guesses.add(
            AdminCalls.post(relay.url(), MEDIA_TYPE, guess, login, "198.51.100.7")
                .thenApply(HttpResponse::statusCode));
      }
      assertThat(from(relay, "198.51.100.8", ALICE, "claimadmin", code))
          .contains("\"result\":true");
      List<Integer> answers = guesses.stream().map(CompletableFuture::join).toList();
      assertThat(answers).containsOnly(403, 429);
      assertThat(answers.stream().filter(it -> it == 403).count()).isBetween(10L, 20L);
      assertThat(relay.callBy(ALICE, "whoami").get("admin").asBoolean()).isTrue();
    }
  }

  @Test
  void deepAndRepeatedJsonIsRefusedAndHasNoEffect() {
    try (ManagedRelay relay = relay()) {
      String ban = "\"method\":\"banpubkey\",\"params\":[\"" + BOB.pubkey() + "\"]";
      for (String call :
          List.of(
              "[".repeat(8_000),
              "{\"method\":\"whoami\",\"params\":" + "[".repeat(3_000) + "]".repeat(3_000) + "}",
              "{" + ban + ",\"method\":\"banpubkey\"}",
              "{" + ban + ",\"params\":[]}",
              "{" + ban + ",\"x\":{\"a\":1,\"a\":2}}")) {
        assertThat(AdminCalls.call(relay.relay, ADMIN, call).statusCode())
            .as(call.substring(0, 60))
            .isEqualTo(400);
      }
      assertThat(relay.call("listbannedpubkeys")).isEmpty();
    }
  }

  @Test
  void manyCallsAtOnceAndBodiesThatNeverEndLeaveRoomForOthers() throws Exception {
    List<RawSocket> slow = new ArrayList<>();
    try (ManagedRelay relay = relay();
        Client client = relay.relay.connect()) {
      for (int i = 0; i < TestEffort.of(100, 1_000); i++) {
        RawSocket socket = new RawSocket(relay.relay.uri());
        slow.add(socket);
        socket.write(
            "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: "
                + MEDIA_TYPE
                + "\r\nContent-Length: 8000\r\n\r\n{");
      }
      relay.call("assignrole", ALICE.pubkey().hex(), "admin");
      String call = body("changerelayname", "flood");
      List<CompletableFuture<Integer>> flood =
          IntStream.range(0, TestEffort.of(300, 1_000))
              .mapToObj(i -> header(login(ALICE, relay.relay.now(), TestRelay.URL, call)))
              .map(it -> AdminCalls.post(relay.url(), MEDIA_TYPE, call, it, AdminCalls.ADDRESS))
              .map(it -> it.thenApply(HttpResponse::statusCode))
              .toList();
      client.publishAccepted(BOB.sign(relay.relay.now(), 1, Tags.NONE, "hello"));
      assertThat(relay.call("whoami").get("admin").asBoolean()).isTrue();
      assertThat(flood.stream().map(CompletableFuture::join).collect(Collectors.toSet()))
          .isSubsetOf(200, 503, 408) // a busy machine may take too long to send one
          .contains(200);
      assertThat(relay.relay.information().get("name").asText()).isEqualTo("flood");
    } finally {
      for (RawSocket socket : slow) {
        socket.close();
      }
    }
  }

  /** The answer to a call from an address. */
  private static String from(
      ManagedRelay relay, String address, Signer signer, String method, Object... params) {
    String call = body(method, params);
    String login = header(login(signer, relay.relay.now(), TestRelay.URL, call));
    return AdminCalls.post(relay.url(), MEDIA_TYPE, call, login, address).join().body();
  }

  private static void moderator(ManagedRelay relay, Signer key, String... methods) {
    List<String> quoted = Stream.of(methods).map(it -> "\"" + it + "\"").toList();
    relay.call("createrole", "moderator", "Moderator", "", "", 1, quoted);
    relay.call("assignrole", key.pubkey().hex(), "moderator");
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
