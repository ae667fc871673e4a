package gambit.app.tool.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Opens connections to relays, with TLS for wss URLs. Thread-safe. */
public final class RelayChannels {
  /**
   * The event loop of all connections, started by the first one. A program has one relay or a few,
   * so one thread is enough, which also looks up names. It is never shut down: the thread is a
   * daemon, and closed connections leave nothing in it. A group for each client would start a
   * thread for each, and would have to be shut down with it; Java's HttpClient starts several.
   */
  private static final EventLoopGroup GROUP =
      new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("client-io", true), io());

  private RelayChannels() {}

  /** Like the relay's port, so that its process has one sort of event loop only. */
  public static IoHandlerFactory io() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  public static Executor eventLoop() {
    return task -> GROUP.next().execute(task);
  }

  /**
   * Connects, and lets the handlers that are added complete the result. Without it in time, or with
   * a URL that has no valid host or port, the result fails and the connection is closed.
   */
  static <T> CompletableFuture<T> connect(
      RelayPlace relay, Duration timeout, BiConsumer<Channel, CompletableFuture<T>> handlers) {
    CompletableFuture<T> result = new CompletableFuture<>();
    ChannelFuture connecting;
    try {
      connecting = connect(GROUP, relay, timeout, made -> handlers.accept(made, result));
    } catch (IllegalArgumentException e) {
      return CompletableFuture.failedFuture(e);
    }
    connecting.addListener(
        done -> {
          if (!done.isSuccess()) {
            result.completeExceptionally(done.cause());
          }
        });
    return result
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (completed, failure) -> {
              if (failure != null) {
                connecting.channel().close();
              }
            });
  }

  /** Connects in a group made with {@link #io}; throws if the URL has no valid host or port. */
  public static ChannelFuture connect(
      EventLoopGroup group, RelayPlace relay, Duration timeout, Consumer<Channel> handlers) {
    URI url = relay.url();
    String host = url.getHost();
    if (host == null) {
      throw new IllegalArgumentException("no host: " + url);
    }
    boolean isSecure = "wss".equalsIgnoreCase(url.getScheme());
    int port = url.getPort() >= 0 ? url.getPort() : isSecure ? 443 : 80;
    ChannelInitializer<Channel> initializer =
        new ChannelInitializer<>() {
          @Override
          protected void initChannel(Channel made) throws IOException {
            if (isSecure) {
              made.pipeline().addLast(tls(host, port, relay.tls(), timeout));
            }
            handlers.accept(made);
          }
        };
    return new Bootstrap()
        .group(group)
        .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) timeout.toMillis())
        .handler(initializer)
        .connect(host, port);
  }

  /** Verifies the certificate and its name as Java's HttpClient does, by the same settings. */
  private static SslHandler tls(String host, int port, @Nullable SSLContext tls, Duration timeout)
      throws IOException {
    SSLEngine engine;
    try {
      engine = (tls == null ? SSLContext.getDefault() : tls).createSSLEngine(host, port);
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
    engine.setUseClientMode(true);
    SSLParameters parameters = engine.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    engine.setSSLParameters(parameters);
    SslHandler handler = new SslHandler(engine);
    handler.setHandshakeTimeoutMillis(timeout.toMillis());
    return handler;
  }
}
