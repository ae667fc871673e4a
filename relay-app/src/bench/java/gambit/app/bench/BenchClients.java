package gambit.app.bench;

import gambit.app.tool.client.RelayChannels;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Clients of a relay that share one thread, the event loop. Their listeners are called on it, so
 * state that only listeners touch needs no lock.
 */
final class BenchClients implements AutoCloseable {
  private static final int MAX_MESSAGE_BYTES = 4_000_000;
  private static final int SMALL_RECEIVE_BUFFER_BYTES = 4096;
  private static final int CONCURRENT_HANDSHAKES = 50;
  private static final long NANOS_WHILE_BUSY = 500_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("bench-io", true), RelayChannels.io());

  private final RelayPlace relay;
  private final RelayPlace subscribersRelay;

  /** Clients of the relay with this ws or wss URL. */
  BenchClients(URI url) {
    this(url, url);
  }

  /** Clients of a relay, whose subscribers may listen at another one. */
  BenchClients(URI url, URI subscribersUrl) {
    this.relay = RelayPlace.of(url);
    this.subscribersRelay = RelayPlace.of(subscribersUrl);
  }

  /** Where the clients connect to, but for subscribers. */
  RelayPlace relay() {
    return relay;
  }

  /** Connects a client. */
  BenchClient connect() throws RelayFailure {
    return connect(1).get(0);
  }

  /** Connects clients, some at the same time: all, or none if one cannot be connected. */
  List<BenchClient> connect(int count) throws RelayFailure {
    return connect(relay, count);
  }

  /** Connects subscribers as {@link #connect(int)} does, where they are to listen. */
  List<BenchClient> connectSubscribers(int count) throws RelayFailure {
    return connect(subscribersRelay, count);
  }

  private List<BenchClient> connect(RelayPlace place, int count) throws RelayFailure {
    List<CompletableFuture<BenchClient>> begun = new ArrayList<>(count);
    List<BenchClient> clients = new ArrayList<>(count);
    try {
      while (clients.size() < count) {
        while (begun.size() < Math.min(count, clients.size() + CONCURRENT_HANDSHAKES)) {
          begun.add(begin(place, false));
        }
        while (clients.size() < begun.size()) {
          clients.add(connected(place, begun.get(clients.size())));
        }
      }
    } catch (RelayFailure e) {
      begun.forEach(one -> one.thenAccept(BenchClient::beginClosing));
      throw e;
    }
    return clients;
  }

  /** Connects a client that never reads, with a receive buffer of a few KB. */
  BenchClient connectNonReading() throws RelayFailure {
    BenchClient client = connected(relay, begin(relay, true));
    client.stopReading();
    return client;
  }

  private static BenchClient connected(RelayPlace place, CompletableFuture<BenchClient> connecting)
      throws RelayFailure {
    return await(connecting, TIMEOUT, "The relay at " + place.url() + " cannot be reached");
  }

  private CompletableFuture<BenchClient> begin(RelayPlace place, boolean smallBuffer) {
    CompletableFuture<BenchClient> ready = new CompletableFuture<>();
    WebSocketClientProtocolConfig protocol =
        WebSocketClientProtocolConfig.newBuilder()
            .webSocketUri(place.url())
            .generateOriginHeader(false)
            .maxFramePayloadLength(MAX_MESSAGE_BYTES)
            .dropPongFrames(false)
            .withUTF8Validator(false)
            .build();
    ChannelFuture connecting =
        RelayChannels.connect(
            loop,
            place,
            TIMEOUT,
            channel -> {
              channel.config().setOption(ChannelOption.TCP_NODELAY, true);
              if (smallBuffer) {
                channel.config().setOption(ChannelOption.SO_RCVBUF, SMALL_RECEIVE_BUFFER_BYTES);
              }
              addHandlers(channel, protocol, ready);
            });
    connecting.addListener(
        connected -> {
          if (!connected.isSuccess()) {
            ready.completeExceptionally(connected.cause());
          }
        });
    return ready;
  }

  private static void addHandlers(
      Channel channel,
      WebSocketClientProtocolConfig protocol,
      CompletableFuture<BenchClient> ready) {
    channel
        .pipeline()
        .addLast(
            new FlushConsolidationHandler(),
            new HttpClientCodec(),
            new HttpObjectAggregator(64 << 10),
            new WebSocketClientProtocolHandler(protocol),
            new WebSocketFrameAggregator(MAX_MESSAGE_BYTES),
            new BenchClient(channel, ready));
  }

  /** Runs a task on the event loop. */
  void execute(Runnable task) {
    loop.next().execute(task);
  }

  /**
   * Runs a task on the event loop whenever something is due, until it is over; on the caller's
   * thread, because Netty's timers are exact to a millisecond only.
   *
   * @param next the next time, of {@link System#nanoTime}
   */
  void pace(LongSupplier next, BooleanSupplier isOver, Runnable task) {
    while (!isOver.getAsBoolean()) {
      long wait = next.getAsLong() - System.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      } else {
        CompletableFuture.runAsync(task, loop.next()).join();
        if (next.getAsLong() - System.nanoTime() <= 0) {
          LockSupport.parkNanos(NANOS_WHILE_BUSY); // no client is free
        }
      }
    }
  }

  /** Waits for a result; fails with a sentence that begins with these words. */
  static <T> T await(CompletableFuture<T> result, Duration timeout, String failure)
      throws RelayFailure {
    try {
      return result.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new RelayFailure(failure + ": no answer within " + timeout.toSeconds() + " s.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RelayFailure("Interrupted.");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RelayFailure) {
        throw new RelayFailure(String.valueOf(cause.getMessage()));
      }
      throw new RelayFailure(
          failure + ": " + String.valueOf(cause).replaceAll("^[a-zA-Z0-9.$]*: ", "") + ".");
    }
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, TIMEOUT.toSeconds(), TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
