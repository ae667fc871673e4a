package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.crypto.Signer;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What an operator's policy lets in. */
class AdmissionTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final String KIND = "blocked: kind 7 is not taken here";
  private static final String AUTHOR = "blocked: events of this author are not taken here";

  @Test
  void onlyTheKindsOnTheListAreTaken() {
    Admission policy = new Admission(Set.of(1), Set.of(), Set.of(), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 0, 7)).isEqualTo(KIND);
  }

  @Test
  void refusedKindsAreNotTakenAndOthersAre() {
    Admission policy = new Admission(Set.of(), Set.of(7), Set.of(), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 0, 7)).isEqualTo(KIND);
  }

  @Test
  void onlyAuthorsOnTheListAreHeard() {
    Admission policy = new Admission(Set.of(), Set.of(), Set.of(ALICE.pubkey()), Set.of(), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, BOB, 0, 1)).isEqualTo(AUTHOR);
  }

  @Test
  void refusedAuthorsAreNotHeardAndOthersAre() {
    Admission policy = new Admission(Set.of(), Set.of(), Set.of(), Set.of(BOB.pubkey()), 0);
    assertThat(answer(policy, ALICE, 0, 1)).isEmpty();
    assertThat(answer(policy, BOB, 0, 1)).isEqualTo(AUTHOR);
  }

  @Test
  void whatIsTooOldIsNotTaken() {
    Admission policy = new Admission(Set.of(), Set.of(), Set.of(), Set.of(), 60);
    assertThat(answer(policy, ALICE, 60, 1)).isEmpty();
    assertThat(answer(policy, ALICE, 61, 1))
        .isEqualTo("invalid: created_at is too far in the past");
  }

  @Test
  void theInformationDocumentTellsOfIt() throws Exception {
    JsonNode open = limitation(Admission.EVERYTHING);
    assertThat(open.get("restricted_writes").asBoolean()).isFalse();
    assertThat(open.has("created_at_lower_limit")).isFalse();
    JsonNode closed =
        limitation(new Admission(Set.of(), Set.of(), Set.of(ALICE.pubkey()), Set.of(), 60));
    assertThat(closed.get("restricted_writes").asBoolean()).isTrue();
    assertThat(closed.get("created_at_lower_limit").asInt()).isEqualTo(60);
  }

  private static String answer(Admission policy, Signer author, int age, int kind) {
    try (TestRelay relay = new TestRelay(policy);
        Client client = relay.connect()) {
      return client.answerTo(author.sign(relay.now() - age, kind, Tags.NONE, "hi"));
    }
  }

  private static JsonNode limitation(Admission policy) throws IOException, InterruptedException {
    try (TestRelay relay = new TestRelay(policy)) {
      HttpRequest request =
          HttpRequest.newBuilder(java.net.URI.create("http" + relay.uri().toString().substring(2)))
              .header("Accept", "application/nostr+json")
              .build();
      String body = HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
      return Client.parse(body).get("limitation");
    }
  }
}
