package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.testkit.TestTime;
import gambit.core.wire.Reason;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeenEventsTest {
  private static final int VERY_MANY = 200_000;
  private static final Reason REASON = Reason.invalid("not your turn");

  private final TestTime time = new TestTime();
  private final SeenEvents seen = new SeenEvents(Duration.ofSeconds(60), time);

  @Test
  void eventIsRememberedForAsLongAsItCouldBeFresh() {
    seen.accepted(id(1), null);
    seen.refused(id(2), now(), REASON);
    seen.refused(id(3), now() + 100, REASON);
    time.advance(Duration.ofSeconds(120));
    assertThat(seen.of(id(1))).isPresent();
    assertThat(seen.of(id(2)).orElseThrow().refusal()).contains(REASON);
    time.advance(Duration.ofSeconds(2));
    assertThat(seen.of(id(1))).isEmpty();
    assertThat(seen.of(id(2))).isEmpty();
    assertThat(seen.of(id(3))).as("not fresh for long").isPresent();
    time.advance(Duration.ofSeconds(100));
    assertThat(seen.of(id(3))).isEmpty();
  }

  @Test
  void refusalIsRememberedAfterARestart() {
    Map<String, byte[]> rows = new HashMap<>();
    seen.refused(id(1), now(), REASON).forEach(row -> put(rows, row));
    seen.refused(id(2), now(), null).forEach(row -> put(rows, row));
    SeenEvents again = new SeenEvents(Duration.ofSeconds(60), time);
    again.recover(rows);
    assertThat(again.of(id(1)).orElseThrow().refusal()).contains(REASON);
    assertThat(again.of(id(2)).orElseThrow().refusal()).isEmpty();
    time.advance(Duration.ofSeconds(122));
    assertThat(again.of(id(1))).isEmpty();
    again.refused(id(3), now(), REASON).forEach(row -> put(rows, row));
    assertThat(rows.keySet()).as("rows that are needed").containsExactly(id(3).hex());
  }

  @Test
  void searchesOfOneAddressLeaveRoomForThoseOfOthers() {
    int greedy = 0;
    while (seen.countSearch(Set.of("address", "player " + greedy % 100))) {
      greedy++;
    }
    assertThat(greedy).isEqualTo(VERY_MANY / 2);
    for (int i = 0; i < 20; i++) {
      assertThat(seen.countSearch(Set.of("address " + i, "modest " + i))).isTrue();
    }
    time.advance(Duration.ofSeconds(121));
    assertThat(seen.countSearch(Set.of("address", "player"))).isTrue();
  }

  @Test
  void searchesBeforeARestartCountUntilTheyAreTooOld() {
    Map<String, byte[]> rows = new HashMap<>();
    for (int i = 0; i < VERY_MANY; i++) {
      seen.rows(id(i), null, true).forEach(row -> put(rows, row));
    }
    SeenEvents again = new SeenEvents(Duration.ofSeconds(60), time);
    again.recover(rows);
    assertThat(again.countSearch(Set.of("address", "player"))).isFalse();
    assertThat(again.of(id(0))).as("none is forgotten").isPresent();
    time.advance(Duration.ofSeconds(122));
    assertThat(again.countSearch(Set.of("address", "player"))).isTrue();
  }

  @Test
  void numberOfRowsForRefusalsIsBounded() {
    Map<String, byte[]> rows = new HashMap<>();
    for (int i = 0; i < 50_010; i++) {
      seen.refused(id(i), now(), REASON).forEach(row -> put(rows, row));
    }
    assertThat(rows).hasSize(50_000).doesNotContainKey(id(9).hex()).containsKey(id(10).hex());
  }

  private long now() {
    return time.instant().getEpochSecond();
  }

  @Test
  void refusalsWithoutEffectAreDroppedOldestFirst() {
    for (int i = 0; i < VERY_MANY + 1; i++) {
      seen.refused(id(i), now(), REASON);
    }
    assertThat(seen.of(id(0))).as("the oldest").isEmpty();
    assertThat(seen.of(id(VERY_MANY))).as("the newest").isPresent();
  }

  @Test
  void storedEventIsRememberedOnlyWhileItMayBeUnderWay() {
    seen.stored(id(-1));
    assertThat(seen.of(id(-1))).isPresent();
    for (int i = 0; i < 20_000; i++) {
      seen.stored(id(i));
    }
    assertThat(seen.of(id(-1))).isEmpty();
  }

  @Test
  void storedEventsAreForgottenOldestFirst() {
    for (int i = 0; i <= 20_000; i++) {
      seen.stored(id(i));
      seen.stored(id(1));
    }
    assertThat(seen.of(id(0))).as("the oldest").isEmpty();
    for (int i = 1; i <= 20_000; i++) {
      assertThat(seen.of(id(i))).isPresent();
    }
  }

  @Test
  void unstoredCommandIsRememberedHoweverManyOthersThereAre() {
    seen.accepted(id(-1), null);
    for (int i = 0; i < VERY_MANY; i++) {
      seen.stored(id(i));
      seen.accepted(id(i), null);
    }
    time.advance(Duration.ofSeconds(120));
    assertThat(seen.of(id(-1))).isPresent();
    time.advance(Duration.ofSeconds(2));
    seen.accepted(id(-2), null);
    assertThat(seen.of(id(-1))).isEmpty();
  }

  @Test
  void unstoredCommandIsRememberedAfterARestart() {
    Map<String, byte[]> rows = new HashMap<>();
    seen.rows(id(1), null, false).forEach(row -> put(rows, row));
    seen.rows(id(2), REASON, false).forEach(row -> put(rows, row));
    seen.rows(id(3), null, true).forEach(row -> put(rows, row));
    SeenEvents again = new SeenEvents(Duration.ofSeconds(60), time);
    again.recover(rows);
    assertThat(again.of(id(1)).orElseThrow().refusal()).isEmpty();
    assertThat(again.of(id(1)).orElseThrow().search()).isNull();
    assertThat(again.of(id(2)).orElseThrow().refusal()).contains(REASON);
    assertThat(again.of(id(3)).orElseThrow().search()).isNotNull();
  }

  @Test
  void obsoleteRowsAreRemovedWithLaterOnes() {
    Map<String, byte[]> rows = new HashMap<>();
    for (int i = 0; i < 10; i++) {
      seen.rows(id(i), null, false).forEach(row -> put(rows, row));
      seen.accepted(id(i), null);
    }
    assertThat(rows).hasSize(10);
    time.advance(Duration.ofSeconds(122));
    for (int i = 10; i < 13; i++) {
      seen.rows(id(i), null, false).forEach(row -> put(rows, row));
      seen.accepted(id(i), null);
    }
    assertThat(rows.keySet()).containsExactlyInAnyOrder(id(10).hex(), id(11).hex(), id(12).hex());
  }

  @Test
  void rowsFromBeforeARestartAreRemovedOldestFirst() {
    Map<String, byte[]> rows = new LinkedHashMap<>();
    seen.rows(id(9), null, false).forEach(row -> put(rows, row));
    time.advance(Duration.ofSeconds(60));
    Map<String, byte[]> found = new LinkedHashMap<>();
    seen.rows(id(1), null, false).forEach(row -> put(found, row)); // later, and found before it
    found.putAll(rows);
    SeenEvents again = new SeenEvents(Duration.ofSeconds(60), time);
    again.recover(found);
    time.advance(Duration.ofSeconds(62));
    again.rows(id(2), null, false).forEach(row -> put(found, row));
    assertThat(found.keySet()).containsExactlyInAnyOrder(id(1).hex(), id(2).hex());
  }

  @Test
  void countedRefusalIsRememberedHoweverManyOthersThereAre() {
    seen.counted(id(-1), REASON);
    for (int i = 0; i < 50_001; i++) {
      seen.refused(id(i), now(), REASON);
    }
    assertThat(seen.of(id(-1)).orElseThrow().refusal()).contains(REASON);
    assertThat(seen.of(id(0))).as("one too many").isEmpty();
    assertThat(seen.of(id(1))).isPresent();
  }

  @Test
  void resultOfAConnectIsRememberedWithIt() {
    ColourNotifications search = new ColourNotifications();
    seen.accepted(id(1), search);
    assertThat(seen.of(id(1)).orElseThrow().search()).isSameAs(search);
  }

  private static void put(Map<String, byte[]> rows, Row row) {
    String key = HexFormat.of().formatHex(row.key());
    if (row.value() == null) {
      rows.remove(key);
    } else {
      rows.put(key, row.value());
    }
  }

  private static EventId id(int number) {
    return new EventId(ByteBuffer.allocate(32).putInt(number).array());
  }
}
