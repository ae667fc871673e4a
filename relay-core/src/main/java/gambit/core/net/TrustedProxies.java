package gambit.core.net;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of the proxies in front of the relay. Only they may name the client for which they
 * forward; from other addresses that information is ignored. Immutable.
 */
public final class TrustedProxies {
  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  /** An address as proxies write it: IPv6 in brackets or not, with a port or not (RFC 7239). */
  private static final Pattern ADDRESS =
      Pattern.compile("\\[([^\\]]+)\\](?::\\d+)?|([^:]+)(?::\\d+)?|(.+)");

  private final List<IpSubnetFilterRule> ranges;

  private TrustedProxies(List<IpSubnetFilterRule> ranges) {
    this.ranges = List.copyOf(ranges);
  }

  /**
   * Parses addresses and ranges, such as {@code 10.0.0.0/8} and {@code ::1}.
   *
   * @throws IllegalArgumentException when one is neither
   */
  public static TrustedProxies parse(List<String> ranges) {
    return new TrustedProxies(ranges.stream().map(TrustedProxies::range).toList());
  }

  private static IpSubnetFilterRule range(String text) {
    String[] parts = text.split("/", 2);
    InetAddress address = NetUtil.createInetAddressFromIpAddressString(parts[0]);
    if (address == null) {
      throw new IllegalArgumentException("\"" + text + "\" is not an address or a range of them");
    }
    int bits = address.getAddress().length * Byte.SIZE;
    try {
      int prefix = parts.length == 1 ? bits : Integer.parseInt(parts[1]);
      return new IpSubnetFilterRule(address, prefix, IpFilterRuleType.ACCEPT);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("\"" + text + "\" has an invalid prefix length", e);
    }
  }

  /** Whether a proxy has that address. */
  public boolean include(InetAddress address) {
    if (ranges.isEmpty()) {
      return false;
    }
    InetSocketAddress socket = new InetSocketAddress(address, 0);
    return ranges.stream().anyMatch(range -> range.matches(socket));
  }

  /**
   * The client's address: each proxy has appended the address for which it forwards, so the last
   * one that is not a proxy's is the client's.
   *
   * @param nearest the address that has connected
   * @param forwardedFor the values of {@code X-Forwarded-For}, in order
   */
  InetAddress client(InetAddress nearest, List<String> forwardedFor) {
    if (ranges.isEmpty()) {
      return nearest;
    }
    String[] chain = String.join(",", forwardedFor).split(",", -1);
    InetAddress client = nearest;
    for (int i = chain.length - 1; i >= 0 && include(client); i--) {
      InetAddress before = address(chain[i].trim());
      if (before == null) {
        break;
      }
      client = before;
    }
    return client;
  }

  private static @Nullable InetAddress address(String text) {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      return null;
    }
    for (int group = 1; group <= parts.groupCount(); group++) {
      if (parts.group(group) != null) {
        return NetUtil.createInetAddressFromIpAddressString(parts.group(group));
      }
    }
    return null;
  }
}
