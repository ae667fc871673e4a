package gambit.chess.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.jester.JesterLine;
import gambit.chess.session.play.ChessSettings;
import gambit.core.crypto.Signer;
import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;
import gambit.core.management.Management;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.testkit.AdminCalls;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.wire.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Players whom the operator bans while they wait or play. */
class BannedPlayersTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final String REFUSED = "blocked: events of this author are not taken here";

  private final OperatorPolicies policies =
      new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
  private final Management management =
      new Management(policies, Set.of(AdminCalls.ADMIN.pubkey()), true, false);
  private final LateBan lateBan = new LateBan();
  private final TestRelay relay =
      new TestRelay(
          policies,
          management,
          new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE),
          lateBan);
  private final Client alice = relay.connect();
  private final Client bob = relay.connect();

  /** A ban of one event that comes into force after its arrival. */
  private static final class LateBan implements Feature {
    private final AtomicInteger timesAsked = new AtomicInteger();
    private volatile @Nullable EventId banned;

    @Override
    public void install(RelayBuilder relay) {
      relay.lastingCheck(
          event ->
              event.id().equals(banned) && timesAsked.getAndIncrement() > 0
                  ? Optional.of(Reason.blocked("banned"))
                  : Optional.empty());
    }
  }

  @AfterEach
  void close() {
    alice.close();
    bob.close();
    relay.close();
  }

  private void call(String method, Signer author) {
    String body = "{\"method\":\"" + method + "\",\"params\":[\"" + author.pubkey().hex() + "\"]}";
    assertThat(AdminCalls.call(relay, body).body()).isEqualTo("{\"result\":true}");
  }

  private Event chess(Signer author, int kind, String content, List<List<String>> tags) {
    return author.sign(relay.now(), kind, new Tags(tags), content);
  }

  private Event search(Client client, Signer author) {
    return client.publishAccepted(chess(author, 5000, "connect", List.of()));
  }

  /** Reads the beginning of a game; returns the keys of its players. */
  private static List<String> readBeginning(Client client) {
    List<String> players = new ArrayList<>();
    for (JsonNode tag : client.nextJson().at("/2/tags")) {
      if (tag.get(0).asText().equals("p")) {
        players.add(tag.get(1).asText());
      }
    }
    assertThat(client.nextJson().get(3).asText()).isIn("white", "black");
    return players;
  }

  /** Begins a game in which alice has white. */
  private void beginGame() {
    Event invite =
        alice.publishAccepted(chess(ALICE, 5000, "invite", List.of(List.of("color", "white"))));
    bob.publishAccepted(chess(BOB, 5000, "accept", List.of(List.of("e", invite.id().hex()))));
    readBeginning(bob);
    readBeginning(alice);
  }

  @Test
  void moveThatIsBannedBeforeItsCommitHasNotHappenedAndTheGameGoesOn() {
    beginGame();
    Event move = chess(ALICE, 5001, "e2e4", List.of());
    lateBan.banned = move.id();
    assertThat(alice.answerTo(move)).isEqualTo("blocked: the operator has refused it");
    assertThat(bob.queryIds("{\"ids\":[\"" + move.id().hex() + "\"]}")).isEmpty();
    lateBan.banned = null;
    alice.publishAccepted(move);
    assertThat(bob.next()).contains(move.id().hex());
  }

  @Test
  void waitingPlayerWhoIsBannedIsNotPairedAndTheNextTwoPlayersAre() {
    Event banned = search(bob, BOB);
    call("banpubkey", BOB);
    Event first = search(alice, ALICE);
    assertThat(bob.next())
        .isEqualTo(
            "[\"OK\",\"" + banned.id() + "\",false,\"blocked: the operator has refused it\"]");
    try (Client carol = relay.connect()) {
      search(carol, CAROL);
      assertThat(readBeginning(alice))
          .containsExactlyInAnyOrder(ALICE.pubkey().hex(), CAROL.pubkey().hex());
    }
  }

  @Test
  void openInviteOfABannedPlayerCanBeAcceptedOnlyOnceTheBanIsLifted() {
    Event invite =
        bob.publishAccepted(chess(BOB, 5000, "invite", List.of(List.of("color", "white"))));
    call("banpubkey", BOB);
    List<List<String>> ofInvite = List.of(List.of("e", invite.id().hex()));
    assertThat(alice.answerTo(chess(ALICE, 5000, "accept", ofInvite)))
        .isEqualTo("blocked: the operator refuses events of this invite's author");
    call("unbanpubkey", BOB);
    alice.publishAccepted(ALICE.sign(relay.now() + 1, 5000, new Tags(ofInvite), "accept"));
    assertThat(readBeginning(alice)).contains(BOB.pubkey().hex());
  }

  @Test
  void bannedPlayerOfAGameOfKind30CannotMoveAndIsClaimedToBeGone() {
    JesterLine line = JesterLine.start(ALICE, Side.WHITE, relay.now(), List.of());
    alice.publishAccepted(line.start());
    alice.publishAccepted(line.move(ALICE, "e2e4"));
    bob.publishAccepted(line.move(BOB, "e7e5"));
    call("banpubkey", BOB);
    alice.publishAccepted(line.move(ALICE, "g1f3"));
    JesterLine banned = JesterLine.start(BOB, Side.WHITE, relay.now(), List.of());
    assertThat(bob.answerTo(banned.start())).isEqualTo(REFUSED);
    assertThat(bob.answerTo(line.end(BOB, "1-0", "resignation"))).isEqualTo(REFUSED);
    relay.time().advance(Duration.ofHours(24));
    alice.publishAccepted(line.end(ALICE, "1-0", "abandonment"));
    assertThat(alice.queryIds("{\"kinds\":[64],\"#e\":[\"" + line.id() + "\"]}")).hasSize(1);
  }

  @Test
  void waitingPlayerWhoIsRefusedByNewSettingsIsNotPaired() {
    Event banned = search(bob, BOB);
    policies.change(refusing(BOB), ReadPolicy.EVERYTHING);
    search(alice, ALICE);
    assertThat(bob.next()).startsWith("[\"OK\",\"" + banned.id() + "\",false,\"blocked: ");
  }

  private static AdmissionPolicy refusing(Signer author) {
    return new AdmissionPolicy(
        AdmissionPolicy.Kinds.EVERY,
        new AdmissionPolicy.Authors(Set.of(), Set.of(author.pubkey()), Set.of()),
        0,
        List.of(),
        AdmissionPolicy.Writers.EVERYBODY);
  }

  @Test
  void bannedPlayerOfARunningGameCannotMoveAndLosesOnTime() {
    beginGame();
    alice.publishAccepted(chess(ALICE, 5001, "e2e4", List.of()));
    assertThat(bob.next()).contains("e2e4");
    bob.publishAccepted(chess(BOB, 5001, "e7e5", List.of()));
    assertThat(alice.next()).contains("e7e5");
    alice.publishAccepted(chess(ALICE, 5001, "g1f3", List.of()));
    assertThat(bob.next()).contains("g1f3");
    call("banpubkey", BOB);
    assertThat(bob.answerTo(chess(BOB, 5001, "b8c6", List.of()))).isEqualTo(REFUSED);
    assertThat(bob.answerTo(chess(BOB, 5003, "resign", List.of()))).isEqualTo(REFUSED);
    relay.time().awaitAlarms(1);
    relay.time().advance(Duration.ofMinutes(12));
    assertThat(alice.next()).contains("\"1-0\"").contains("timeout");
  }
}
