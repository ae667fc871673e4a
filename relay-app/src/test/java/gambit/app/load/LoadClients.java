package gambit.app.load;

import gambit.app.load.LoadClient.Verb;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketClientProtocolHandler;
import io.netty.handler.flush.FlushConsolidationHandler;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Clients of a relay that share one thread, the event loop. Their listeners are called on it, so
 * state that only listeners touch needs no lock.
 */
final class LoadClients implements AutoCloseable {
  private static final int MAX_FRAME_BYTES = 1 << 20;
  private static final int SMALL_RECEIVE_BUFFER_BYTES = 4096;
  private static final int MAX_CONCURRENT_HANDSHAKES = 100;
  private static final int TIMEOUT_SECONDS = 30;

  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final InetSocketAddress relay;

  LoadClients(InetSocketAddress relay) {
    this.relay = relay;
  }

  LoadClient connect() throws Exception {
    return connect(1).get(0);
  }

  List<LoadClient> connect(int count) throws Exception {
    List<LoadClient> peers = new ArrayList<>(count);
    while (peers.size() < count) {
      List<CompletableFuture<LoadClient>> connecting = new ArrayList<>();
      for (int i = 0; i < MAX_CONCURRENT_HANDSHAKES && peers.size() + i < count; i++) {
        connecting.add(begin(false));
      }
      for (CompletableFuture<LoadClient> one : connecting) {
        peers.add(one.get(TIMEOUT_SECONDS, TimeUnit.SECONDS));
      }
    }
    return peers;
  }

  /** Connects a client that never reads, with a receive buffer of a few KB. */
  LoadClient connectNonReading() throws Exception {
    LoadClient peer = begin(true).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    peer.stopReading();
    return peer;
  }

  private CompletableFuture<LoadClient> begin(boolean smallBuffer) {
    URI url = URI.create("ws://localhost:" + relay.getPort());
    WebSocketClientProtocolConfig protocol =
        WebSocketClientProtocolConfig.newBuilder()
            .webSocketUri(url)
            .maxFramePayloadLength(MAX_FRAME_BYTES)
            .dropPongFrames(false)
            .withUTF8Validator(false)
            .build();
    CompletableFuture<LoadClient> ready = new CompletableFuture<>();
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .handler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) {
                    ChannelPipeline pipeline = channel.pipeline();
                    pipeline.addLast(new FlushConsolidationHandler());
                    pipeline.addLast(new HttpClientCodec(), new HttpObjectAggregator(8192));
                    pipeline.addLast(new WebSocketClientProtocolHandler(protocol));
                    pipeline.addLast(new LoadClient(channel, ready));
                  }
                });
    if (smallBuffer) {
      bootstrap.option(ChannelOption.SO_RCVBUF, SMALL_RECEIVE_BUFFER_BYTES);
    }
    bootstrap
        .connect(relay)
        .addListener(
            connected -> {
              if (!connected.isSuccess()) {
                ready.completeExceptionally(connected.cause());
              }
            });
    return ready;
  }

  /** Runs a task on the event loop. */
  void execute(Runnable task) {
    loop.next().execute(task);
  }

  /** Runs a task periodically on the event loop until the future is done. */
  void every(long nanos, CompletableFuture<?> until, Runnable task) {
    var timer = loop.next().scheduleAtFixedRate(task, nanos, nanos, TimeUnit.NANOSECONDS);
    until.whenComplete((done, failure) -> timer.cancel(false));
  }

  /** Opens the subscriptions of each client, and waits until their stored phases have ended. */
  void subscribe(List<LoadClient> peers, List<List<String>> filters) throws Exception {
    CompletableFuture<Void> done = new CompletableFuture<>();
    int all = filters.stream().mapToInt(List::size).sum();
    int[] missing = {all};
    if (all == 0) {
      return;
    }
    for (int i = 0; i < peers.size(); i++) {
      LoadClient peer = peers.get(i);
      var wanted = filters.get(i).listIterator();
      Runnable next =
          () -> {
            if (wanted.hasNext()) {
              peer.send("[\"REQ\",\"sub" + wanted.nextIndex() + "\"," + wanted.next() + "]");
            }
          };
      peer.listen(
          (verb, text) -> {
            if (verb == Verb.EOSE) {
              next.run();
              if (--missing[0] == 0) {
                done.complete(null);
              }
            } else if (verb != Verb.EVENT) {
              done.completeExceptionally(LoadClient.unexpected(text));
            }
          });
      execute(next);
    }
    done.get(TIMEOUT_SECONDS + all / 100, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, TIMEOUT_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
