package gambit.core.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.AdmissionPolicy.Authors;
import gambit.core.nip.AdmissionPolicy.Kinds;
import gambit.core.nip.AdmissionPolicy.Writers;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.rate.Rate;
import gambit.core.rate.RateLimits;
import gambit.core.rate.RateLimits.Verb;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Trusted authors have no rate limits, and nobody else can use that. All clients share an address.
 */
class TrustedAuthorsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer MALLORY = Keys.of("mallory");
  private static final Map<Verb, Rate> TWO =
      Map.of(
          Verb.EVENT,
          Rate.parse("2/h"),
          Verb.REQ,
          Rate.parse("2/h"),
          Verb.COUNT,
          Rate.parse("2/h"));
  private static final String SLOW_DOWN = "rate-limited: slow down";

  private int notes;

  @Test
  void rateOfTheAuthorDoesNotApplyToATrustedAuthor() {
    try (TestRelay relay = relay(new RateLimits(Map.of(), TWO), trusting(ALICE));
        Client client = relay.connect()) {
      for (int i = 0; i < 5; i++) {
        assertThat(client.answerTo(note(relay, ALICE))).isEmpty();
      }
      client.publishAccepted(note(relay, MALLORY));
      client.publishAccepted(note(relay, MALLORY));
      assertThat(client.answerTo(note(relay, MALLORY))).startsWith(SLOW_DOWN);
    }
  }

  @Test
  void ratesOfTheAddressDoNotApplyOnceATrustedKeyHasLoggedIn() {
    try (TestRelay relay = relay(new RateLimits(TWO, TWO), trusting(ALICE));
        Client alice = relay.connect();
        Client mallory = relay.connect().login(relay.now(), MALLORY)) {
      alice.login(relay.now(), ALICE);
      for (int i = 0; i < 5; i++) {
        assertThat(alice.answerTo(note(relay, ALICE))).isEmpty();
        assertThat(ask(alice, "REQ")).startsWith("[\"EOSE\"");
        assertThat(ask(alice, "COUNT")).startsWith("[\"COUNT\"");
      }
      mallory.publishAccepted(note(relay, MALLORY)); // alice has used none of the address's tokens
      mallory.publishAccepted(note(relay, MALLORY));
      assertThat(mallory.answerTo(note(relay, MALLORY))).startsWith(SLOW_DOWN);
    }
  }

  @Test
  void eventThatClaimsATrustedAuthorCountsAgainstTheAddressLikeAnyOther() {
    try (TestRelay relay = relay(new RateLimits(TWO, Map.of()), trusting(ALICE));
        Client mallory = relay.connect()) {
      for (int i = 0; i < 2; i++) {
        Event signed = note(relay, ALICE);
        Event forged =
            EventEncoder.encode(
                signed.id(),
                signed.pubkey(),
                signed.createdAt(),
                signed.kind(),
                signed.tags(),
                signed.content(),
                new byte[64]);
        assertThat(mallory.answerTo(forged)).isEqualTo("invalid: the signature does not verify");
      }
      assertThat(mallory.answerTo(note(relay, ALICE))).startsWith(SLOW_DOWN);
    }
  }

  @Test
  void trustEndsWithTheNextEventAfterAChange() {
    OperatorPolicies policies = trusting(ALICE);
    try (TestRelay relay = relay(new RateLimits(TWO, TWO), policies);
        Client alice = relay.connect().login(relay.now(), ALICE)) {
      for (int i = 0; i < 3; i++) {
        alice.publishAccepted(note(relay, ALICE));
      }
      policies.change(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
      alice.publishAccepted(note(relay, ALICE));
      alice.publishAccepted(note(relay, ALICE));
      assertThat(alice.answerTo(note(relay, ALICE))).startsWith(SLOW_DOWN);
    }
  }

  private static String ask(Client client, String verb) {
    client.send("[\"" + verb + "\",\"q\",{\"kinds\":[7]}]");
    return client.next();
  }

  private static OperatorPolicies trusting(Signer author) {
    Set<PubKey> trusted = Set.of(author.pubkey());
    return new OperatorPolicies(
        new AdmissionPolicy(
            Kinds.EVERY, new Authors(Set.of(), Set.of(), trusted), 0, List.of(), Writers.EVERYBODY),
        ReadPolicy.EVERYTHING);
  }

  private static TestRelay relay(RateLimits rates, OperatorPolicies policies) {
    return new TestRelay(LimitValues.DEFAULT, rates, TransportSettings.DEFAULT, policies);
  }

  private Event note(TestRelay relay, Signer author) {
    return author.sign(relay.now(), 1, Tags.NONE, "note " + notes++);
  }
}
