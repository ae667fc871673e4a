package gambit.app.tool.sync;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** A relay that answers each message as a test says. */
final class ScriptedPeer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_FRAME_BYTES = 1 << 22;

  private final EventLoopGroup group =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel server;

  /**
   * Listens on a free port. Clients are sent a challenge, for which a mirror waits, and may log in.
   *
   * @param answers to another message, called on the event loop
   */
  ScriptedPeer(Function<JsonNode, List<String>> answers) {
    this(
        List.of("[\"AUTH\",\"c\"]"),
        message -> isLogin(message) ? login(message) : answers.apply(message));
  }

  private static boolean isLogin(JsonNode message) {
    return message.path(0).asText().equals("AUTH");
  }

  private static List<String> login(JsonNode message) {
    return List.of("[\"OK\",\"%s\",true,\"\"]".formatted(message.path(1).path("id").asText()));
  }

  /** The same; each client is sent the greetings first, and nothing else that is not scripted. */
  ScriptedPeer(List<String> greetings, Function<JsonNode, List<String>> answers) {
    this("", greetings, answers);
  }

  /** The same; the peer has an information document (NIP-11), unless that is empty. */
  ScriptedPeer(String document, List<String> greetings, Function<JsonNode, List<String>> answers) {
    server =
        new ServerBootstrap()
            .group(group)
            .channel(NioServerSocketChannel.class)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel client) {
                    clients.add(client);
                    client
                        .pipeline()
                        .addLast(
                            new HttpServerCodec(),
                            new HttpObjectAggregator(1 << 16),
                            new DocumentServer(document),
                            new WebSocketServerProtocolHandler("/", null, false, MAX_FRAME_BYTES),
                            new Answerer(greetings, answers));
                  }
                })
            .bind(InetAddress.getLoopbackAddress(), 0)
            .syncUninterruptibly()
            .channel();
  }

  /** The number of connections. */
  int clients() {
    return clients.size();
  }

  /** Sends a message to all clients. */
  void send(String message) {
    clients.writeAndFlush(new TextWebSocketFrame(message));
  }

  /** Reads nothing more from its clients, and so answers no ping, but stays connected. */
  void stopReading() {
    clients.forEach(client -> client.config().setAutoRead(false));
  }

  URI url() {
    return URI.create(
        "ws://127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort() + "/");
  }

  @Override
  public void close() {
    server.close().syncUninterruptibly();
    group.shutdownGracefully(0, 5, TimeUnit.SECONDS).syncUninterruptibly();
  }

  /** Answers HTTP requests that are no handshakes. */
  private static final class DocumentServer extends ChannelInboundHandlerAdapter {
    private final String document;

    DocumentServer(String document) {
      this.document = document;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (!(message instanceof FullHttpRequest request)
          || request.headers().contains(HttpHeaderNames.UPGRADE)) {
        context.fireChannelRead(message);
        return;
      }
      boolean isRequested = "application/nostr+json".equals(request.headers().get("Accept"));
      request.release();
      FullHttpResponse response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              isRequested && !document.isEmpty()
                  ? HttpResponseStatus.OK
                  : HttpResponseStatus.NOT_FOUND,
              Unpooled.copiedBuffer(document, StandardCharsets.UTF_8));
      HttpUtil.setContentLength(response, response.content().readableBytes());
      context.writeAndFlush(response);
    }
  }

  private static final class Answerer extends SimpleChannelInboundHandler<TextWebSocketFrame> {
    private final List<String> greetings;
    private final Function<JsonNode, List<String>> answers;

    Answerer(List<String> greetings, Function<JsonNode, List<String>> answers) {
      this.greetings = greetings;
      this.answers = answers;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof WebSocketServerProtocolHandler.HandshakeComplete) {
        greetings.forEach(greeting -> context.write(new TextWebSocketFrame(greeting)));
        context.flush();
      }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame frame)
        throws Exception {
      for (String answer : answers.apply(JSON.readTree(frame.text()))) {
        context.write(new TextWebSocketFrame(answer));
      }
      context.flush();
    }
  }
}
