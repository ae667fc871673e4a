package gambit.app.common;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;

/** The URLs of ports of this machine. */
public final class LocalUrls {
  private LocalUrls() {}

  public static String of(String scheme, String host, int port) {
    return scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }

  /** A URL with the address on which a port listens, or loopback if it listens on all. */
  public static URI reachable(String scheme, InetSocketAddress listening) {
    InetAddress address = listening.getAddress();
    InetAddress reachable =
        address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address;
    return URI.create(of(scheme, reachable.getHostAddress(), listening.getPort()));
  }
}
