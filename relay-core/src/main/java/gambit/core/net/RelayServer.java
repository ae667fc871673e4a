package gambit.core.net;

import gambit.core.session.RelayCore;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The relay's port: Netty's event loops (epoll where there is one), HTTP, and the WebSockets that
 * grow out of it.
 */
public final class RelayServer implements AutoCloseable {
  private static final WriteBufferWaterMark WATERMARKS =
      new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  /**
   * What is read from one connection before the others of its event loop get their turn: some 40
   * events, whose signatures take two milliseconds.
   */
  private static final RecvByteBufAllocator SMALL_BITES =
      new AdaptiveRecvByteBufAllocator(512, 4 * 1024, 16 * 1024).maxMessagesPerRead(1);

  private static final int HANDSHAKE_SECONDS = 30;
  private static final int REQUEST_BODY = 8192;

  /** For all goodbyes together; a client's own may take twice two. */
  private static final int GOODBYE_SECONDS = 5;

  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private final ChannelGroup clients = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel server;

  /**
   * Listens.
   *
   * @param information the relay information document, ready to serve
   * @throws BindException when the address cannot be had
   */
  public RelayServer(RelayCore relay, byte[] information, InetSocketAddress address)
      throws BindException {
    boolean epoll = Epoll.isAvailable();
    IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    Class<? extends ServerChannel> type =
        epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    int processors = Runtime.getRuntime().availableProcessors();
    this.acceptor = new EventLoops("acceptor", 1, io, relay.onDeath());
    this.workers = new EventLoops("event-loop", processors, io, relay.onDeath());
    var bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channel(type)
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATERMARKS)
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    channel.config().setRecvByteBufAllocator(SMALL_BITES);
                    channel
                        .pipeline()
                        .addLast("timeout", new ReadTimeoutHandler(HANDSHAKE_SECONDS))
                        .addLast("http", new HttpServerCodec())
                        .addLast("body", new HttpObjectAggregator(REQUEST_BODY))
                        .addLast("routes", new HttpHandler(relay, information, clients));
                  }
                })
            .bind(address)
            .awaitUninterruptibly();
    this.server = bound.channel();
    if (!bound.isSuccess()) {
      close();
      BindException refused = new BindException(String.valueOf(bound.cause().getMessage()));
      refused.initCause(bound.cause());
      throw refused;
    }
  }

  /** The address at which it listens, with the port that was chosen if none was named. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /** Whether it takes connections. */
  public boolean isListening() {
    return server.isActive();
  }

  /** By the name of each event loop, how it is handed something to do. */
  public Map<String, Executor> turns() {
    Map<String, Executor> turns = new TreeMap<>();
    acceptor.forEach(loop -> turns.put("acceptor", loop));
    workers.forEach(loop -> turns.put("event-loop " + turns.size(), loop));
    return turns;
  }

  /** How many clients are connected. */
  public int connections() {
    return clients.size();
  }

  /**
   * Takes no further connections, and stops reading from those there are; what was read has been
   * handed on when this returns. The relay is {@linkplain RelayCore#ending ending} by then.
   */
  public void stopReading() {
    server.close().awaitUninterruptibly();
    awaitTurns(); // whoever was just upgraded is among the clients now
    clients.forEach(client -> client.eventLoop().execute(() -> client.config().setAutoRead(false)));
    awaitTurns();
  }

  /** Waits until every event loop has done what it was given before. */
  private void awaitTurns() {
    List<Future<?>> turns = new ArrayList<>();
    for (EventExecutor worker : workers) {
      if (!worker.isShuttingDown()) {
        turns.add(worker.submit(() -> {}));
      }
    }
    turns.forEach(turn -> turn.awaitUninterruptibly(1, TimeUnit.SECONDS));
  }

  /** Says goodbye to every client (close code 1001) and ends within a few seconds. */
  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    clients.forEach(WebSocketHandler::goAway);
    clients.newCloseFuture().awaitUninterruptibly(GOODBYE_SECONDS, TimeUnit.SECONDS);
    workers.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    acceptor.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
