package gambit.core.nip;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.nip.AdmissionPolicy.Allowances;
import gambit.core.nip.AdmissionPolicy.Authors;
import gambit.core.nip.AdmissionPolicy.Kinds;
import gambit.core.nip.AdmissionPolicy.SizeRule;
import gambit.core.nip.AdmissionPolicy.Writers;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Policies that change while the relay runs. Their messages are in {@code frames/policies}. */
class OperatorPoliciesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final ReadPolicy LOGINS_FOR_NOTES = new ReadPolicy(KindSet.of(1), Set.of());

  @Test
  void changedAdmissionAppliesToTheNextEventAndStoredOnesStay() {
    OperatorPolicies policies = open();
    try (TestRelay relay = new TestRelay(policies);
        Client client = relay.connect()) {
      Event before = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "before"));
      policies.change(banning(ALICE.pubkey()), ReadPolicy.EVERYTHING);
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, "after")))
          .isEqualTo("blocked: events of this author are not taken here");
      assertThat(client.queryIds("{}")).containsExactly(before.id().hex());
      policies.change(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
      client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "after"));
    }
  }

  @Test
  void changedReadsApplyToRunningSubscriptionsAndTheNextQuery() {
    OperatorPolicies policies = open();
    try (TestRelay relay = new TestRelay(policies);
        Client reader = relay.connect();
        Client writer = relay.connect()) {
      reader.send("[\"REQ\",\"notes\",{\"kinds\":[1]}]");
      assertThat(reader.next()).isEqualTo("[\"EOSE\",\"notes\"]");
      policies.change(AdmissionPolicy.EVERYTHING, LOGINS_FOR_NOTES);
      writer.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "hidden"));
      reader.send("[\"COUNT\",\"c\",{}]");
      assertThat(reader.next()).isEqualTo("[\"COUNT\",\"c\",{\"count\":0}]");
      reader.send("[\"REQ\",\"again\",{\"kinds\":[1]}]");
      assertThat(reader.next()).startsWith("[\"CLOSED\",\"again\",\"auth-required: ");
      policies.change(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
      Event shown = writer.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "shown"));
      assertThat(reader.next()).isEqualTo("[\"EVENT\",\"notes\"," + shown + "]");
    }
  }

  @Test
  void changedBansAreLoggedInOneLineWithTheFirstTenKeys() {
    OperatorPolicies policies = open();
    try (ClassLog log = ClassLog.withInfo(OperatorPolicies.class)) {
      String alice = Nip19.npub(ALICE.pubkey());
      String bob = Nip19.npub(BOB.pubkey());
      policies.change(banning(ALICE.pubkey()), ReadPolicy.EVERYTHING);
      policies.change(banning(ALICE.pubkey()), LOGINS_FOR_NOTES);
      policies.change(banning(BOB.pubkey()), ReadPolicy.EVERYTHING);
      policies.change(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
      assertThat(log.messages())
          .containsExactly(
              "Banned authors: 1 added (" + alice + "); now 1",
              "Banned authors: 1 added (" + bob + "), 1 removed (" + alice + "); now 1",
              "Banned authors: 1 removed (" + bob + "); now 0");
    }
    PubKey[] many = new PubKey[12];
    Arrays.setAll(many, i -> Keys.of("banned " + i).pubkey());
    try (ClassLog log = ClassLog.withInfo(OperatorPolicies.class)) {
      policies.change(banning(many), ReadPolicy.EVERYTHING);
      assertThat(log.messages())
          .singleElement()
          .asString()
          .matches(
              "Banned authors: 12 added \\((npub1\\w{58}, ){9}npub1\\w{58} and 2 more\\); now 12");
    }
  }

  /** An id in an EVENT must not serve as a question whether a hidden event is stored. */
  @Test
  void hiddenEventIsNotConfirmedAsADuplicateToAClientThatKnowsItsIdOnly() {
    OperatorPolicies policies = new OperatorPolicies(AdmissionPolicy.EVERYTHING, LOGINS_FOR_NOTES);
    try (TestRelay relay = new TestRelay(policies);
        Client stranger = relay.connect();
        Client alice = relay.connect().login(relay.now(), ALICE)) {
      Event hidden = alice.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "hidden"));
      for (int kind : new int[] {1, 7}) {
        Event probe =
            EventEncoder.encode(
                hidden.id(), BOB.pubkey(), relay.now(), kind, Tags.NONE, "?", new byte[64]);
        assertThat(stranger.answerTo(probe))
            .isEqualTo("invalid: the id is not the hash of the event");
        assertThat(alice.answerTo(probe)).isEqualTo("duplicate: already have this event");
      }
      assertThat(stranger.answerTo(hidden)).isEqualTo("duplicate: already have this event");
    }
  }

  @Test
  void listedReadersNeedKinds() {
    assertThatThrownBy(() -> new ReadPolicy(KindSet.NONE, Set.of(ALICE.pubkey())))
        .hasMessage("readers has no effect without auth_kinds");
  }

  @Test
  void openKindsNeedAConditionThatTheyAreExemptFrom() {
    assertThatThrownBy(() -> new Writers(false, Set.of(), KindSet.of(1)))
        .hasMessage("open_kinds has no effect without require_auth or writers");
  }

  @Test
  void insidersAreTrustedAndMayReadUnlessTheyAreRefused() {
    Set<PubKey> bob = Set.of(BOB.pubkey());
    AdmissionPolicy members =
        new AdmissionPolicy(
            Kinds.EVERY,
            Authors.EVERYBODY,
            0,
            List.of(),
            new Writers(false, Set.of(ALICE.pubkey()), KindSet.NONE));
    ReadPolicy forMembers = new ReadPolicy(KindSet.ALL, Set.of(ALICE.pubkey()));
    OperatorPolicies policies =
        new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING, bob);
    policies.change(members, forMembers);
    try (TestRelay relay = new TestRelay(policies);
        Client house = relay.connect().login(relay.now(), BOB)) {
      Event note = house.publishAccepted(BOB.sign(relay.now(), 1, Tags.NONE, "at home"));
      assertThat(house.queryIds("{}")).containsExactly(note.id().hex());
      policies.change(banning(BOB.pubkey()), forMembers);
      assertThat(house.answerTo(BOB.sign(relay.now(), 1, Tags.NONE, "refused")))
          .startsWith("blocked: ");
    }
  }

  @Test
  void keyThatIsBothTrustedAndRefusedIsReported() {
    Set<PubKey> alice = Set.of(ALICE.pubkey());
    assertThatThrownBy(() -> new Authors(Set.of(), alice, alice))
        .hasMessage("the key " + ALICE.pubkey().hex() + " is in both trusted and refused_pubkeys");
    assertThatThrownBy(() -> new Authors(alice, alice, Set.of()))
        .hasMessageContaining("is in both pubkeys and refused_pubkeys");
  }

  @Test
  void firstSizeRuleThatNamesAKindDecides() {
    assertThat(SizeRule.parse("0+10000-19999 16K"))
        .isEqualTo(new SizeRule(KindSet.parse("0+10000-19999"), 16 << 10));
    assertThat(SizeRule.parse(" * 900 ").bytes()).isEqualTo(900);
    assertThat(SizeRule.parse("1 2M").bytes()).isEqualTo(2 << 20);
    assertThat(SizeRule.parse("1 999999M").bytes()).isEqualTo(Integer.MAX_VALUE);
    AdmissionPolicy policy =
        new AdmissionPolicy(
            Kinds.EVERY,
            Authors.EVERYBODY,
            0,
            List.of(SizeRule.parse("30023 4K"), SizeRule.parse("* 1K")),
            Writers.EVERYBODY);
    try (TestRelay relay = new TestRelay(new OperatorPolicies(policy, ReadPolicy.EVERYTHING));
        Client client = relay.connect()) {
      String text = "x".repeat(2000);
      client.publishAccepted(ALICE.sign(relay.now(), 30_023, Tags.NONE, text));
      assertThat(client.answerTo(ALICE.sign(relay.now(), 1, Tags.NONE, text)))
          .isEqualTo("invalid: an event of kind 1 may have at most 1024 bytes");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "1 0", "1 -1", "1 1.5K", "1 K", "x 1K", "1 1G", "1 1K 2K"})
  void malformedSizeRuleIsReported(String text) {
    assertThatThrownBy(() -> SizeRule.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void onlyMembersWriteAndReadUntilTheRelayIsOpenedAgain() {
    Set<PubKey> members = new HashSet<>(Set.of(ALICE.pubkey()));
    OperatorPolicies policies = open();
    policies.accept(new Allowances(key -> false, kind -> false, members::contains));
    policies.change(new MemberPolicy(true, true));
    try (TestRelay relay = new TestRelay(policies);
        Client alice = relay.connect().login(relay.now(), ALICE);
        Client bob = relay.connect().login(relay.now(), BOB)) {
      Event note = alice.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "among us"));
      assertThat(bob.answerTo(BOB.sign(relay.now(), 1, Tags.NONE, "hello")))
          .isEqualTo("restricted: only members may write here");
      bob.send("[\"REQ\",\"q\",{}]");
      assertThat(bob.next())
          .isEqualTo("[\"CLOSED\",\"q\",\"restricted: only members may read here\"]");
      members.add(BOB.pubkey());
      bob.publishAccepted(BOB.sign(relay.now(), 7, Tags.NONE, "+"));
      bob.send("[\"REQ\",\"q\",{\"kinds\":[1]}]");
      assertThat(bob.next()).isEqualTo("[\"EVENT\",\"q\"," + note + "]");
      assertThat(bob.next()).isEqualTo("[\"EOSE\",\"q\"]");
      members.remove(BOB.pubkey()); // sees nothing more at once, under the running subscription too
      alice.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "without bob"));
      policies.change(MemberPolicy.OFF);
      Event shown = alice.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "for all"));
      assertThat(bob.next()).isEqualTo("[\"EVENT\",\"q\"," + shown + "]");
    }
  }

  @Test
  void acceptedAndTrustedAuthorsCountAsMembersAndMembersAsAcceptedAuthors() {
    Set<PubKey> bob = Set.of(BOB.pubkey());
    for (Authors authors :
        List.of(new Authors(bob, Set.of(), Set.of()), new Authors(Set.of(), Set.of(), bob))) {
      OperatorPolicies policies =
          new OperatorPolicies(
              new AdmissionPolicy(Kinds.EVERY, authors, 0, List.of(), Writers.EVERYBODY),
              ReadPolicy.EVERYTHING);
      policies.accept(new Allowances(key -> false, kind -> false, ALICE.pubkey()::equals));
      policies.change(new MemberPolicy(true, true));
      try (TestRelay relay = new TestRelay(policies);
          Client client = relay.connect().login(relay.now(), BOB)) {
        Event first = client.publishAccepted(ALICE.sign(relay.now() - 1, 1, Tags.NONE, "a"));
        Event second = client.publishAccepted(BOB.sign(relay.now(), 1, Tags.NONE, "b"));
        assertThat(client.queryIds("{}")).containsExactly(second.id().hex(), first.id().hex());
      }
    }
  }

  private static OperatorPolicies open() {
    return new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
  }

  private static AdmissionPolicy banning(PubKey... authors) {
    return new AdmissionPolicy(
        Kinds.EVERY,
        new Authors(Set.of(), Set.of(authors), Set.of()),
        0,
        List.of(),
        Writers.EVERYBODY);
  }
}
