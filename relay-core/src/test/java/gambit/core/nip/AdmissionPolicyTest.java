package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.limit.Limits;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.store.MemoryEventStore;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
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
    AdmissionPolicy policy = new AdmissionPolicy(Set.of(1), Set.of(), Set.of(), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 0, 7)).isEqualTo(KIND);
  }

  @Test
  void refusedKindsAreRejectedAndOthersAccepted() {
    AdmissionPolicy policy = new AdmissionPolicy(Set.of(), Set.of(7), Set.of(), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 0, 7)).isEqualTo(KIND);
  }

  @Test
  void onlyListedAuthorsAreAccepted() {
    AdmissionPolicy policy =
        new AdmissionPolicy(Set.of(), Set.of(), Set.of(ALICE.pubkey()), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, BOB, 0, 1)).isEqualTo(AUTHOR);
  }

  @Test
  void refusedAuthorsAreRejectedAndOthersAccepted() {
    AdmissionPolicy policy =
        new AdmissionPolicy(Set.of(), Set.of(), Set.of(), Set.of(BOB.pubkey()), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, BOB, 0, 1)).isEqualTo(AUTHOR);
  }

  @Test
  void tooOldEventsAreRejected() {
    AdmissionPolicy policy = new AdmissionPolicy(Set.of(), Set.of(), Set.of(), Set.of(), 60);
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
        limitation(new AdmissionPolicy(Set.of(), Set.of(), Set.of(ALICE.pubkey()), Set.of(), 60));
    assertThat(closed.get("restricted_writes").asBoolean()).isTrue();
    assertThat(closed.get("created_at_lower_limit").asInt()).isEqualTo(60);
  }

  /** NIP-62: "regardless of the user's status". */
  @Test
  void refusedAuthorsMayRequestToVanish() {
    Set<PubKey> bob = Set.of(BOB.pubkey());
    Set<PubKey> alice = Set.of(ALICE.pubkey());
    for (AdmissionPolicy policy :
        List.of(
            new AdmissionPolicy(Set.of(), Set.of(), Set.of(), bob, 0),
            new AdmissionPolicy(Set.of(), Set.of(), alice, Set.of(), 0),
            new AdmissionPolicy(Set.of(1), Set.of(), Set.of(), Set.of(), 0),
            new AdmissionPolicy(Set.of(), Set.of(), Set.of(), Set.of(), 60))) {
      MemoryEventStore store = new MemoryEventStore(1 << 20);
      try (TestRelay before = new TestRelay(Limits.DEFAULT, store);
          Client client = before.connect()) {
        client.publishAccepted(
            BOB.sign(before.now() - 200, 1, Tags.NONE, "written before the policy"));
      }
      try (TestRelay relay = new TestRelay(Limits.DEFAULT, store, policy);
          Client client = relay.connect()) {
        Tags here = new Tags(List.of(List.of("relay", TestRelay.URL)));
        client.publishAccepted(BOB.sign(relay.now() - 100, 62, here, ""));
        assertThat(client.queryIds("{\"kinds\":[1]}")).isEmpty();
      }
    }
  }

  @Test
  void requestsToVanishAreRejectedWhereTheirKindIsRefused() {
    AdmissionPolicy policy = new AdmissionPolicy(Set.of(), Set.of(62), Set.of(), Set.of(), 0);
    Tags here = new Tags(List.of(List.of("relay", TestRelay.URL)));
    try (TestRelay relay = new TestRelay(policy);
        Client client = relay.connect()) {
      Event note = client.publishAccepted(BOB.sign(relay.now() - 100, 1, Tags.NONE, "note"));
      assertThat(client.answerTo(BOB.sign(relay.now(), 62, here, "")))
          .isEqualTo("blocked: kind 62 is not taken here");
      assertThat(client.queryIds("{\"kinds\":[1]}")).containsExactly(note.id().hex());
    }
  }

  @Test
  void policiesDoNotOverwriteEachOthersDescriptions() {
    AdmissionPolicy policy = new AdmissionPolicy(Set.of(), Set.of(7), Set.of(), Set.of(), 0);
    try (TestRelay relay = new TestRelay(new StandardNips(Set.of(), true, 20), policy)) {
      JsonNode limitation = relay.information().get("limitation");
      assertThat(limitation.get("restricted_writes").asBoolean()).isTrue();
    }
  }

  private static String answer(AdmissionPolicy policy, Signer author, int age, int kind) {
    try (TestRelay relay = new TestRelay(policy);
        Client client = relay.connect()) {
      return client.answerTo(author.sign(relay.now() - age, kind, Tags.NONE, "hi"));
    }
  }

  private static JsonNode limitation(AdmissionPolicy policy) {
    try (TestRelay relay = new TestRelay(policy)) {
      return relay.information().get("limitation");
    }
  }
}
