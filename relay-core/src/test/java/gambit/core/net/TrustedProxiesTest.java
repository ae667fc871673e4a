package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proxies whose headers are trusted, and the client addresses in them. */
class TrustedProxiesTest {
  private static final TrustedProxies PROXIES =
      TrustedProxies.parse(List.of("127.0.0.1", "10.0.0.0/8", "2001:db8:f::/48"));

  @ParameterizedTest
  @CsvSource({
    "127.0.0.1, true",
    "127.0.0.2, false",
    "10.0.0.0, true",
    "10.255.255.255, true",
    "11.0.0.0, false",
    "::ffff:10.1.2.3, true",
    "2001:db8:f:ffff::1, true",
    "2001:db8:e::1, false",
    "::1, false"
  })
  void addressesInARangeAreTrusted(String address, boolean isIncluded) throws UnknownHostException {
    assertThat(PROXIES.include(InetAddress.getByName(address))).isEqualTo(isIncluded);
    assertThat(TrustedProxies.NONE.include(InetAddress.getByName(address))).isFalse();
  }

  @Test
  void everyAddressMayBeTrusted() throws UnknownHostException {
    TrustedProxies all = TrustedProxies.parse(List.of("0.0.0.0/0", "::/0"));
    assertThat(all.include(InetAddress.getByName("203.0.113.1"))).isTrue();
    assertThat(all.include(InetAddress.getByName("2001:db8::1"))).isTrue();
    assertThat(all.client(InetAddress.getByName("10.0.0.1"), List.of("1.1.1.1,2.2.2.2")))
        .isEqualTo(InetAddress.getByName("1.1.1.1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost",
        "proxy.example",
        "10.0.0",
        "10.0.0.0/33",
        "10.0.0.0/-1",
        "10.0.0.0/x",
        "10.0.0.0/",
        "::1/129",
        "10.0.0.1:80",
        "10.0.0.0/8/8"
      })
  void invalidRangeIsRefusedAndQuoted(String range) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> TrustedProxies.parse(List.of(range)))
        .withMessageContaining("\"" + range + "\"");
  }

  @ParameterizedTest(name = "{0} → {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "203.0.113.7 | 203.0.113.7",
        "  203.0.113.7  | 203.0.113.7",
        "203.0.113.7:4711 | 203.0.113.7",
        "2001:db8::7 | 2001:db8::7",
        "[2001:db8::7] | 2001:db8::7",
        "[2001:db8::7]:4711 | 2001:db8::7",
        "::ffff:203.0.113.7 | 203.0.113.7",
        "198.51.100.9, 203.0.113.7 | 203.0.113.7",
        "10.9.9.9, 203.0.113.7 | 203.0.113.7",
        "127.0.0.1,198.51.100.9,203.0.113.7 | 203.0.113.7",
        "203.0.113.7, 10.0.0.2, 10.0.0.1 | 203.0.113.7",
        "198.51.100.9, 203.0.113.7, 2001:db8:f::2 | 203.0.113.7",
        "10.0.0.2, 10.0.0.1 | 10.0.0.2",
        "203.0.113.7, unknown | 127.0.0.1",
        "203.0.113.7, unknown, 10.0.0.2 | 10.0.0.2",
        "203.0.113.7, | 127.0.0.1",
        "203.0.113.7, _hidden | 127.0.0.1",
        "203.0.113.7, 1.2.3 | 127.0.0.1",
        "203.0.113.7, 1.2.3.4.5 | 127.0.0.1",
        "203.0.113.7, 300.0.0.1 | 127.0.0.1",
        "203.0.113.7, client.example | 127.0.0.1",
        "203.0.113.7, [2001:db8::7 | 127.0.0.1",
        "203.0.113.7, 1.2.3.4:x | 127.0.0.1",
        "'' | 127.0.0.1"
      })
  void clientIsTheNearestUntrustedAddress(String header, String client)
      throws UnknownHostException {
    assertThat(PROXIES.client(InetAddress.getByName("127.0.0.1"), List.of(header)))
        .isEqualTo(InetAddress.getByName(client));
  }

  @Test
  void severalHeadersFormOneList() throws UnknownHostException {
    InetAddress proxy = InetAddress.getByName("127.0.0.1");
    assertThat(PROXIES.client(proxy, List.of("6.6.6.6", "203.0.113.7, 10.0.0.2", "10.0.0.1")))
        .isEqualTo(InetAddress.getByName("203.0.113.7"));
    assertThat(PROXIES.client(proxy, List.of())).isEqualTo(proxy);
  }

  @Test
  void headersFromUntrustedAddressesAreIgnored() throws UnknownHostException {
    InetAddress stranger = InetAddress.getByName("198.51.100.9");
    assertThat(PROXIES.client(stranger, List.of("203.0.113.7"))).isEqualTo(stranger);
    InetAddress proxy = InetAddress.getByName("127.0.0.1");
    assertThat(TrustedProxies.NONE.client(proxy, List.of("203.0.113.7"))).isEqualTo(proxy);
  }
}
