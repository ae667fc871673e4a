package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.dialect.Notification;
import gambit.chess.session.play.ReturningPlayers.MissedEnding;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MissedEndingsTest {
  private static final Event EVENT =
      Keys.of("relay").sign(1, 5000, new Tags(List.of(List.of("e", "x"))), "gamelost");

  private final ReturningPlayers.MissedEndings endings =
      new ReturningPlayers.MissedEndings(player -> 1);

  @Test
  void endingsAreReadBackFromTheirRows() {
    MissedEnding numbered = ending(1, 1, 20);
    MissedEnding plain = new MissedEnding(player(1), game(2), new Notification(EVENT, null), 10);
    endings.recover(rows(numbered, plain));
    assertThat(endings.of(player(1))).as("the oldest first").containsExactly(plain, numbered);
    assertThat(endings.of(player(1)).get(0).notice().event().toString())
        .isEqualTo(EVENT.toString());
  }

  @Test
  void unreadableRowIsReported() {
    Map<String, byte[]> rows = rows(ending(1, 1, 1));
    rows.replaceAll((key, value) -> new byte[] {9});
    assertThatThrownBy(() -> endings.recover(rows)).isInstanceOf(UnreadableRows.class);
  }

  @Test
  void oldestEndingIsDroppedBeyondThePlayersBound() {
    for (int i = 0; i < ReturningPlayers.MissedEndings.MAX_OF_PLAYER; i++) {
      assertThat(endings.add(ending(1, i, i))).isEmpty();
    }
    assertThat(endings.add(ending(2, 99, 99))).isEmpty();
    assertThat(endings.add(ending(1, 100, 100))).containsExactly(ending(1, 0, 0));
    assertThat(endings.of(player(1))).hasSize(ReturningPlayers.MissedEndings.MAX_OF_PLAYER);
  }

  @Test
  void asManyEndingsAreKeptAsThePlayerMayHaveGames() {
    ReturningPlayers.MissedEndings ofTheHouse =
        new ReturningPlayers.MissedEndings(player -> player.equals(player(1)) ? 20 : 1);
    for (int i = 0; i < 20; i++) {
      assertThat(ofTheHouse.add(ending(1, i, i))).isEmpty();
    }
    assertThat(ofTheHouse.add(ending(1, 100, 100))).containsExactly(ending(1, 0, 0));
  }

  @Test
  void oldestEndingIsDroppedBeyondTheTotalBound() {
    for (int i = 0; i < ReturningPlayers.MissedEndings.MAX_ENDINGS; i++) {
      assertThat(endings.add(ending(i, i, i))).isEmpty();
    }
    int last = ReturningPlayers.MissedEndings.MAX_ENDINGS;
    assertThat(endings.add(ending(1, last, last))).containsExactly(ending(0, 0, 0));
    assertThat(endings.of(player(0))).isEmpty();
  }

  @Test
  void onlyEndingsPastTheirTimeExpire() {
    endings.add(ending(2, 2, 20)); // an ending of a slow game waits longer than later ones
    endings.add(ending(1, 1, 10));
    assertThat(endings.expire(9)).isEmpty();
    assertThat(endings.expire(10)).containsExactly(ending(1, 1, 10));
    assertThat(endings.remove(ending(1, 1, 10))).isFalse();
    assertThat(endings.remove(ending(2, 2, 20))).isTrue();
    assertThat(endings.of(player(2))).isEmpty();
  }

  private static MissedEnding ending(int player, int game, long until) {
    return new MissedEnding(player(player), game(game), new Notification(EVENT, 5000), until);
  }

  private static PubKey player(int number) {
    return new PubKey(bytes(number));
  }

  private static EventId game(int number) {
    return new EventId(bytes(number));
  }

  private static byte[] bytes(int number) {
    return ByteBuffer.allocate(32).putInt(number).array();
  }

  private static Map<String, byte[]> rows(MissedEnding... endings) {
    Map<String, byte[]> rows = new HashMap<>();
    for (MissedEnding ending : endings) {
      Row row = ending.row();
      rows.put(HexFormat.of().formatHex(row.key()), row.value());
    }
    return rows;
  }
}
