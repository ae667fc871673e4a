package gambit.core.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The network address that identifies a client: an IPv4 address, or the first 64 bits of an IPv6
 * address, because one household or rented server has the whole /64 (RFC 6177). Immutable.
 */
public record ClientAddress(boolean isIpv6, long bits) {
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)(?:\\.(?!$)|$)){4}");

  /** With a colon, and without a dot at the beginning, Java looks no name up. */
  private static final Pattern IPV6 =
      Pattern.compile("(?!\\.)[0-9A-Fa-f:.]{0,45}:[0-9A-Fa-f:.]{0,45}");

  /** The client address of a socket's address; an IPv4-mapped IPv6 address counts as IPv4. */
  public static ClientAddress of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new ClientAddress(true, bytes.getLong())
        : new ClientAddress(false, bytes.getInt());
  }

  /**
   * Reads an address in numbers, of an IPv6 one with or without {@code /64}; empty if the text is
   * anything else. Names are not looked up.
   */
  public static Optional<ClientAddress> parse(String text) {
    String address = text.contains(":") ? text.replaceFirst("/64$", "") : text;
    if (!IPV4.matcher(address).matches() && !IPV6.matcher(address).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(of(InetAddress.getByName(address)));
    } catch (UnknownHostException e) {
      return Optional.empty();
    }
  }

  /** Whether it is an address of this machine, by which it connects to itself. */
  public boolean isLoopback() {
    return isIpv6 ? bits == 0 : (int) bits >>> 24 == 127;
  }

  @Override
  public String toString() {
    byte[] address =
        isIpv6
            ? ByteBuffer.allocate(16).putLong(bits).array()
            : ByteBuffer.allocate(Integer.BYTES).putInt((int) bits).array();
    try {
      return InetAddress.getByAddress(address).getHostAddress() + (isIpv6 ? "/64" : "");
    } catch (UnknownHostException e) {
      throw new IllegalStateException("the address has a valid length", e);
    }
  }
}
