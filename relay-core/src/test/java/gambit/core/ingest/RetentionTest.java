package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import gambit.core.testkit.UnsignedEvents;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retention by kind and author, over the store on disk and with a clock moved by hand. */
class RetentionTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer CAROL = Keys.of("carol");
  private static final long DAY = Duration.ofDays(1).toSeconds();

  private final StoreDirectory directory;

  RetentionTest() throws IOException {
    directory = new StoreDirectory();
  }

  @AfterEach
  void deleteStore() throws IOException {
    directory.delete();
  }

  @Test
  void firstRuleThatCoversAnEventDecidesHowLongItIsKept() throws IOException {
    try (TestRelay relay =
            relay(
                "0+3 forever",
                "* " + npub(ALICE) + " forever",
                "* " + BOB.pubkey().hex() + "+" + npub(CAROL) + " 1h",
                "* 30d");
        Client client = relay.connect()) {
      Event profile = publish(client, relay, BOB, 0, 400 * DAY);
      Event alices = publish(client, relay, ALICE, 1, 400 * DAY);
      publish(client, relay, BOB, 1, 3600 + 1);
      publish(client, relay, CAROL, 7, 3600 + 1);
      Event young = publish(client, relay, BOB, 1, 3000);
      publish(client, relay, Keys.of("dave"), 1, 30 * DAY + 1);
      Event daves = publish(client, relay, Keys.of("dave"), 1, 29 * DAY);
      sweep(relay);
      assertThat(client.queryIds("{}"))
          .containsExactlyInAnyOrder(ids(profile, alices, young, daves));
      relay.time().advance(Duration.ofHours(1));
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}")).containsExactlyInAnyOrder(ids(profile, alices, daves));
      relay.time().advance(Duration.ofDays(1));
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}")).containsExactlyInAnyOrder(ids(profile, alices));
    }
  }

  /** A portion examines a bounded number of entries, and the exceptions do not end the round. */
  @Test
  void manyKeptEventsDoNotHideTheOnesToRemove() throws IOException {
    try (TestRelay relay = relay("* " + npub(ALICE) + " forever", "* 30d");
        Client client = relay.connect()) {
      UnsignedEvents.store(
          relay.store(),
          5_000,
          i -> {
            Signer author = i % 10 > 0 ? ALICE : BOB;
            long createdAt = relay.now() - 40 * DAY - i / 100;
            return UnsignedEvents.event(author.pubkey(), createdAt, 1, Tags.NONE, "note " + i);
          });
      assertThat(relay.store().size()).isEqualTo(5000);
      sweep(relay);
      assertThat(relay.store().size()).isEqualTo(4500);
      assertThat(client.queryIds("{\"authors\":[\"" + BOB.pubkey() + "\"]}")).isEmpty();
    }
  }

  /** Between full rounds, only events that have newly reached the age are examined. */
  @Test
  void eventThatArrivesTooOldIsRemovedWithinADayWhereARuleHasExceptions() throws IOException {
    try (TestRelay relay = relay("* " + npub(ALICE) + " forever", "* 30d");
        Client client = relay.connect()) {
      sweep(relay);
      Event late = publish(client, relay, BOB, 1, 50 * DAY);
      Event ripe = publish(client, relay, BOB, 1, 30 * DAY - 30);
      sweep(relay);
      assertThat(client.queryIds("{}")).containsExactly(late.id().hex());
      assertThat(ripe).isNotEqualTo(late);
      relay.time().advance(Duration.ofDays(1));
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}")).isEmpty();
    }
  }

  @Test
  void clockThatIsSetBackDoesNotStopTheRemoval() throws IOException {
    try (TestRelay relay = relay("* " + npub(ALICE) + " forever", "* 30d");
        Client client = relay.connect()) {
      relay.time().advance(Duration.ofDays(400));
      relay.time().awaitSweepScheduled();
      relay.time().advance(Duration.ofDays(-400));
      publish(client, relay, BOB, 1, 31 * DAY);
      relay.time().runAllAlarms();
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}")).isEmpty();
    }
  }

  @Test
  void eventsWhoseRemovalCouldNotBeCommittedAreRemovedByTheNextRound() {
    FaultyStore store = new FaultyStore();
    List<String> rules = List.of("* " + npub(ALICE) + " forever", "* 30d");
    try (TestRelay relay = new TestRelay(retention(rules), store);
        Client client = relay.connect()) {
      publish(client, relay, BOB, 1, 31 * DAY);
      store.setRemovalsFail(true);
      sweep(relay);
      assertThat(client.queryIds("{}")).hasSize(1);
      store.setRemovalsFail(false);
      sweep(relay);
      assertThat(client.queryIds("{}")).isEmpty();
    }
  }

  @Test
  void ruleOfManyKindsRemovesTheirEventsOnly() throws IOException {
    try (TestRelay relay = relay("10000-19999+30000-39999 30d");
        Client client = relay.connect()) {
      publish(client, relay, BOB, 10_002, 31 * DAY);
      publish(client, relay, BOB, 30_023, 31 * DAY);
      Event note = publish(client, relay, BOB, 1, 31 * DAY);
      sweep(relay);
      assertThat(client.queryIds("{}")).containsExactly(note.id().hex());
    }
  }

  @Test
  void ruleThatNeverAppliesIsReported() {
    for (List<String> rules :
        List.of(
            List.of("* 30d", "7 1d"),
            List.of("1-10 30d", "2+9 " + npub(ALICE) + " 1d"),
            List.of("* " + npub(ALICE) + "+" + npub(BOB) + " 1d", "1 " + npub(ALICE) + " 2d"),
            List.of("7 30d", "1 1d", "7 30d"))) {
      assertThatThrownBy(() -> retention(rules))
          .as("%s", rules)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              "rule [23] of retention never applies, because rule 1 covers its events;.*");
    }
    retention(List.of("7 30d", "1-10 60d", "* " + npub(ALICE) + " 1h", "* 1d"));
  }

  @Test
  void agesAreDaysHoursOrForever() {
    assertThat(Retention.Rule.parse("1  12h"))
        .isEqualTo(new Retention.Rule(KindSet.of(1), Set.of(), Duration.ofHours(12)));
    assertThat(Retention.Rule.parse("* " + npub(BOB) + " forever"))
        .isEqualTo(new Retention.Rule(KindSet.ALL, Set.of(BOB.pubkey()), null));
  }

  @Test
  void authorsAreNpubsOrHexDigitsInLowerOrUpperCase() {
    String hex = BOB.pubkey().hex();
    for (String key : List.of(npub(BOB), hex, hex.toUpperCase(Locale.ROOT))) {
      assertThat(Retention.Rule.parse("1 " + npub(ALICE) + "+" + key + " 1d").authors())
          .containsExactlyInAnyOrder(ALICE.pubkey(), BOB.pubkey());
    }
  }

  /** The writer compares events with the rules, so their number is bounded. */
  @Test
  void atMostAThousandRulesAreAccepted() {
    List<String> rules = IntStream.range(0, 1001).mapToObj(kind -> kind + " 1d").toList();
    retention(rules.subList(0, 1000));
    assertThatThrownBy(() -> retention(rules))
        .hasMessage(
            "retention may have at most 1000 rules; authors with the same rule are joined by +");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "* npub1x 1d",
        "* 00 1d",
        "* + 1d",
        "* 1w",
        "forever",
        "1 for ever",
        "1 0h",
        "1 1d 2d"
      })
  void malformedRuleIsReported(String text) {
    assertThatThrownBy(() -> Retention.Rule.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private TestRelay relay(String... rules) throws IOException {
    return new TestRelay(retention(List.of(rules)), directory.open());
  }

  private static Retention retention(List<String> rules) {
    return new Retention(rules.stream().map(Retention.Rule::parse).toList(), 0);
  }

  private static Event publish(Client client, TestRelay relay, Signer author, int kind, long age) {
    return client.publishAccepted(author.sign(relay.now() - age, kind, Tags.NONE, "age " + age));
  }

  private static void sweep(TestRelay relay) {
    relay.time().advance(Duration.ofMinutes(1));
    relay.time().awaitSweepScheduled();
  }

  private static String[] ids(Event... events) {
    return Stream.of(events).map(event -> event.id().hex()).toArray(String[]::new);
  }

  private static String npub(Signer signer) {
    return Nip19.npub(signer.pubkey());
  }
}
