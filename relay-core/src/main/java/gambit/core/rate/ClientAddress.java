package gambit.core.rate;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where a client comes from, as far as one client can be told from another: an IPv4 address, or the
 * first 64 bits of an IPv6 address, because a household or a rented machine has all of the rest
 * (RFC 6177). Immutable.
 */
public record ClientAddress(boolean isIpv6, long bits) {

  /** The address behind a socket; IPv4 in the form of IPv6 is IPv4. */
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
      throw new IllegalStateException("an address of a right length", e);
    }
  }
}
