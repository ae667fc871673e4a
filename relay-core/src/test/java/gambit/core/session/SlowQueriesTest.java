package gambit.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.crypto.Signer;
import gambit.core.model.Filter;
import gambit.core.model.Tags;
import gambit.core.testkit.ClassLog;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SlowQueriesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final String SECRET = "what the client looks for";

  private static final String FILTERS =
      "{\"kinds\":[1,7],\"authors\":[\""
          + ALICE.pubkey().hex()
          + "\"],\"#t\":[\""
          + SECRET
          + "\"],\"since\":1,\"limit\":20},{}";

  @Test
  void aSlowQueryIsLoggedWithTheShapeOfItsFiltersAndWithoutTheirValues() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect();
        ClassLog log = new ClassLog(SlowQueries.class)) {
      relay.logQueriesSlowerThan(Duration.ofNanos(1));
      for (int i = 0; i < 3; i++) {
        client.publishAccepted(ALICE.sign(relay.now() - i, 1, Tags.NONE, "note"));
      }
      client.send("[\"REQ\",\"my subscription\"," + FILTERS + "]").until("EOSE");
      assertThat(log.messages())
          .singleElement()
          .asString()
          .matches(
              "Slow query: REQ of 127\\.0\\.0\\.1 worked for \\d+ ms in \\d+ ms, examined \\d+ entries"
                  + " and found 3 events: \\{1 authors, 2 kinds, 1 #t, since 1, limit 20} \\{}")
          .doesNotContain(SECRET, "my subscription", ALICE.pubkey().hex());
    }
  }

  @Test
  void aSlowCountIsLoggedUnderItsVerb() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect();
        ClassLog log = new ClassLog(SlowQueries.class)) {
      relay.logQueriesSlowerThan(Duration.ofNanos(1));
      client.send("[\"COUNT\",\"c\"," + FILTERS + "]").until("COUNT");
      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith("Slow query: COUNT of 127.0.0.1 worked for ");
    }
  }

  @Test
  void noQueryIsLoggedBelowTheThresholdOrWithoutOne() {
    try (TestRelay relay = new TestRelay();
        Client client = relay.connect();
        ClassLog log = new ClassLog(SlowQueries.class)) {
      client.send("[\"REQ\",\"a\",{}]").until("EOSE");
      relay.logQueriesSlowerThan(Duration.ofHours(1));
      client.send("[\"REQ\",\"b\",{}]").until("EOSE");
      assertThat(log.messages()).isEmpty();
    }
  }

  @Test
  void ofManyFiltersTheFirstThreeAreDescribed() {
    Filter filter = new Filter(Set.of(), null, null, Map.of(), null, 5L, null);
    assertThat(SlowQueries.describe(Collections.nCopies(20, filter)))
        .isEqualTo("{0 ids, until 5} {0 ids, until 5} {0 ids, until 5} and 17 more filters");
    assertThat(SlowQueries.describe(List.of(filter))).isEqualTo("{0 ids, until 5}");
  }
}
