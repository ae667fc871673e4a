package gambit.app.tool.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.tool.sync.PeerSettings.Direction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerSettingsTest {

  @Test
  void aPeerHasADirectionARateAndAFilter() {
    PeerSettings peer =
        PeerSettings.parse(" wss://a.example  down rate=7 {\"kinds\": [1, 64], \"since\": 5} ");
    assertThat(peer.url()).hasToString("wss://a.example");
    assertThat(peer.direction()).isEqualTo(Direction.DOWN);
    assertThat(peer.rate()).isEqualTo(7);
    assertThat(peer.filter().since()).isEqualTo(5);
    assertThat(peer.filter().json()).isEqualTo("{\"kinds\":[1,64],\"since\":5}");
  }

  @Test
  void withoutARateAndAFilterEverythingIsMirroredAtTheDefaultRate() {
    PeerSettings peer = PeerSettings.parse("ws://a.example both");
    assertThat(peer.rate()).isEqualTo(PeerSettings.DEFAULT_RATE);
    assertThat(peer.filter().json()).isEqualTo("{}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ws://a.example                       | expected URL DIRECTION",
        "http://a.example both                | ws",
        "ws://a.example sideways              | expected up, down or both",
        "ws://a.example up rate=fast          | expected a rate",
        "ws://a.example up rate=99999999      | expected a rate",
        "ws://a.example up {                  | expected a filter in JSON",
        "ws://a.example up {},{}              | expected a filter in JSON",
        "ws://a.example up {\"limit\":5}      | without a limit",
        "ws://a.example up {\"kinds\":\"x\"}  | expected a filter in JSON",
        "ws://a.example up {\"search\":\"x\"} | expected a filter",
      })
  void aFaultyPeerIsRefusedWithWhatWasExpected(String text, String expected) {
    assertThatThrownBy(() -> PeerSettings.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void aSmallerWindowKeepsTheEndsOfTheFilter() {
    SyncFilter filter = SyncFilter.parse("{\"since\":10,\"until\":20}");
    assertThat(filter.within(0, 15).json()).isEqualTo("{\"since\":10,\"until\":15}");
    assertThat(filter.within(15, SyncFilter.FOREVER).json(3))
        .isEqualTo("{\"since\":15,\"until\":20,\"limit\":3}");
  }
}
