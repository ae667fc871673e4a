package gambit.core.net;

import gambit.core.lane.Lane;
import gambit.core.metrics.Metrics;
import gambit.core.rate.ClientAddress;
import gambit.core.session.Lifecycle;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.util.ReferenceCountUtil;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The TLS handshakes of a port. Their signatures and key exchanges run on a thread of their own, so
 * that many handshakes delay each other but no connection that is open. Bound: {@link #MAX_QUEUED}
 * of them wait for that thread, with a share for one address; beyond that, a handshake fails.
 */
final class TlsHandshakes implements AutoCloseable {
  /** About one second's work. */
  private static final int MAX_QUEUED = 1000;

  /** How long a client may take to read the end of the encrypted stream. */
  private static final int CLOSE_MILLIS = 1000;

  /** The event after which an answer to plain HTTP is not encrypted. */
  static final Object PLAIN_HTTP = new Object();

  private final ServerTls tls;
  private final Lane lane;
  private final Map<String, Metrics.Counter> ended = new HashMap<>(); // by their result

  TlsHandshakes(ServerTls tls, Metrics metrics, Lifecycle lifecycle) {
    this.tls = tls;
    this.lane = new Lane("tls", MAX_QUEUED, metrics, lifecycle.onDeath());
    for (String result : List.of("completed", "failed", "timeout")) {
      ended.put(
          result,
          metrics.counter("tls_handshakes", "TLS handshakes that have ended", "result", result));
    }
    metrics.gauge(
        "tls_certificate_expiry_timestamp_seconds",
        "Time at which the certificate of the relay's port expires, in seconds since 1970",
        () -> tls.certificate().expiry().getEpochSecond());
  }

  Lane lane() {
    return lane;
  }

  /** Adds TLS to the pipeline of an accepted connection; the handshake has that many seconds. */
  void addTo(ChannelPipeline pipeline, int seconds) {
    Channel channel = pipeline.channel();
    SslHandler handler = tls.context().newHandler(channel.alloc(), task -> execute(channel, task));
    handler.setHandshakeTimeout(seconds, TimeUnit.SECONDS);
    handler.setCloseNotifyFlushTimeoutMillis(CLOSE_MILLIS);
    handler
        .handshakeFuture()
        .addListener(
            done -> {
              count(done.cause());
              if (ServerTls.CHALLENGE_PROTOCOL.equals(handler.applicationProtocol())) {
                channel.close(); // the authority has seen the certificate
              }
            });
    pipeline
        .addLast("plain", new PlainHttpDetection())
        .addLast("tls-output", new TlsOutputBound())
        .addLast("tls", handler);
  }

  /** Runs a part of a connection's handshake on the thread, unless too many wait. */
  void execute(Channel channel, Runnable task) {
    if (!lane.submit(Set.of(ClientAddress.of(TrustedProxies.source(channel))), task)) {
      throw new RejectedExecutionException("too many handshakes");
    }
  }

  private void count(@Nullable Throwable failure) {
    boolean isTimeout = failure instanceof SslHandshakeTimeoutException;
    String result = failure == null ? "completed" : isTimeout ? "timeout" : "failed";
    Objects.requireNonNull(ended.get(result)).increment();
  }

  /** Whether a channel has TLS and its handshake is not complete. On the event loop. */
  static boolean isUnderWay(Channel channel) {
    SslHandler tls = channel.pipeline().get(SslHandler.class);
    return tls != null && !tls.handshakeFuture().isSuccess();
  }

  @Override
  public void close() {
    lane.abandon();
  }

  /**
   * Detects plain HTTP on a port of TLS by the first byte of a connection: a method begins with a
   * capital letter, a TLS record does not (RFC 8446, 5.1). Then TLS leaves the pipeline, and {@link
   * HttpHandler} is notified by {@link #PLAIN_HTTP}, so that it can answer in plain text. Leaves
   * the pipeline itself with the first byte; the time for that is bounded as that of the handshake.
   * On the channel's event loop.
   */
  private static final class PlainHttpDetection extends ByteToMessageDecoder {
    @Override
    protected void decode(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) {
      byte first = in.getByte(in.readerIndex());
      if (first >= 'A' && first <= 'Z') {
        ctx.pipeline().remove(SslHandler.class);
        ctx.fireUserEventTriggered(PLAIN_HTTP);
      }
      ctx.pipeline().remove(this);
    }
  }

  /**
   * Disconnects a client that makes TLS itself queue output: each request for new keys of TLS 1.3
   * is answered by a record (RFC 8446, 4.6.3), also to a client that reads none of them. In the
   * pipeline before TLS; on the channel's event loop.
   */
  private static final class TlsOutputBound extends ChannelInboundHandlerAdapter {
    /**
     * The most records that wait for the socket while the client sends. Messages and answers are a
     * few hundred of them, since they are written only while the channel is writable.
     */
    private static final int MAX_RECORDS = 4000;

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object bytes) {
      ChannelOutboundBuffer waiting = ctx.channel().unsafe().outboundBuffer();
      if (waiting != null && waiting.size() > MAX_RECORDS) {
        ReferenceCountUtil.release(bytes);
        ctx.close();
      } else {
        ctx.fireChannelRead(bytes);
      }
    }
  }
}
