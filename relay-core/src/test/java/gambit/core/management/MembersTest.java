package gambit.core.management;

import static gambit.core.management.ManagedRelay.body;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The first admin, roles, sessions and invites, by calls over sockets. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class MembersTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final Signer PAGE = Keys.of("page");

  @Test
  void firstWhoOpensTheLinkIsAdminAlsoAfterARestart() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(store)) {
      assertThat(relay.management.needsAdmin()).isTrue();
      String code = link(relay);
      relay.callBy(ALICE, "claimadmin", code);
      assertThat(relay.errorOf(BOB, "claimadmin", code)).startsWith("this link was used");
      assertThat(relay.management.needsAdmin()).isFalse();
      assertThat(relay.callBy(ALICE, "audit", 1).get(0).get("action").asText())
          .isEqualTo("claimadmin");
    }
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(store)) {
      assertThat(relay.callBy(ALICE, "whoami").get("admin").asBoolean()).isTrue();
      assertThat(relay.errorOf(BOB, "whoami")).isEqualTo("this key has no rights here");
    }
  }

  @Test
  void linkEndsAfterAnHour() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    String code;
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(store)) {
      code = link(relay);
    }
    try (ManagedRelay later = new ManagedRelay(store, TestTime.START.plus(Duration.ofHours(1)))) {
      assertThat(later.errorOf(ALICE, "claimadmin", code)).startsWith("this link was used");
    }
  }

  @Test
  void ofManyWhoRaceForOneLinkOneIsAdmin() {
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(new MemoryEventStore(64 << 20))) {
      String code = link(relay);
      List<CompletableFuture<Boolean>> races =
          IntStream.range(0, 8)
              .mapToObj(
                  i ->
                      CompletableFuture.supplyAsync(
                          () -> relay.errorOf(Keys.of("racer" + i), "claimadmin", code).isEmpty()))
              .toList();
      assertThat(races.stream().map(CompletableFuture::join).filter(it -> it)).hasSize(1);
      assertThat(relay.operator("listmembers").get("result")).hasSize(1);
    }
  }

  @Test
  void codesThatAreGuessedAreRefusedWithoutEndAndTooManyAtOnce() {
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(new MemoryEventStore(64 << 20))) {
      String code = link(relay);
      for (int i = 0; i < 10; i++) {
        assertThat(relay.errorOf(BOB, "claimadmin", "guess" + i)).startsWith("this link was used");
      }
      assertThat(relay.errorOf(BOB, "claimadmin", "guess")).startsWith("too many codes");
      relay.callBy(ALICE, "claimadmin", code); // from the same address
    }
  }

  @Test
  void sessionActsForItsOwnerUntilItEnds() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (ManagedRelay relay = new ManagedRelay(store)) {
      assertThat(relay.errorOf(PAGE, "whoami")).isEqualTo("this key has no rights here");
      relay.call("opensession", PAGE.pubkey().hex());
      JsonNode who = relay.callBy(PAGE, "whoami");
      assertThat(who.get("pubkey").asText()).isEqualTo(AdminCalls.ADMIN.pubkey().hex());
      assertThat(who.get("until").asLong()).isEqualTo(relay.relay.now() + 12 * 3600);
      assertThat(relay.errorOf(PAGE, "opensession", BOB.pubkey().hex()))
          .startsWith("a session cannot open another one");
      relay.callBy(PAGE, "banpubkey", BOB.pubkey().hex());
      relay.callBy(PAGE, "closesession");
      assertThat(relay.errorOf(PAGE, "whoami")).isEqualTo("this key has no rights here");
      relay.call("opensession", PAGE.pubkey().hex());
    }
    try (ManagedRelay later = new ManagedRelay(store, TestTime.START.plus(Duration.ofHours(13)))) {
      assertThat(later.errorOf(PAGE, "whoami")).isEqualTo("this key has no rights here");
    }
  }

  @Test
  void sessionOfWhoIsNoLongerAdminHasNoRights() {
    try (ManagedRelay relay = new ManagedRelay(new MemoryEventStore(64 << 20))) {
      relay.call("assignrole", ALICE.pubkey().hex(), "admin");
      relay.callBy(ALICE, "opensession", PAGE.pubkey().hex());
      relay.callBy(PAGE, "listbannedpubkeys");
      relay.call("unassignrole", ALICE.pubkey().hex(), "admin");
      assertThat(relay.errorOf(PAGE, "listbannedpubkeys")).isEqualTo("this key has no rights here");
    }
  }

  @Test
  void moderatorMayCallWhatTheRoleListsAndNothingElse() {
    try (ManagedRelay relay = new ManagedRelay(new MemoryEventStore(64 << 20))) {
      relay.call("createrole", "guard", "Guard", "", "", 1, List.of("\"banpubkey\""));
      relay.call("assignrole", ALICE.pubkey().hex(), "guard");
      relay.callBy(ALICE, "banpubkey", BOB.pubkey().hex());
      assertThat(texts(relay.callBy(ALICE, "supportedmethods")))
          .containsExactlyInAnyOrder(
              "banpubkey",
              "closesession",
              "listroles",
              "opensession",
              "rolemethods",
              "supportedmethods",
              "whoami");
      for (JsonNode method : relay.call("supportedmethods")) {
        if (!texts(relay.callBy(ALICE, "supportedmethods")).contains(method.asText())) {
          assertThat(AdminCalls.call(relay.relay, ALICE, body(method.asText())).statusCode())
              .as(method.asText())
              .isEqualTo(403);
        }
      }
      assertThat(relay.errorOf(ALICE, "banpubkey", AdminCalls.ADMIN.pubkey().hex()))
          .startsWith("this is the key of an admin");
      relay.call("banpubkey", ALICE.pubkey().hex());
      relay.call("editrole", "guard", "Guard", "", "", 1, List.of("\"unbanpubkey\""));
      assertThat(relay.errorOf(ALICE, "unbanpubkey", ALICE.pubkey().hex()))
          .startsWith("this is your own key");
      relay.call("editrole", "guard", "Guard", "", "", 1, List.of("\"banpubkey\""));
      relay.call("assignrole", CAROL.pubkey().hex(), "guard");
      assertThat(relay.errorOf(ALICE, "banpubkey", CAROL.pubkey().hex()))
          .isEqualTo("this key has a role: only an admin can do that");
      relay.call("editrole", "guard", "Guard", "", "", 1, List.of("\"listbannedpubkeys\""));
      assertThat(relay.errorOf(ALICE, "banpubkey", BOB.pubkey().hex()))
          .isEqualTo("your roles do not include banpubkey");
      relay.call("deleterole", "guard");
      assertThat(relay.errorOf(ALICE, "listbannedpubkeys"))
          .isEqualTo("this key has no rights here");
    }
  }

  @Test
  void roleCannotHaveMethodsOfAdmins() {
    try (ManagedRelay relay = new ManagedRelay(new MemoryEventStore(64 << 20))) {
      assertThat(relay.error("createrole", "guard", "", "", "", "", List.of("\"assignrole\"")))
          .startsWith("a role cannot have the method assignrole");
      assertThat(relay.error("createrole", "admin", "", "", "", "")).startsWith("the id of a role");
      assertThat(relay.error("assignrole", ALICE.pubkey().hex(), "nobody"))
          .isEqualTo("there is no role nobody");
    }
  }

  @Test
  void lastAdminStays() {
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(new MemoryEventStore(64 << 20))) {
      relay.callBy(ALICE, "claimadmin", link(relay));
      String alice = ALICE.pubkey().hex();
      assertThat(relay.errorOf(ALICE, "unassignrole", alice, "admin"))
          .startsWith("this is the last");
      assertThat(relay.errorOf(ALICE, "removemember", alice)).startsWith("this is the last admin");
      relay.callBy(ALICE, "assignrole", BOB.pubkey().hex(), "admin");
      relay.callBy(ALICE, "removemember", alice);
      assertThat(relay.errorOf(ALICE, "whoami")).isEqualTo("this key has no rights here");
    }
  }

  @Test
  void membersAndInvitesAreListedUntilTheyAreRemoved() {
    try (ManagedRelay relay = new ManagedRelay(new MemoryEventStore(64 << 20))) {
      relay.call("addmember", BOB.pubkey().hex(), "a friend");
      assertThat(relay.call("listmembers").findValuesAsText("reason"))
          .containsExactlyInAnyOrder("", "a friend");
      relay.call("removemember", BOB.pubkey().hex());
      assertThat(relay.error("removemember", BOB.pubkey().hex())).startsWith("this key is not a");
      String code = relay.call("createinvite", 3, 24, "the club").get("code").asText();
      JsonNode invite = relay.call("listinvites").get(0);
      assertThat(invite.get("left").asInt()).isEqualTo(3);
      assertThat(invite.get("code").asText()).isEqualTo(code);
      relay.call("revokeinvite", code);
      assertThat(relay.call("listinvites")).isEmpty();
    }
  }

  @Test
  void strangersCallsAreRefusedBeforeTheirSignatureIsVerified() {
    try (ManagedRelay relay = new ManagedRelay(new MemoryEventStore(64 << 20))) {
      String answer = AdminCalls.call(relay.relay, BOB, body("whoami")).body();
      assertThat(Client.parse(answer).get("error").asText())
          .isEqualTo("this key has no rights here");
    }
  }

  private static String link(ManagedRelay relay) {
    return relay.operator("adminlink").get("result").get("code").asText();
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }
}
