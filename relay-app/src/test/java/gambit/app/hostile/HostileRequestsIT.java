package gambit.app.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Excessive queries and subscriptions, on a store with thousands of events. */
@ThoroughOnly
class HostileRequestsIT {
  private static final int SUBSCRIPTIONS = 200;
  private static final int STORED = TestEffort.of(5_500, 20_000);

  /** The number of repetitions of an attack. */
  private static final int REPETITIONS = TestEffort.of(2_000, 100_000);

  private static final String TOO_MANY = "CLOSED error: more than 200 subscriptions";
  private static final String TOO_MANY_VALUES = "CLOSED error: more than 20000 filter values";

  @TempDir static Path data;
  private static AttackedRelay relay;

  @BeforeAll
  static void start() throws Exception {
    relay = AttackedRelay.start(data);
    Signer author = Keys.of("author");
    long now = Instant.now().getEpochSecond();
    FrameBatch notes = new FrameBatch();
    for (int i = 0; i < STORED; i++) {
      Tags tags = new Tags(List.of(List.of("t", "everywhere"), List.of("t", "group " + i % 100)));
      Event note = author.sign(now - i, 1000 + i % 50, tags, "note " + i);
      notes.text("[\"EVENT\"," + note + "]");
    }
    relay.assertAnswers(notes, Map.of("OK true ", STORED));
  }

  @AfterAll
  static void end() throws IOException {
    relay.close();
  }

  @Test
  void subscriptionsOfAConnectionBeyondTheLimitAreRefused() throws Exception {
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < REPETITIONS; i++) {
      burst.text("[\"REQ\",\"" + i + "\",{\"ids\":[]}]");
    }
    relay.survives(
        () ->
            relay.assertAnswers(
                burst, Map.of("EOSE", SUBSCRIPTIONS, TOO_MANY, REPETITIONS - SUBSCRIPTIONS)),
        AttackMetrics.messages("req"),
        AttackMetrics.queriesRefused("error"));
  }

  @Test
  void manyThousandSubscriptionsOfManyConnectionsAreOpenedAndClosed() throws Exception {
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      burst.text("[\"REQ\",\"" + i + "\",{\"kinds\":[" + (5000 + i) + "],\"limit\":0}]");
    }
    relay.survives(
        () -> {
          try (ClientGroup<FloodingConnection> floods = new ClientGroup<>()) {
            for (int i = 0; i < REPETITIONS / SUBSCRIPTIONS; i++) {
              FloodingConnection flood =
                  floods.add(new FloodingConnection(relay.url(), burst.bytes()));
              assertThat(flood.answers(SUBSCRIPTIONS)).isEqualTo(Map.of("EOSE", SUBSCRIPTIONS));
            }
            assertThat(relay.metric("gambit_subscriptions")).isGreaterThan(REPETITIONS);
          }
        });
  }

  @Test
  void filterValuesOfAConnectionAreLimited() throws Exception {
    String kinds =
        IntStream.range(5000, 15_000).mapToObj(i -> "" + i).collect(Collectors.joining(","));
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < 100; i++) {
      burst.text("[\"REQ\",\"" + i + "\",{\"kinds\":[" + kinds + "],\"limit\":0}]");
    }
    relay.survives(
        () -> {
          for (int i = 0; i < TestEffort.of(1, 10); i++) {
            relay.assertAnswers(burst, Map.of("EOSE", 2, TOO_MANY_VALUES, 98));
          }
        },
        AttackMetrics.queriesRefused("error"));
  }

  @Test
  void aLongFilterValueCountsSeveralTimes() throws Exception {
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < SUBSCRIPTIONS; i++) {
      burst.text("[\"REQ\",\"" + i + "\",{\"#t\":[\"" + "x".repeat(120_000) + i + "\"]}]");
    }
    relay.survives(
        () -> {
          try (ClientGroup<FloodingConnection> floods = new ClientGroup<>()) {
            for (int i = 0; i < TestEffort.of(2, 20); i++) {
              FloodingConnection flood =
                  floods.add(new FloodingConnection(relay.url(), burst.bytes()));
              assertThat(flood.answers(SUBSCRIPTIONS))
                  .isEqualTo(Map.of("EOSE", 10, TOO_MANY_VALUES, SUBSCRIPTIONS - 10));
            }
          }
        },
        AttackMetrics.queriesRefused("error"));
  }

  @Test
  void theMostExpensiveFiltersAreAnsweredInTurnWithOtherClients() throws Exception {
    String strangers =
        IntStream.range(0, 90)
            .mapToObj(i -> "\"" + Keys.of("stranger " + i).pubkey() + "\"")
            .collect(Collectors.joining(","));
    String author = Keys.of("author").pubkey().hex();
    String kinds =
        IntStream.range(1000, 1050).mapToObj(i -> "" + i).collect(Collectors.joining(","));
    String searching = // all authors, kinds and tags exist, but never together
        "{\"authors\":["
            + strangers
            + ",\""
            + author
            + "\"],\"kinds\":["
            + kinds
            + "],\"#t\":[\"everywhere\"],\"#x\":[\"nowhere\"],\"since\":0,\"limit\":5000}";
    String finding = "{\"#t\":[\"everywhere\"],\"since\":0,\"limit\":5000}";
    String twentySearching = (searching + ",").repeat(19) + searching.replace("nowhere", "no");
    String twentyFinding = (finding + ",").repeat(19) + finding;
    FrameBatch burst = new FrameBatch();
    int turns = TestEffort.of(1, 3);
    for (int i = 0; i < turns; i++) {
      burst
          .text("[\"REQ\",\"s" + i + "\"," + twentySearching + "]")
          .text("[\"COUNT\",\"c" + i + "\"," + twentySearching + "]")
          .text("[\"COUNT\",\"all" + i + "\",{}]");
    }
    burst.text("[\"REQ\",\"f\"," + twentyFinding + "]");
    relay.survives(
        () -> {
          try (ClientGroup<FloodingConnection> floods = new ClientGroup<>()) {
            for (int i = 0; i < 4; i++) {
              floods.add(new FloodingConnection(relay.url(), burst.bytes()));
            }
            for (FloodingConnection flood : floods) {
              assertThat(flood.answers(3 * turns + 1 + 5000))
                  .isEqualTo(Map.of("EOSE", turns + 1, "COUNT", 2 * turns, "EVENT", 5000));
            }
          }
        },
        AttackMetrics.messages("req"),
        AttackMetrics.messages("count"));
  }

  @Test
  void endlessReplacementOfASubscriptionDoesNotDelayOtherClients() throws Exception {
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < REPETITIONS; i++) {
      burst.text("[\"REQ\",\"a\",{\"kinds\":[" + (1000 + i % 50) + "],\"limit\":1}]");
    }
    burst.text("[\"REQ\",\"end\",{\"limit\":0}]");
    relay.survives(
        () -> {
          try (FloodingConnection flood = new FloodingConnection(relay.url(), burst.bytes())) {
            assertThat(flood.answersUpTo("end").keySet()).isSubsetOf("EOSE", "EVENT");
          }
        },
        AttackMetrics.messages("req"));
  }

  @Test
  void endlessOpeningAndClosingOfASubscriptionDoesNotDelayOtherClients() throws Exception {
    FrameBatch burst = new FrameBatch();
    for (int i = 0; i < REPETITIONS; i++) {
      burst
          .text("[\"REQ\",\"a\",{\"kinds\":[" + (1000 + i % 50) + "],\"limit\":1}]")
          .text("[\"CLOSE\",\"a\"]");
    }
    burst.text("[\"REQ\",\"end\",{\"limit\":0}]");
    relay.survives(
        () -> {
          try (FloodingConnection flood = new FloodingConnection(relay.url(), burst.bytes())) {
            assertThat(flood.answersUpTo("end").keySet()).isSubsetOf("EOSE", "EVENT");
          }
        },
        AttackMetrics.messages("req"),
        AttackMetrics.messages("close"));
  }
}
