package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.session.ChessImports;
import gambit.chess.session.play.ChessSettings;
import gambit.core.ingest.Retention;
import gambit.core.management.Management;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Records of rated games, heads and chains of lots stay, whatever may remove other events. */
class ChainEventsTest {
  @Test
  void noDeletionBanExpirationOrRetentionRemovesAnEventOfAChain() {
    OperatorPolicies policies =
        new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
    Retention retention = new Retention(List.of(Retention.Rule.parse("* 1h")), 1);
    try (TestRelay relay =
            new TestRelay(
                retention,
                new MemoryEventStore(8 << 20),
                policies,
                new Management(policies, Set.of(AdminCalls.ADMIN.pubkey()), true, true),
                new ChessImports(ChessSettings.DEFAULT));
        Client operator = relay.connectOperator()) {
      List<Event> chain =
          List.of(
              own(relay, 64, List.of("seq", "1")),
              own(relay, 30064, List.of("d", "1")),
              own(relay, 30065, List.of("d", "1")));
      Event casual = own(relay, 64, List.of("alt", "a casual game"));
      chain.forEach(operator::publishAccepted);
      operator.publishAccepted(casual);
      String self = relay.signer().pubkey().hex();
      for (Event event : chain) {
        operator.publishAccepted(own(relay, 5, List.of("e", event.id().hex())));
        String address = event.kind() + ":" + self + ":1";
        operator.publishAccepted(own(relay, 5, List.of("a", address)));
        assertThat(ban(relay, event))
            .contains("the relay keeps this event of its own for ever, since others build on it");
      }
      assertThat(ban(relay, casual)).isEqualTo("{\"result\":true}");
      assertThat(operator.answerTo(own(relay, 62, List.of("relay", "ALL_RELAYS"))))
          .startsWith("blocked: ");
      relay.time().advance(Duration.ofHours(2));
      relay.time().awaitSweepScheduled();
      assertThat(operator.queryIds("{}"))
          .containsExactlyInAnyOrderElementsOf(
              chain.stream().map(event -> event.id().hex()).toList());
    }
  }

  private static String ban(TestRelay relay, Event event) {
    String body = "{\"method\":\"banevent\",\"params\":[\"" + event.id().hex() + "\"]}";
    return AdminCalls.call(relay, body).body();
  }

  private static Event own(TestRelay relay, int kind, List<String> tag) {
    List<String> expires = List.of("expiration", "" + (relay.now() + 60));
    return relay.signer().sign(relay.now(), kind, new Tags(List.of(tag, expires)), "");
  }
}
