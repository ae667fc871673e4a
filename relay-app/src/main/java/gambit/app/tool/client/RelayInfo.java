package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The facts in a relay's information document (NIP-11) that a player needs: the key that signs its
 * events ({@code self}), the time control of players who request none, the seconds for which a
 * signed event is accepted and in which a player who has left may return, empty or 0 if they are
 * not stated; and the house player's key, if there is one. Immutable.
 */
public record RelayInfo(
    PubKey referee,
    String defaultTime,
    long maxClockSkew,
    long abandonGrace,
    @Nullable PubKey house) {
  private static final int MAX_DOCUMENT_BYTES = 256 << 10;
  private static final long DEFAULT_CLOCK_SKEW_SECONDS = 60;

  /** Fails with a {@link RelayFailure} without a document, or if that names no referee. */
  public static CompletableFuture<RelayInfo> fetch(RelayPlace relay, Duration timeout) {
    return document(relay, timeout).thenApply(RelayInfo::of);
  }

  private static RelayInfo of(JsonNode document) {
    PubKey self = key(document.path("self"));
    if (self == null) {
      throw new CompletionException(
          new RelayFailure(
              "The relay's information document (NIP-11) has no key: it does not referee chess."));
    }
    JsonNode chess = document.path("chess");
    long skew = chess.path("max_clock_skew").asLong(DEFAULT_CLOCK_SKEW_SECONDS);
    return new RelayInfo(
        self,
        chess.path("default_time").asText(""),
        Math.max(1, Math.min(skew, DEFAULT_CLOCK_SKEW_SECONDS)),
        Math.max(0, chess.path("abandon_grace").asLong(0)),
        key(chess.path("house").path("pubkey")));
  }

  private static @Nullable PubKey key(JsonNode hex) {
    return hex.isTextual() && Hex.isLowerCase(hex.asText(), 64) ? PubKey.ofHex(hex.asText()) : null;
  }

  /** Follows no redirections; without a document, the failure is a {@link RelayFailure}. */
  static CompletableFuture<JsonNode> document(RelayPlace relay, Duration timeout) {
    CompletableFuture<JsonNode> document =
        RelayChannels.connect(
            relay,
            timeout,
            (made, result) ->
                made.pipeline()
                    .addLast(
                        new HttpClientCodec(),
                        new HttpObjectAggregator(MAX_DOCUMENT_BYTES),
                        new DocumentHandler(relay, result)));
    return document.exceptionally(
        failure -> {
          throw new CompletionException(
              failure instanceof RelayFailure
                  ? failure
                  : new RelayFailure(
                      "Cannot connect to " + relay.url() + ": is the relay running there?"));
        });
  }

  private static final class DocumentHandler extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final RelayPlace relay;
    private final CompletableFuture<JsonNode> document;

    private DocumentHandler(RelayPlace relay, CompletableFuture<JsonNode> document) {
      this.relay = relay;
      this.document = document;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      URI url = relay.url();
      String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
      String target = url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
      HttpRequest request =
          new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, target);
      request
          .headers()
          .set(HttpHeaderNames.HOST, url.getHost() + (url.getPort() < 0 ? "" : ":" + url.getPort()))
          .set(HttpHeaderNames.USER_AGENT, "Gambit")
          .set(HttpHeaderNames.ACCEPT, "application/nostr+json")
          .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
      relay.headers().forEach(request.headers()::set);
      context.writeAndFlush(request);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
      try {
        JsonNode body = JsonTree.read(response.content().toString(StandardCharsets.UTF_8));
        if (response.status().equals(HttpResponseStatus.OK) && body.isObject()) {
          document.complete(body);
        }
      } catch (JsonProcessingException e) {
        // as an answer without a document
      }
      document.completeExceptionally( // no effect after the document
          new RelayFailure("The server sends no relay information document (NIP-11)."));
      context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      document.completeExceptionally(new IOException("closed"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable failure) {
      document.completeExceptionally(failure);
    }
  }
}
