package gambit.core.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.management.Members.Member;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.store.EventStore;
import gambit.core.store.Transaction;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.ErrorLog;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Joining, leaving and the relay's events on its members; the messages are in frames/nip43. */
@Execution(ExecutionMode.CONCURRENT) // they mostly wait
class JoinRequestsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String ADMIN = AdminCalls.ADMIN.pubkey().hex();
  private static final String INVALID = "restricted: this invite code is invalid";
  private static final String WELCOME = "info: welcome";

  private static ManagedRelay forMembers(EventStore store) {
    ManagedRelay relay = new ManagedRelay(store);
    restrict(relay, new MemberPolicy(true, false));
    return relay;
  }

  /** Changes the policy as a reload does, and waits until the events agree with it. */
  private static void restrict(ManagedRelay relay, MemberPolicy policy) {
    relay.policies.change(policy);
    relay.management.change(Set.of(AdminCalls.ADMIN.pubkey()));
    relay.operator("whoami"); // after it, on the same lane
  }

  private static Event join(ManagedRelay relay, Signer key, String code) {
    return key.sign(
        relay.relay.now(), 28_934, new Tags(List.of(List.of("claim", code))), "" + Math.random());
  }

  private static Event leave(ManagedRelay relay, Signer key) {
    return key.sign(relay.relay.now(), 28_936, new Tags(List.of(List.of("-"))), "");
  }

  private static String invite(ManagedRelay relay, int uses) {
    return relay.call("createinvite", uses, 24, "").get("code").asText();
  }

  /** The tags of the relay's events of a kind. */
  private static List<List<List<String>>> published(ManagedRelay relay, int kind) {
    try (Client client = relay.relay.connect()) {
      client.send(
          "[\"REQ\",\"q\",{\"kinds\":["
              + kind
              + "],\"authors\":[\""
              + relay.relay.signer().pubkey()
              + "\"]}]");
      List<List<List<String>>> all = new ArrayList<>();
      for (JsonNode frame : client.until("EOSE")) {
        if (frame.get(0).asText().equals("EVENT")) {
          assertThat(frame.get(2).get("created_at").asLong())
              .isLessThanOrEqualTo(relay.relay.now() + 60);
          all.add(tags(frame.get(2).get("tags")));
        }
      }
      return all;
    }
  }

  private static List<List<String>> tags(JsonNode tags) {
    return StreamSupport.stream(tags.spliterator(), false)
        .map(tag -> StreamSupport.stream(tag.spliterator(), false).map(JsonNode::asText).toList())
        .toList();
  }

  /** The members of the list, with their roles. */
  private static Map<String, Set<String>> listed(ManagedRelay relay) {
    Map<String, Set<String>> members = new TreeMap<>();
    for (List<List<String>> tags : published(relay, 13_534)) {
      assertThat(tags.get(0)).containsExactly("-");
      tags.subList(1, tags.size())
          .forEach(tag -> members.put(tag.get(1), new TreeSet<>(tag.subList(2, tag.size()))));
    }
    return members;
  }

  @Test
  void eventsAgreeWithTheMembersAfterEachReloadAndEachStart() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (ManagedRelay relay = new ManagedRelay(store)) {
      relay.call("addmember", ALICE.pubkey().hex());
      relay.call("createrole", "king", "King");
      assertThat(listed(relay)).isEmpty();
      restrict(relay, new MemberPolicy(false, true));
      relay.policies.change(new MemberPolicy(true, false)); // everybody may read the list
      assertThat(listed(relay)).containsOnlyKeys(ADMIN, ALICE.pubkey().hex());
      assertThat(published(relay, 33_534)).hasSize(2);
      restrict(relay, MemberPolicy.OFF);
      assertThat(listed(relay)).isEmpty();
      assertThat(published(relay, 33_534)).isEmpty();
      relay.call("addmember", BOB.pubkey().hex());
    }
    try (ManagedRelay relay = forMembers(store)) {
      assertThat(listed(relay)).containsOnlyKeys(ADMIN, ALICE.pubkey().hex(), BOB.pubkey().hex());
      relay.policies.change(MemberPolicy.OFF); // as in a configuration that the next start reads
    }
    try (ManagedRelay relay = new ManagedRelay(store)) {
      await().untilAsserted(() -> assertThat(listed(relay)).isEmpty());
    }
  }

  /** The list that a relay kept in its store, such as one that was killed, is not believed. */
  @Test
  void listThatDiffersFromTheMembersIsReplacedAtTheStart() {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    try (ManagedRelay relay = forMembers(store)) {
      relay.call("addmember", ALICE.pubkey().hex());
      assertThat(listed(relay)).containsOnlyKeys(ADMIN, ALICE.pubkey().hex());
      relay.policies.change(MemberPolicy.OFF);
      relay.call("removemember", ALICE.pubkey().hex());
      assertThat(listed(relay)).containsOnlyKeys(ADMIN, ALICE.pubkey().hex());
    }
    try (ManagedRelay relay = forMembers(store)) {
      assertThat(listed(relay)).containsOnlyKeys(ADMIN);
    }
  }

  @Test
  void adminsAndTheNewestMembersAreListedOfManyMembers() throws Exception {
    MemoryEventStore store = new MemoryEventStore(64 << 20);
    RowMap<String, Member> rows = new Members(Set.of(), Map.of()).members;
    int members = MemberEvents.MAX_LISTED + 100;
    try (Transaction transaction = store.begin()) {
      for (int i = 0; i < members; i++) {
        List<String> roles = i == 0 ? List.of(Members.ADMIN) : List.of();
        String key = "%064x".formatted(i);
        var row = rows.change(key, new Member(roles, 1000 + i, "operator", "")).row();
        transaction.putRow(row.table(), row.key(), row.value());
      }
      transaction.commit();
    }
    try (ManagedRelay relay = forMembers(store)) {
      List<List<String>> tags = published(relay, 13_534).get(0);
      assertThat(tags).hasSize(1 + MemberEvents.MAX_LISTED);
      assertThat(tags.subList(1, 3))
          .containsExactlyInAnyOrder(
              List.of("member", "%064x".formatted(0), "admin"), List.of("member", ADMIN, "admin"));
      assertThat(tags.get(3)).containsExactly("member", "%064x".formatted(members - 1));
    }
  }

  /** Dates of the list stay near the present; what was not listed at once is listed soon. */
  @Test
  void memberWhoGoesAndComesBackInOneSecondIsAMember() {
    try (ManagedRelay relay = forMembers(new MemoryEventStore(64 << 20))) {
      String key = Keys.of("bob").pubkey().hex();
      relay.call("addmember", key);
      relay.call("removemember", key);
      relay.call("addmember", key);
      relay.call("removemember", key);
      assertThat(relay.call("listmembers").findValuesAsText("pubkey")).doesNotContain(key);
    }
  }

  @Test
  void manyChangesInOneSecondAreAllListedWithinTenSeconds() {
    try (ManagedRelay relay = forMembers(new MemoryEventStore(64 << 20))) {
      for (int i = 0; i < 70; i++) {
        relay.call("addmember", "%064x".formatted(i));
      }
      assertThat(listed(relay)).hasSize(61);
      relay.relay.time().advance(Duration.ofSeconds(10));
      relay.operator("whoami");
      assertThat(listed(relay)).hasSize(71);
    }
  }

  @Test
  void joinWhoseCommitFailsIsNoWelcomeAndLeavesTheCodeAsItWas() throws Exception {
    FaultyStore store = new FaultyStore();
    try (ManagedRelay relay = forMembers(store);
        Client client = relay.relay.connect();
        ErrorLog log = ErrorLog.capture()) {
      String code = invite(relay, 1);
      store.setRowsFail(true);
      assertThat(client.answerTo(join(relay, BOB, code))).startsWith("error: ");
      assertThat(relay.management.members().isMember(BOB.pubkey())).isFalse();
      Client admin = client.login(relay.relay.now(), AdminCalls.ADMIN);
      admin.send("[\"REQ\",\"q\",{\"kinds\":[28935]}]");
      assertThat(admin.next()).isEqualTo("[\"EOSE\",\"q\"]");
      store.setRowsFail(false);
      assertThat(client.answerTo(join(relay, BOB, code))).isEqualTo(WELCOME);
      assertThat(listed(relay)).containsOnlyKeys(ADMIN, BOB.pubkey().hex());
      assertThat(log.messages()).isNotEmpty();
    }
  }

  @Test
  void lastUseOfACodeIsOnesOnlyHoweverManyAskAtOnce() {
    try (ManagedRelay relay = forMembers(new MemoryEventStore(64 << 20));
        Client client = relay.relay.connect()) {
      String code = invite(relay, 3);
      int asking = 15;
      for (int i = 0; i < asking; i++) {
        client.publishWithoutWaiting(join(relay, Keys.of("joiner " + i), code));
      }
      List<String> answers =
          IntStream.range(0, asking).mapToObj(i -> client.nextJson().get(3).asText()).toList();
      assertThat(answers).filteredOn(WELCOME::equals).hasSize(3);
      assertThat(answers)
          .filteredOn("restricted: this invite code was used up"::equals)
          .hasSize(asking - 3);
      assertThat(relay.call("listinvites").get(0).get("left").asInt()).isZero();
    }
  }

  @Test
  void codesCanBeGuessedTwentyTimesAMinuteFromAnAddress() {
    try (ManagedRelay relay = new ManagedRelay();
        Client guesser = from(relay, "203.0.113.7");
        Client other = from(relay, "203.0.113.8")) {
      for (int i = 0; i < 20; i++) {
        assertThat(guesser.answerTo(join(relay, BOB, "guess " + i))).isEqualTo(INVALID);
      }
      String code = invite(relay, 2);
      assertThat(guesser.answerTo(join(relay, BOB, code))).startsWith("rate-limited: slow down");
      assertThat(other.answerTo(join(relay, ALICE, code))).isEqualTo(WELCOME);
      relay.relay.time().advance(Duration.ofSeconds(3));
      assertThat(guesser.answerTo(join(relay, BOB, code))).isEqualTo(WELCOME);
    }
  }

  private static Client from(ManagedRelay relay, String address) {
    return new Client(relay.relay.uri(), Map.of("X-Forwarded-For", address));
  }

  @Test
  void lastAdminStaysUntilThereIsAnother() {
    try (ManagedRelay relay = ManagedRelay.withoutAdmin(new MemoryEventStore(64 << 20));
        Client client = relay.relay.connect().login(relay.relay.now(), ALICE)) {
      String code = relay.operator("adminlink").get("result").get("code").asText();
      relay.callBy(ALICE, "claimadmin", code);
      assertThat(client.answerTo(leave(relay, ALICE)))
          .isEqualTo("restricted: you are the last admin: make another one first");
      relay.callBy(ALICE, "assignrole", BOB.pubkey().hex(), "admin");
      assertThat(client.answerTo(leave(relay, ALICE))).isEqualTo("info: you have left");
      assertThat(relay.errorOf(ALICE, "whoami")).isEqualTo("this key has no rights here");
    }
  }

  /** Random changes, each of which the list shows as a plain map of members does. */
  @Test
  void listShowsWhatAMapOfMembersShows() {
    Random random = new Random(43);
    Map<String, Set<String>> model = new HashMap<>(Map.of(ADMIN, Set.of("admin")));
    try (ManagedRelay relay = forMembers(new MemoryEventStore(64 << 20));
        Client client = relay.relay.connect()) {
      List<Signer> people = IntStream.range(0, 5).mapToObj(i -> Keys.of("person " + i)).toList();
      client.login(relay.relay.now(), people.toArray(Signer[]::new));
      relay.call("createrole", "king", "King");
      String code = invite(relay, 1000);
      for (int i = 0; i < 30; i++) {
        relay.relay.time().advance(Duration.ofSeconds(3));
        Signer person = people.get(random.nextInt(people.size()));
        String key = person.pubkey().hex();
        Set<String> roles = model.get(key);
        switch (random.nextInt(6)) {
          case 0 -> {
            if (relay.error("addmember", key).isEmpty()) {
              model.put(key, new TreeSet<>());
            }
          }
          case 1 -> {
            if (relay.error("removemember", key).isEmpty()) {
              model.remove(key);
            }
          }
          case 2 -> {
            relay.call("assignrole", key, "king");
            model.put(key, new TreeSet<>(Set.of("king")));
          }
          case 3 -> {
            if (relay.error("unassignrole", key, "king").isEmpty() && roles != null) {
              roles.clear();
            }
          }
          case 4 -> {
            assertThat(client.answerTo(join(relay, person, code)))
                .isEqualTo(roles == null ? WELCOME : "duplicate: you are a member already");
            model.putIfAbsent(key, new TreeSet<>());
          }
          default -> {
            assertThat(client.answerTo(leave(relay, person)))
                .isEqualTo(
                    roles == null ? "duplicate: you are not a member" : "info: you have left");
            model.remove(key);
          }
        }
        assertThat(listed(relay)).as("after change " + i).isEqualTo(model);
        for (Signer each : people) {
          PubKey pubkey = each.pubkey();
          assertThat(relay.management.members().isMember(pubkey))
              .isEqualTo(model.containsKey(pubkey.hex()));
        }
      }
    }
  }
}
