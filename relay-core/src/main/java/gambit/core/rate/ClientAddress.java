package gambit.core.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The network address that identifies a client: an IPv4 address, or the first 64 bits of an IPv6
 * address, because one household or rented server has the whole /64 (RFC 6177). Immutable.
 */
public record ClientAddress(boolean isIpv6, long bits) {

  /** The client address of a socket's address; an IPv4-mapped IPv6 address counts as IPv4. */
  public static ClientAddress of(InetAddress address) {
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    return address instanceof Inet6Address
        ? new ClientAddress(true, bytes.getLong())
        : new ClientAddress(false, bytes.getInt());
  }

  @Override
  public String toString() {
    ByteBuffer bytes = ByteBuffer.allocate(16);
    try {
      return isIpv6
          ? InetAddress.getByAddress(bytes.putLong(bits).array()).getHostAddress() + "/64"
          : InetAddress.getByAddress(Arrays.copyOf(bytes.putInt((int) bits).array(), Integer.BYTES))
              .getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("the address has a valid length", e);
    }
  }
}
