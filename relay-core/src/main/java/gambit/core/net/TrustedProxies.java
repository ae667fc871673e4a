package gambit.core.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.ProtocolDetectionState;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.AttributeKey;
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
  /** The address of a channel's client, if a proxy has named it by the PROXY protocol. */
  static final AttributeKey<InetAddress> SOURCE = AttributeKey.valueOf("gambit.source");

  public static final TrustedProxies NONE = new TrustedProxies(List.of());

  /** An address as some proxies write it: IPv6 in brackets, with a port or not (RFC 7239). */
  private static final Pattern WITH_PORT =
      Pattern.compile("\\[([^\\]]+)\\](?::\\d+)?|([^:]+):\\d+");

  private final List<IpSubnetFilterRule> ranges;

  private TrustedProxies(List<IpSubnetFilterRule> ranges) {
    this.ranges = List.copyOf(ranges);
  }

  /**
   * Parses addresses and ranges, such as {@code 10.0.0.0/8} and {@code ::1}; anything else is an
   * {@link IllegalArgumentException}.
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

  /** The address of a channel's client, as the PROXY protocol names it, or else of its socket. */
  static InetAddress source(Channel channel) {
    InetAddress named = channel.hasAttr(SOURCE) ? channel.attr(SOURCE).get() : null;
    return named == null ? Clients.peer(channel) : named;
  }

  public boolean include(InetAddress address) {
    if (ranges.isEmpty()) {
      return false;
    }
    InetSocketAddress socket = new InetSocketAddress(address, 0);
    return ranges.stream().anyMatch(range -> range.matches(socket));
  }

  /**
   * The client's address: each proxy has appended the address for which it forwards to {@code
   * X-Forwarded-For}, so the last one that is not a proxy's is the client's.
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
    Matcher parts = WITH_PORT.matcher(text);
    return NetUtil.createInetAddressFromIpAddressString(
        parts.matches() ? parts.replaceFirst("$1$2") : text);
  }

  /**
   * The PROXY protocol (version 2 or 1): the header in which a trusted proxy may name the client
   * before the first request. Removes itself from the pipeline once the header is read, or is known
   * to be absent. On the channel's event loop.
   */
  static final class ProxyProtocol extends ByteToMessageDecoder {
    /** The most bytes of a header's extensions (TLVs), which are ignored. */
    private static final int MAX_EXTENSION_BYTES = 1024;

    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      ProtocolDetectionState begin = HAProxyMessageDecoder.detectProtocol(in).state();
      if (begin == ProtocolDetectionState.DETECTED) {
        ctx.pipeline().addAfter(ctx.name(), "source", new HeaderHandler());
        ctx.pipeline()
            .addAfter(ctx.name(), "proxy-header", new HAProxyMessageDecoder(MAX_EXTENSION_BYTES));
      }
      if (begin != ProtocolDetectionState.NEEDS_MORE_DATA) {
        ctx.pipeline().remove(this);
      }
    }

    /** Stores the client's address; the header of a proxy's own health check has none. */
    private static final class HeaderHandler extends SimpleChannelInboundHandler<HAProxyMessage> {
      @Override
      protected void channelRead0(ChannelHandlerContext ctx, HAProxyMessage header) {
        AddressFamily family = header.proxiedProtocol().addressFamily();
        if (family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6) {
          InetAddress source = NetUtil.createInetAddressFromIpAddressString(header.sourceAddress());
          ctx.channel().attr(SOURCE).set(source);
        }
        ctx.pipeline().remove(this);
      }
    }
  }
}
