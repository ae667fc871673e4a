package gambit.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.WebPage.ContentPolicy;
import gambit.core.net.WebPage.WebFile;
import gambit.core.rate.RateLimits;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestLimits;
import gambit.core.testkit.TestRelay;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Requests and answers of one connection that overlap with its deadlines and its end. */
class HttpExchangeTest {
  private static final String BEGUN_POST =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n";

  /** More than the buffers of a socket take. */
  private static final ByteBuffer LARGE = ByteBuffer.allocate(16 << 20).asReadOnlyBuffer();

  @Test
  void requestThatBeganBeforeTheEarlierAnswerWasTakenIsAnsweredAtItsDeadline() throws IOException {
    WebFile file =
        new WebFile("text/plain", LARGE, ByteBuffer.allocate(0), "\"l\"", true, ContentPolicy.PAGE);
    try (TestRelay impatient =
            new TestRelay(
                TestLimits.handshakeSeconds(1), RateLimits.NONE, TransportSettings.DEFAULT);
        RawSocket raw = new RawSocket(impatient.uri())) {
      impatient.change(
          it -> ChangedSettings.with(it, new WebPage("connect", Map.of("/large", file))));
      raw.write("GET /large HTTP/1.1\r\nHost: x\r\n\r\n" + BEGUN_POST);
      String head = raw.readHead();
      assertThat(head).startsWith("HTTP/1.1 200 ");
      assertThat(raw.readBody(head)).hasSize(LARGE.capacity());
      assertThat(raw.readHead()).startsWith("HTTP/1.1 408 ");
      assertThat(raw.isAtEnd()).isTrue();
    }
  }

  @Test
  void halfClosedClientIsClosedAtOnceAfterItsLastAnswer() throws IOException {
    Map<String, Channel> byPath = new ConcurrentHashMap<>();
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      InetSocketAddress address = listen(loop, byPath);
      URI url = URI.create("ws://127.0.0.1:" + address.getPort());
      try (RawSocket open = new RawSocket(url);
          RawSocket halfClosed = new RawSocket(url)) {
        open.write(get("/now"));
        assertThat(open.readHead()).startsWith("HTTP/1.1 204 ");
        halfClosed.write(get("/atEnd"));
        halfClosed.endOutput();
        assertThat(halfClosed.readHead()).startsWith("HTTP/1.1 204 ");
        await().until(() -> !byPath.get("/atEnd").isOpen());
        assertThat(byPath.get("/now").isOpen()).as("it waits for its client").isTrue();
      }
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  private static String get(String path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  }

  private static InetSocketAddress listen(EventLoopGroup loop, Map<String, Channel> byPath) {
    Channel server =
        new ServerBootstrap()
            .group(loop)
            .channel(NioServerSocketChannel.class)
            .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.pipeline().addLast(new HttpServerCodec(), new Answering(byPath));
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
    return (InetSocketAddress) server.localAddress();
  }

  /** Answers at once, or when the client has closed its side. */
  private static final class Answering extends HttpExchange {
    private final Map<String, Channel> byPath;

    Answering(Map<String, Channel> byPath) {
      super(30);
      this.byPath = byPath;
    }

    @Override
    protected void answer(ChannelHandlerContext ctx, HttpRequest request, byte[] body) {
      byPath.put(request.uri(), ctx.channel());
      if (request.uri().equals("/now")) {
        refuse(ctx, HttpResponseStatus.NO_CONTENT);
      } else {
        awaitAnswer(ctx);
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
      if (event instanceof ChannelInputShutdownEvent) {
        refuse(ctx, HttpResponseStatus.NO_CONTENT);
      }
      ctx.fireUserEventTriggered(event);
    }

    @Override
    protected void refuse(ChannelHandlerContext ctx, HttpResponseStatus status) {
      write(ctx, HttpAnswer.of(status).response(HttpMethod.GET), false);
    }

    @Override
    protected void awaitNext(ChannelHandlerContext ctx) {
      throw new AssertionError("each answer is the last one");
    }
  }
}
