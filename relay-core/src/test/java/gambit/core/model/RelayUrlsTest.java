package gambit.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RelayUrlsTest {
  private final RelayUrls urls =
      new RelayUrls(List.of("wss://Relay.example.com", "ws://localhost:7447", "wss://x.example/a"));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "wss://relay.example.com",
        "wss://relay.example.com/",
        "ws://relay.example.com",
        "WSS://RELAY.EXAMPLE.COM:443//",
        "ws://localhost:7447/",
        "wss://x.example/a/"
      })
  void equivalentUrlsNameTheSameRelay(String url) {
    assertThat(urls.contains(url)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "relay.example.com",
        "https://relay.example.com",
        "wss://relay.example.com:7447",
        "wss://relay.example.com.evil.example",
        "wss://relay.example.com@evil.example",
        "wss://evil.example/relay.example.com",
        "ws://localhost",
        "ws://localhost:7448",
        "wss://x.example",
        "wss://x.example/b",
        "wss://",
        "wss:// x",
        "ws://[::1"
      })
  void otherUrlsDoNotNameThisRelay(String url) {
    assertThat(urls.contains(url)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "http://localhost", "localhost:7447", "ws://"})
  void constructorRefusesATextThatIsNotARelayUrl(String url) {
    assertThatThrownBy(() -> new RelayUrls(List.of(url)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
