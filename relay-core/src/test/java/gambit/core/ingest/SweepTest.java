package gambit.core.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.core.crypto.Signer;
import gambit.core.limit.LimitValues;
import gambit.core.model.Event;
import gambit.core.model.KindSet;
import gambit.core.model.Tags;
import gambit.core.store.disk.StoreDirectory;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.TestRelay;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Events that the relay removes by itself: expired ones (NIP-40), and those beyond its retention.
 */
class SweepTest {
  private static final Signer ALICE = Keys.of("alice");

  @Test
  void expiredEventsAreRefusedOrNoLongerServedAndAreSwept() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      long now = relay.now();
      assertThat(client.answerTo(expiring(now, "" + now)))
          .isEqualTo("invalid: the event has expired");
      client.publishAccepted(expiring(now, "" + (now + 30)));
      Event later = client.publishAccepted(expiring(now, "" + (now + 600)));
      assertThat(client.queryIds("{}")).hasSize(2);
      relay.time().advance(Duration.ofSeconds(30));
      assertThat(client.queryIds("{}")).containsExactly(later.id().hex());
      assertThat(relay.store().size()).isEqualTo(2);
      relay.time().advance(Duration.ofSeconds(30));
      relay.time().awaitSweepScheduled();
      assertThat(relay.store().size()).isEqualTo(1);
    }
  }

  @Test
  void aSweepThatRemovesEventsLogsOneLineWithTheReasons() {
    Retention retention = new Retention(List.of(Retention.Rule.parse("7 2d")), 0);
    try (TestRelay relay = new TestRelay(retention, new MemoryEventStore(8 << 20));
        Client client = relay.connect();
        ClassLog log = ClassLog.withInfo(Sweep.class)) {
      long now = relay.now();
      for (int i = 0; i < 600; i++) { // more than a portion
        client.publishAccepted(expiring(now - i, "" + (now + 30)));
      }
      client.publishAccepted(
          ALICE.sign(now - Duration.ofDays(3).toSeconds(), 7, Tags.NONE, "private text"));
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(log.messages())
          .singleElement()
          .asString()
          .matches(
              "The sweep removed 601 events in \\d+ ms: 600 expired, 1 beyond store.retention or"
                  + " store.max_bytes, 0 of vanished authors");
    }
  }

  @Test
  void malformedExpirationIsRefused() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect()) {
      long now = relay.now();
      for (String time : List.of("", "tomorrow", "-1", "1.5", "1e10", " 1", "9".repeat(19))) {
        assertThat(client.answerTo(expiring(now, time)))
            .isEqualTo("invalid: expiration must be a time in seconds");
      }
      Tags none = new Tags(List.of(List.of("expiration")));
      assertThat(client.answerTo(ALICE.sign(now, 1, none, ""))).startsWith("invalid: expiration");
      client.publishAccepted(expiring(now, "999999999999999999"));
    }
  }

  @Test
  void clockChangesLoseNoUnexpiredEvent() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    try (TestRelay relay = new TestRelay(LimitValues.DEFAULT, directory.open());
        Client client = relay.connect()) {
      long now = relay.now();
      Event first = client.publishAccepted(ALICE.sign(now, 1, Tags.NONE, "first"));
      relay.time().advance(Duration.ofDays(400));
      relay.time().awaitSweepScheduled();
      Event second = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "second"));
      relay.time().advance(Duration.ofDays(-800));
      Event third = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "third"));
      relay.time().advance(Duration.ofDays(801));
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}"))
          .containsExactly(second.id().hex(), first.id().hex(), third.id().hex());
    } finally {
      directory.delete();
    }
  }

  @Test
  void eventsOfAKindAreKeptForItsRetentionTime() {
    Retention retention = new Retention(List.of(Retention.Rule.parse("7+1000-1002 2d")), 0);
    try (TestRelay relay = new TestRelay(retention, new MemoryEventStore(1 << 20));
        Client client = relay.connect()) {
      long now = relay.now();
      long old = now - Duration.ofDays(2).toSeconds();
      client.publishAccepted(ALICE.sign(old - 1, 7, Tags.NONE, ""));
      client.publishAccepted(ALICE.sign(old - 1, 1001, Tags.NONE, ""));
      Event young = client.publishAccepted(ALICE.sign(old + 120, 7, Tags.NONE, ""));
      Event other = client.publishAccepted(ALICE.sign(old - 1, 1, Tags.NONE, ""));
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(client.queryIds("{}")).containsExactly(young.id().hex(), other.id().hex());
    }
  }

  @Test
  void oldestEventsAreRemovedBeyondTheMaximumSize() throws IOException {
    StoreDirectory directory = new StoreDirectory();
    Retention retention = new Retention(List.of(), 100_000);
    try (TestRelay relay = new TestRelay(retention, directory.open());
        Client client = relay.connect()) {
      for (int i = 0; i < 1200; i++) {
        client.publish(ALICE.sign(relay.now() - i, 1, Tags.NONE, "x".repeat(100)));
      }
      for (int i = 0; i < 1200; i++) {
        assertThat(client.next()).endsWith(",true,\"\"]");
      }
      relay.time().advance(Duration.ofMinutes(1));
      relay.time().awaitSweepScheduled();
      assertThat(relay.store().bytes()).isLessThanOrEqualTo(100_000);
      assertThat(relay.store().size()).isPositive();
      assertThat(client.queryIds("{\"since\":" + (relay.now() - 100) + "}")).isNotEmpty();
      assertThat(client.queryIds("{\"until\":" + (relay.now() - 1000) + "}")).isEmpty();
    } finally {
      directory.delete();
    }
  }

  @Test
  void invalidRetentionRuleIsReported() {
    assertThat(Retention.Rule.parse(" * 30d ").kinds()).isEqualTo(KindSet.ALL);
    assertThat(Retention.Rule.parse("1+3-4 1d").kinds()).isEqualTo(KindSet.of(1, 3, 4));
    for (String text : List.of("", "1", "1 d", "1 0d", "a 1d", "1-2-3 1d", "70000 1d", "1+ 1d")) {
      assertThatThrownBy(() -> Retention.Rule.parse(text))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new Retention(List.of(), -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Event expiring(long now, String time) {
    return ALICE.sign(now, 1, new Tags(List.of(List.of("expiration", time))), time);
  }
}
