package gambit.core.net;

import gambit.core.feature.ConnectedClient;
import gambit.core.limit.CurrentLimits;
import gambit.core.limit.Limit;
import gambit.core.limit.MemoryBound;
import gambit.core.metrics.Metrics;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Connection;
import gambit.core.session.Lifecycle;
import gambit.core.session.RelayCore;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The relay's port: its address and Netty's event loops, with epoll where available. */
public final class RelayServer implements AutoCloseable {
  private static final WriteBufferWaterMark WATERMARKS =
      new WriteBufferWaterMark(32 * 1024, 64 * 1024);

  /**
   * Unsent bytes of a connection in the kernel. With a low bound, a client that reads slowly is
   * soon seen to read, and one that does not read costs little of the kernel's memory.
   */
  private static final long UNSENT_BYTES = 128 * 1024;

  private static final long INCOMPLETE_MESSAGE_BYTES = 64L << 20;

  /** How long {@link #close} waits for all clients; a single one may take up to four seconds. */
  private static final int CLOSE_SECONDS = 5;

  private final EventLoopGroup workers;
  private final Endpoint endpoint;
  private final Clients clients;
  private final Channel server;

  /** Listens, without TLS if {@code tls} is null; fails when the address is unavailable. */
  public static RelayServer listen(
      RelayCore relay,
      PortSettings settings,
      PortExtensions extensions,
      @Nullable ServerTls tls,
      OperatorToken operator,
      Metrics metrics,
      InetSocketAddress address)
      throws BindException {
    CurrentLimits limits = relay.bounds().currentLimits();
    Clients clients = new Clients(limits);
    MemoryBound outboxes =
        new MemoryBound(limits.of(Limit.ALL_OUTBOX_BYTES), relay.lifecycle().time());
    return new RelayServer(
        new Endpoint(
            (channel, reading, client, outbox) ->
                new Connection(relay, client, outbox, reading, channel.eventLoop()),
            new AtomicReference<>(settings),
            extensions,
            operator,
            limits,
            relay.bounds().rates(),
            outboxes,
            new MemoryBound(INCOMPLETE_MESSAGE_BYTES),
            clients,
            new Endpoint.DeferredMessages(),
            new ServerMetrics(metrics, clients, outboxes),
            tls == null ? null : new TlsHandshakes(tls, metrics, relay.lifecycle()),
            relay.lifecycle()),
        address);
  }

  RelayServer(Endpoint endpoint, InetSocketAddress address) throws BindException {
    this.endpoint = endpoint;
    clients = endpoint.clients();
    IoHandlerFactory io = EventLoops.io();
    int processors = Runtime.getRuntime().availableProcessors();
    this.workers = new EventLoops("event-loop", processors, io, endpoint.lifecycle().onDeath());
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(workers) // one of which accepts, so that a connection wakes no further thread
            .channel(EventLoops.serverChannel())
            .option(ChannelOption.SO_BACKLOG, 1024)
            .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATERMARKS)
            .childHandler(new PipelineInitializer(endpoint));
    if (Epoll.isAvailable()) {
      bootstrap.childOption(EpollChannelOption.TCP_NOTSENT_LOWAT, UNSENT_BYTES);
    }
    ChannelFuture bound = bootstrap.bind(address).awaitUninterruptibly();
    this.server = bound.channel();
    if (!bound.isSuccess()) {
      close();
      BindException refused = new BindException(String.valueOf(bound.cause().getMessage()));
      refused.initCause(bound.cause());
      throw refused;
    }
    onEachLoop(this::watchSilence);
  }

  /** The address at which it listens, with the port that was chosen if none was given. */
  public InetSocketAddress address() {
    return (InetSocketAddress) server.localAddress();
  }

  /**
   * Puts other settings in force, and applies the limit that nobody reads by itself, the bound on
   * all outboxes. Any thread, one at a time.
   */
  public void change(PortSettings settings) {
    endpoint.settings().set(settings);
    endpoint.outboxes().enforce();
  }

  /**
   * Counts the seconds for which the clients of a loop are silent: one timer for all of them, which
   * is seldom due, because it visits each client.
   */
  private void watchSilence(EventLoop loop) {
    int seconds = endpoint.limits().get(Limit.SILENT_SECONDS) < 60 ? 1 : 4;
    loop.schedule(
        () -> {
          for (Channel channel : clients.webSockets()) {
            if (channel.eventLoop() == loop) {
              WebSocketHandler.passed(channel, seconds);
            }
          }
          watchSilence(loop);
        },
        seconds,
        TimeUnit.SECONDS);
  }

  /**
   * Disconnects the clients of some addresses. Handshakes that were checked before this call are
   * complete when their event loop does so. Any thread.
   */
  public void disconnect(Predicate<ClientAddress> addresses) {
    onEachLoop(loop -> disconnect(addresses, loop));
  }

  private void disconnect(Predicate<ClientAddress> addresses, EventLoop loop) {
    for (Channel channel : clients.webSockets()) {
      ClientAddress address = clients.address(channel);
      if (channel.eventLoop() == loop && address != null && addresses.test(address)) {
        WebSocketHandler.closeAtOnce(channel, WebSocketCloseStatus.POLICY_VIOLATION, "blocked");
      }
    }
  }

  /** The connected clients in no order, without the operator. Any thread. */
  public List<ConnectedClient> connectedClients() {
    return clients.webSockets().stream()
        .map(WebSocketHandler::describe)
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Disconnects the client whose connection has that id, with code 1008 and a reason; returns false
   * if there is none. Any thread.
   */
  public boolean disconnect(String id, String reason) {
    for (Channel channel : clients.webSockets()) {
      ConnectedClient client = WebSocketHandler.describe(channel);
      if (client != null && client.id().equals(id)) {
        channel
            .eventLoop()
            .execute(
                () ->
                    WebSocketHandler.closeAtOnce(
                        channel, WebSocketCloseStatus.POLICY_VIOLATION, reason));
        return true;
      }
    }
    return false;
  }

  /** Disconnects all clients with code 1013: they come back later or elsewhere. Any thread. */
  public void sendAway() {
    clients
        .webSockets()
        .forEach(it -> WebSocketHandler.closeAfterOutput(it, WebSocketCloseStatus.TRY_AGAIN_LATER));
  }

  public boolean isListening() {
    return server.isActive();
  }

  public Map<String, Executor> executors() {
    Map<String, Executor> executors = new TreeMap<>();
    workers.forEach(loop -> executors.put("event-loop " + (executors.size() + 1), loop));
    TlsHandshakes tls = endpoint.tls();
    if (tls != null) {
      executors.put(tls.lane().name(), tls.lane()::put);
    }
    return executors;
  }

  /**
   * Runs a task, on an event loop, when every message that was read from a socket before this call
   * has been handled. Any thread. When the server is closing, it may never run.
   */
  public void afterArrivals(Runnable task) {
    AtomicInteger left = new AtomicInteger();
    workers.forEach(loop -> left.incrementAndGet());
    Runnable passed =
        () -> {
          if (left.decrementAndGet() == 0) {
            task.run();
          }
        };
    onEachLoop(loop -> endpoint.deferred().afterCurrent(loop, passed));
  }

  /** Runs a task on each loop; on none, once they are shut down. */
  private void onEachLoop(Consumer<EventLoop> task) {
    for (EventExecutor loop : workers) {
      if (!loop.isShuttingDown()) {
        loop.execute(() -> task.accept((EventLoop) loop));
      }
    }
  }

  /**
   * Accepts no further connections and stops reading. When this returns, all messages that were
   * read have been passed to their conversations. The relay must be {@linkplain Lifecycle#ending
   * ending}.
   */
  public void stopReading() {
    server.close().awaitUninterruptibly();
    awaitTurns(); // connections that were just upgraded are among the clients now
    clients
        .webSockets()
        .forEach(it -> it.eventLoop().execute(() -> it.config().setAutoRead(false)));
    awaitTurns();
  }

  private void awaitTurns() {
    List<Future<?>> turns = new ArrayList<>();
    for (EventExecutor worker : workers) {
      if (!worker.isShuttingDown()) {
        turns.add(worker.submit(() -> {}));
      }
    }
    turns.forEach(turn -> turn.awaitUninterruptibly(1, TimeUnit.SECONDS));
  }

  /** Closes every connection (with code 1001) and ends the event loops, within a few seconds. */
  @Override
  public void close() {
    server.close().awaitUninterruptibly();
    clients
        .webSockets()
        .forEach(
            it -> WebSocketHandler.closeAfterOutput(it, WebSocketCloseStatus.ENDPOINT_UNAVAILABLE));
    clients.awaitClosed(CLOSE_SECONDS);
    if (endpoint.tls() != null) {
      endpoint.tls().close();
    }
    workers.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  /**
   * Sets up the pipeline of an accepted connection, which begins with the PROXY protocol (of
   * trusted proxies), TLS (if it is on), and HTTP.
   */
  static final class PipelineInitializer extends ChannelInitializer<Channel> {
    /**
     * Bounds what is read from a connection in one turn of its event loop: some 40 events, whose
     * signatures take two milliseconds to verify.
     */
    private static final RecvByteBufAllocator BOUNDED_READS =
        new AdaptiveRecvByteBufAllocator(512, 4 * 1024, 16 * 1024).maxMessagesPerRead(1);

    private final Endpoint endpoint;

    PipelineInitializer(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    @Override
    protected void initChannel(Channel channel) {
      channel.config().setRecvByteBufAllocator(BOUNDED_READS);
      endpoint.clients().accepted(channel);
      if (endpoint.settingsNow().transport().proxies().include(Clients.peer(channel))) {
        channel.pipeline().addLast("proxy", new TrustedProxies.ProxyProtocol());
      }
      TlsHandshakes tls = endpoint.tls();
      if (tls != null) {
        tls.addTo(channel.pipeline(), endpoint.limits().get(Limit.HANDSHAKE_SECONDS));
      }
      channel.pipeline().addLast("http", new HttpServerCodec());
      channel.pipeline().addLast("routes", new HttpHandler(endpoint));
    }
  }
}
