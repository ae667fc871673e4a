package gambit.core.rate;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses count as one client. */
class ClientAddressTest {

  @ParameterizedTest
  @CsvSource({
    "192.0.2.1, 192.0.2.1",
    "255.255.255.255, 255.255.255.255",
    "0.0.0.0, 0.0.0.0",
    "::ffff:192.0.2.1, 192.0.2.1",
    "2001:db8:1:2:3:4:5:6, 2001:db8:1:2:0:0:0:0/64",
    "2001:db8:1:2::, 2001:db8:1:2:0:0:0:0/64",
    "::1, 0:0:0:0:0:0:0:0/64",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff, ffff:ffff:ffff:ffff:0:0:0:0/64"
  })
  void addressIsPrintedWithItsIpv6Prefix(String address, String name) throws UnknownHostException {
    assertThat(ClientAddress.of(InetAddress.getByName(address))).hasToString(name);
  }

  @Test
  void addressesOfOneIpv6Slash64AreOneClientAndOthersAreNot() throws UnknownHostException {
    ClientAddress one = of("2001:db8:1:2::1");
    assertThat(of("2001:db8:1:2:ffff:ffff:ffff:ffff")).isEqualTo(one).hasSameHashCodeAs(one);
    assertThat(of("2001:db8:1:3::1")).isNotEqualTo(one);
    assertThat(of("192.0.2.2")).isNotEqualTo(of("192.0.2.1"));
    assertThat(of("0.0.0.0")).as("all zeros in either family").isNotEqualTo(of("::"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", ".:1", ":", "::1::", "192.0.2.256", "192.0.2.1/64", "2001:db8::/32"})
  void textThatIsNoAddressInNumbersIsNone(String text) {
    assertThat(ClientAddress.parse(text)).isEmpty();
  }

  private static ClientAddress of(String address) throws UnknownHostException {
    return ClientAddress.of(InetAddress.getByName(address));
  }
}
