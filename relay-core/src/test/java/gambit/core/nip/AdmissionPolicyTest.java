package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.nip.AdmissionPolicy.Authors;
import gambit.core.nip.AdmissionPolicy.Kinds;
import gambit.core.nip.AdmissionPolicy.Writers;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The events that an operator's policy accepts. */
class AdmissionPolicyTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String KIND = "blocked: kind 7 is not taken here";
  private static final String AUTHOR = "blocked: events of this author are not taken here";

  @Test
  void onlyListedKindsAreAccepted() {
    AdmissionPolicy policy = policy(KindSet.of(1), KindSet.NONE, Set.of(), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 0, 7)).isEqualTo(KIND);
  }

  @Test
  void refusedKindsAreRejectedAndOthersAccepted() {
    AdmissionPolicy policy = policy(KindSet.NONE, KindSet.of(7), Set.of(), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 0, 7)).isEqualTo(KIND);
  }

  @Test
  void onlyListedAuthorsAreAccepted() {
    AdmissionPolicy policy =
        policy(KindSet.NONE, KindSet.NONE, Set.of(ALICE.pubkey()), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, BOB, 0, 1)).isEqualTo(AUTHOR);
  }

  @Test
  void refusedAuthorsAreRejectedAndOthersAccepted() {
    AdmissionPolicy policy = policy(KindSet.NONE, KindSet.NONE, Set.of(), Set.of(BOB.pubkey()), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, BOB, 0, 1)).isEqualTo(AUTHOR);
  }

  @Test
  void tooOldEventsAreRejected() {
    AdmissionPolicy policy = policy(KindSet.NONE, KindSet.NONE, Set.of(), Set.of(), 60);
    assertThat(answer(policy, ALICE, 60, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 61, 1))
        .isEqualTo("invalid: created_at is too far in the past");
  }

  @Test
  void informationDocumentDescribesThePolicy() {
    JsonNode open = limitation(AdmissionPolicy.EVERYTHING);
    assertThat(open.get("restricted_writes").asBoolean()).isFalse();
    assertThat(open.has("created_at_lower_limit")).isFalse();
    JsonNode closed =
        limitation(policy(KindSet.NONE, KindSet.NONE, Set.of(ALICE.pubkey()), Set.of(), 60));
    assertThat(closed.get("restricted_writes").asBoolean()).isTrue();
    assertThat(closed.get("created_at_lower_limit").asInt()).isEqualTo(60);
  }

  @Test
  void informationDocumentAsksForALoginOnlyIfNothingIsPossibleWithoutOne() {
    ReadPolicy membersOnly = new ReadPolicy(KindSet.ALL, Set.of());
    for (KindSet open : List.of(KindSet.NONE, KindSet.of(7))) {
      AdmissionPolicy logins =
          new AdmissionPolicy(
              Kinds.EVERY, Authors.EVERYBODY, 0, List.of(), new Writers(true, Set.of(), open));
      try (TestRelay relay = new TestRelay(new OperatorPolicies(logins, membersOnly))) {
        JsonNode limitation = relay.information().get("limitation");
        assertThat(limitation.get("auth_required").asBoolean()).isEqualTo(open.isEmpty());
        assertThat(limitation.get("restricted_writes").asBoolean()).isTrue();
      }
    }
  }

  /** NIP-62: "regardless of the user's status". */
  @Test
  void refusedAuthorsMayRequestToVanish() {
    Set<PubKey> bob = Set.of(BOB.pubkey());
    Set<PubKey> alice = Set.of(ALICE.pubkey());
    for (AdmissionPolicy policy :
        List.of(
            policy(KindSet.NONE, KindSet.NONE, Set.of(), bob, 0),
            policy(KindSet.NONE, KindSet.NONE, alice, Set.of(), 0),
            policy(KindSet.of(1), KindSet.NONE, Set.of(), Set.of(), 0),
            policy(KindSet.NONE, KindSet.NONE, Set.of(), Set.of(), 60))) {
      MemoryEventStore store = new MemoryEventStore(1 << 20);
      try (TestRelay before = new TestRelay(LimitValues.DEFAULT, store);
          Client client = before.connect()) {
        client.publishAccepted(
            BOB.sign(before.now() - 200, 1, Tags.NONE, "written before the policy"));
      }
      try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, store, feature(policy));
          Client client = relay.connect()) {
        Tags here = new Tags(List.of(List.of("relay", TestRelay.URL)));
        client.publishAccepted(BOB.sign(relay.now() - 100, 62, here, ""));
        assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
      }
    }
  }

  @Test
  void requestsToVanishAreRejectedWhereTheirKindIsRefused() {
    AdmissionPolicy policy = policy(KindSet.NONE, KindSet.of(62), Set.of(), Set.of(), 0);
    Tags here = new Tags(List.of(List.of("relay", TestRelay.URL)));
    try (TestRelay relay = new TestRelay(feature(policy));
        Client client = relay.connect()) {
      Event note = client.publishAccepted(BOB.sign(relay.now() - 100, 1, Tags.NONE, "note"));
      assertThat(client.answerTo(BOB.sign(relay.now(), 62, here, "")))
          .isEqualTo("blocked: kind 62 is not taken here");
      assertThat(client.queryIds("{\"kinds\":[1]}")).containsExactly(note.id().hex());
    }
  }

  @Test
  void policiesDoNotOverwriteEachOthersDescriptions() {
    AdmissionPolicy policy = policy(KindSet.NONE, KindSet.of(7), Set.of(), Set.of(), 0);
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(), true, 20), feature(policy))) {
      JsonNode limitation = relay.information().get("limitation");
      assertThat(limitation.get("restricted_writes").asBoolean()).isTrue();
    }
  }

  private static AdmissionPolicy policy(
      KindSet kinds,
      KindSet refusedKinds,
      Set<PubKey> authors,
      Set<PubKey> refusedAuthors,
      long maxAge) {
    return new AdmissionPolicy(
        new Kinds(kinds, refusedKinds),
        new Authors(authors, refusedAuthors, Set.of()),
        maxAge,
        List.of(),
        Writers.EVERYBODY);
  }

  private static OperatorPolicies feature(AdmissionPolicy policy) {
    return new OperatorPolicies(policy, ReadPolicy.EVERYTHING);
  }

  private static String answer(AdmissionPolicy policy, Signer author, int age, int kind) {
    try (TestRelay relay = new TestRelay(feature(policy));
        Client client = relay.connect()) {
      return client.answerTo(author.sign(relay.now() - age, kind, Tags.NONE, "hi"));
    }
  }

  private static JsonNode limitation(AdmissionPolicy policy) {
    try (TestRelay relay = new TestRelay(feature(policy))) {
      return relay.information().get("limitation");
    }
  }
}
