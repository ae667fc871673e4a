package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The header that a proxy sends before the first request (PROXY protocol, versions 1 and 2). A
 * limit of one connection for each address shows which address the relay uses.
 */
class ProxyProtocolTest {
  private static final byte[] SIGNATURE =
      HexFormat.of().parseHex("0d0a0d0a000d0a515549540a"); // section 2.2

  private static final int LOCAL = 0x20;
  private static final int PROXY = 0x21;
  private static final int UNSPECIFIED = 0x00;
  private static final int TCP_OVER_IPV4 = 0x11;
  private static final int TCP_OVER_IPV6 = 0x21;
  private static final int UNIX_STREAM = 0x31;

  private final TestRelay relay = relay("127.0.0.1");

  private static TestRelay relay(String proxy) {
    return new TestRelay(
        TestLimits.connections(10, 1),
        RateLimits.NONE,
        new TransportSettings(false, TrustedProxies.parse(List.of(proxy))));
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @Test
  void sourceAddressIsTheClients() throws IOException {
    assertIsFrom("203.0.113.7", header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1")));
    assertIsFrom(
        "2001:db8:1:2::7", header(PROXY, TCP_OVER_IPV6, addresses("2001:db8:1:2::8", "::1")));
  }

  @Test
  void ipv4MappedAddressIsIpv4() throws IOException {
    ByteArrayOutputStream addresses = new ByteArrayOutputStream();
    addresses.writeBytes(HexFormat.of().parseHex("00000000000000000000ffffcb007107"));
    addresses.writeBytes(InetAddress.getByName("::1").getAddress());
    addresses.writeBytes(new byte[4]);
    assertIsFrom("203.0.113.7", header(PROXY, TCP_OVER_IPV6, addresses.toByteArray()));
  }

  @Test
  void version1IsRead() throws IOException {
    assertIsFrom("203.0.113.7", ascii("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n"));
    assertIsFrom("2001:db8::7", ascii("PROXY TCP6 2001:db8::8 ::1 4711 80\r\n"));
    assertIsFrom("127.0.0.1", ascii("PROXY UNKNOWN\r\n"));
    assertIsFrom("127.0.0.1", ascii("PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n"));
  }

  @Test
  void localAndUnknownConnectionsHaveTheProxysAddress() throws IOException {
    assertIsFrom("127.0.0.1", header(LOCAL, UNSPECIFIED, new byte[0]));
    assertIsFrom("127.0.0.1", header(LOCAL, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1")));
    assertIsFrom("127.0.0.1", header(PROXY, UNSPECIFIED, new byte[0]));
    assertIsFrom("127.0.0.1", header(PROXY, UNSPECIFIED, new byte[20]));
    assertIsFrom("127.0.0.1", header(PROXY, UNIX_STREAM, new byte[216]));
    assertIsFrom("127.0.0.1", new byte[0]);
  }

  @Test
  void extensionsOfTheHeaderAreSkipped() throws IOException {
    ByteArrayOutputStream more = new ByteArrayOutputStream();
    more.writeBytes(addresses("203.0.113.7", "10.0.0.1"));
    more.writeBytes(new byte[] {0x01, 0, 2, 'h', '2'}); // the protocol above
    more.writeBytes(new byte[] {0x03, 0, 4, 1, 2, 3, 4}); // a checksum
    more.writeBytes(new byte[] {0x04, 0, 0}); // padding
    more.writeBytes(new byte[] {0x20, 0, 13, 1, 0, 0, 0, 0, 0x21, 0, 5, '1', '.', '3', 'x', 'y'});
    more.writeBytes(new byte[] {(byte) 0xea, 1, 0});
    more.writeBytes(new byte[256]);
    assertIsFrom("203.0.113.7", header(PROXY, TCP_OVER_IPV4, more.toByteArray()));
  }

  @Test
  void headerMayArriveByteByByte() throws IOException {
    byte[] header = header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1"));
    try (RawSocket raw = new RawSocket(relay.uri())) {
      for (byte one : header) {
        raw.write(new byte[] {one});
      }
      raw.write(RawSocket.UPGRADE);
      raw.readUpgradeAnswer();
      assertThat(statusFor("203.0.113.7")).isEqualTo(429);
      assertThat(statusFor("127.0.0.1")).isEqualTo(101);
    }
  }

  @Test
  void forwardedAddressIsTrustedFromATrustedProxyOnly() throws IOException {
    byte[] fromProxy = header(PROXY, TCP_OVER_IPV4, addresses("127.0.0.1", "10.0.0.1"));
    byte[] fromOther = header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.9", "10.0.0.1"));
    try (RawSocket raw = new RawSocket(relay.uri());
        RawSocket other = new RawSocket(relay.uri())) {
      raw.write(fromProxy);
      raw.write(RawSocket.upgradeWith("X-Forwarded-For: 203.0.113.7"));
      raw.readUpgradeAnswer();
      other.write(fromOther);
      other.write(RawSocket.upgradeWith("X-Forwarded-For: 203.0.113.8"));
      other.readUpgradeAnswer();
      assertThat(statusFor("203.0.113.7")).isEqualTo(429);
      assertThat(statusFor("203.0.113.8")).isEqualTo(101);
      assertThat(statusFor("203.0.113.9")).isEqualTo(429);
    }
  }

  @Test
  void headerAppliesToEveryRequestOfTheConnection() throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1")));
      for (int i = 0; i < 2; i++) {
        raw.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
      }
      raw.write(RawSocket.UPGRADE);
      raw.readUpgradeAnswer();
      assertThat(statusFor("203.0.113.7")).isEqualTo(429);
    }
  }

  /** Version, command, family and length that are none (section 2.2). */
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "1111000c000000000000000000000000", // version 1
        "2f11000c000000000000000000000000", // a command that there is not
        "2141000c000000000000000000000000", // a family that there is not
        "21110004000000000000000000000000", // too short for two addresses
        "2121000c000000000000000000000000" // too short for two of IPv6
      })
  void malformedHeaderClosesTheConnectionWithoutAnAnswer(String rest) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(SIGNATURE);
      raw.write(HexFormat.of().parseHex(rest));
      assertThat(raw.isAtEnd()).isTrue();
    }
    assertThat(statusFor("127.0.0.1")).isEqualTo(101);
  }

  @Test
  void incompleteHeaderIsClosedAtTheDeadline() throws IOException {
    byte[] header = header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1"));
    try (TestRelay impatient =
        new TestRelay(
            TestLimits.handshakeSeconds(1),
            RateLimits.NONE,
            new TransportSettings(false, TrustedProxies.parse(List.of("127.0.0.1"))))) {
      List<RawSocket> clients = new ArrayList<>();
      for (int length : new int[] {1, 11, 12, 13, 16, 27}) {
        RawSocket raw = new RawSocket(impatient.uri());
        clients.add(raw);
        raw.write(Arrays.copyOf(header, length));
      }
      for (RawSocket raw : clients) {
        assertThat(raw.readHead()).startsWith("HTTP/1.1 408 ");
        assertThat(raw.isAtEnd()).isTrue();
        raw.close();
      }
    }
  }

  @Test
  void headerFromAnUntrustedAddressIsABadRequest() throws IOException {
    try (TestRelay other = relay("127.0.0.2")) {
      for (byte[] header :
          List.of(
              header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1")),
              ascii("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n"))) {
        try (RawSocket raw = new RawSocket(other.uri())) {
          raw.write(header);
          raw.write(RawSocket.UPGRADE);
          assertThat(raw.readHead()).startsWith("HTTP/1.1 400 ");
          assertThat(raw.isAtEnd()).isTrue();
        }
      }
    }
  }

  @Test
  void secondHeaderIsABadRequest() throws IOException {
    byte[] header = header(PROXY, TCP_OVER_IPV4, addresses("203.0.113.7", "10.0.0.1"));
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(header);
      raw.write(header);
      raw.write(RawSocket.UPGRADE);
      assertThat(raw.readHead()).startsWith("HTTP/1.1 400 ");
    }
  }

  /** A client with this header occupies the one place of that address, and no other. */
  private void assertIsFrom(String address, byte[] header) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(header);
      raw.write(RawSocket.UPGRADE);
      raw.readUpgradeAnswer();
      assertThat(raw.isServed()).isTrue();
      assertThat(statusFor(address)).as("the place of %s", address).isEqualTo(429);
      if (!address.equals("127.0.0.1")) {
        assertThat(statusFor("127.0.0.1")).as("the place of the proxy").isEqualTo(101);
      }
    }
    await().until(() -> relay.metrics().read("connections") == 0);
  }

  /** What one is told who is at an address by the word of {@code X-Forwarded-For}. */
  private int statusFor(String address) throws IOException {
    try (RawSocket raw = new RawSocket(relay.uri())) {
      raw.write(RawSocket.upgradeWith("X-Forwarded-For: " + address));
      return Integer.parseInt(raw.readHead().split(" ")[1]);
    }
  }

  private static byte[] header(int command, int family, byte[] rest) {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.writeBytes(SIGNATURE);
    header.write(command);
    header.write(family);
    header.write(rest.length >> 8);
    header.write(rest.length);
    header.writeBytes(rest);
    return header.toByteArray();
  }

  private static byte[] addresses(String source, String destination) throws IOException {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(InetAddress.getByName(source).getAddress());
    both.writeBytes(InetAddress.getByName(destination).getAddress());
    both.writeBytes(new byte[] {0x12, 0x67, 0, 80}); // the ports
    return both.toByteArray();
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
