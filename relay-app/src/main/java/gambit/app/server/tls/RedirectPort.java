package gambit.app.server.tls;

import gambit.core.net.EventLoops;
import gambit.core.net.HttpExchange;
import gambit.core.rate.ClientAddress;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The port of plain HTTP beside that of TLS: redirects every request to the domain, and answers the
 * challenge of a certificate authority (RFC 8555, 8.3) while one is open. One request on a
 * connection, which has ten seconds for it; of more than {@value #MAX_CONNECTIONS} connections, or
 * {@value #MAX_OF_ADDRESS} of one address, the oldest is closed. One event loop.
 */
final class RedirectPort implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 256;
  private static final int MAX_OF_ADDRESS = 32;
  private static final int SECONDS = 10;
  private static final String CHALLENGES = "/.well-known/acme-challenge/";

  /** What is answered to the path of a challenge. */
  private record Challenge(String token, String answer) {}

  private final String domain;
  private final EventLoops eventLoop;
  private final Channel server;
  private final Map<Channel, ClientAddress> open = new LinkedHashMap<>(); // the oldest first
  private volatile @Nullable Challenge challenge;

  RedirectPort(InetSocketAddress address, String domain, Consumer<Throwable> onDeath)
      throws IOException {
    this.domain = domain;
    eventLoop = new EventLoops("http-port", 1, EventLoops.io(), onDeath);
    server = HttpExchange.listen(eventLoop, address, Connection::new);
  }

  int port() {
    return ((InetSocketAddress) server.localAddress()).getPort();
  }

  /** Answers a challenge until {@link #endChallenge}. Any thread, one at a time. */
  void answerChallenge(String token, String answer) {
    challenge = new Challenge(token, answer);
  }

  void endChallenge() {
    challenge = null;
  }

  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private void admit(Channel channel) {
    ClientAddress address =
        ClientAddress.of(((InetSocketAddress) channel.remoteAddress()).getAddress());
    if (open.values().stream().filter(address::equals).count() >= MAX_OF_ADDRESS) {
      closeOldest(address::equals);
    } else if (open.size() >= MAX_CONNECTIONS) {
      closeOldest(any -> true);
    }
    open.put(channel, address);
  }

  private void closeOldest(Predicate<ClientAddress> of) {
    open.keySet().stream()
        .filter(channel -> of.test(open.get(channel)))
        .findFirst()
        .ifPresent(
            oldest -> {
              open.remove(oldest);
              oldest.close();
            });
  }

  private final class Connection extends HttpExchange {
    Connection() {
      super(SECONDS);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      admit(ctx.channel());
      requireRequest(ctx, SECONDS);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      open.remove(ctx.channel());
    }

    @Override
    protected void awaitNext(ChannelHandlerContext ctx) {
      ctx.close();
    }

    @Override
    protected void answer(ChannelHandlerContext ctx, HttpRequest request, byte[] body) {
      boolean isHead = request.method().equals(HttpMethod.HEAD);
      boolean isRead = isHead || request.method().equals(HttpMethod.GET);
      if (isRead && request.uri().startsWith(CHALLENGES)) {
        write(ctx, challenge(request.uri().substring(CHALLENGES.length()), isHead), false);
        return;
      }
      FullHttpResponse response =
          response(
              isRead ? HttpResponseStatus.MOVED_PERMANENTLY : HttpResponseStatus.PERMANENT_REDIRECT,
              "",
              false);
      String path = request.uri().startsWith("/") ? request.uri() : "/";
      response.headers().set(HttpHeaderNames.LOCATION, "https://" + domain + path);
      write(ctx, response, false);
    }

    private FullHttpResponse challenge(String token, boolean isHead) {
      Challenge now = challenge;
      return now != null && now.token().equals(token)
          ? response(HttpResponseStatus.OK, now.answer(), isHead)
          : response(HttpResponseStatus.NOT_FOUND, "", false);
    }

    @Override
    protected void refuse(ChannelHandlerContext ctx, HttpResponseStatus status) {
      write(ctx, response(status, "", false), false);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      ctx.close();
    }
  }

  private static FullHttpResponse response(HttpResponseStatus status, String text, boolean isHead) {
    byte[] body = text.getBytes(StandardCharsets.US_ASCII);
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1, status, Unpooled.wrappedBuffer(isHead ? new byte[0] : body));
    response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
    if (body.length > 0) {
      response.headers().set(HttpHeaderNames.CONTENT_TYPE, "text/plain");
    }
    return response;
  }
}
