package gambit.app.tool.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
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

/** Fetches the information document of a relay (NIP-11), of at most {@link #MAX_BYTES}. */
final class InformationDocument {
  private static final int MAX_BYTES = 256 << 10;

  private InformationDocument() {}

  /**
   * Fetches the document, an object; the result fails with a {@link RelayFailure} if there is none.
   * Redirections are not followed.
   */
  static CompletableFuture<JsonNode> fetch(RelayPlace relay, Duration timeout) {
    CompletableFuture<JsonNode> document =
        RelayChannels.connect(
            relay,
            timeout,
            (made, result) ->
                made.pipeline()
                    .addLast(
                        new HttpClientCodec(),
                        new HttpObjectAggregator(MAX_BYTES),
                        new Exchange(relay, result)));
    return document.exceptionally(
        failure -> {
          throw new CompletionException(
              failure instanceof RelayFailure
                  ? failure
                  : new RelayFailure(
                      "Cannot connect to " + relay.url() + ": is the relay running there?"));
        });
  }

  private static final class Exchange extends SimpleChannelInboundHandler<FullHttpResponse> {
    private final RelayPlace relay;
    private final CompletableFuture<JsonNode> document;

    private Exchange(RelayPlace relay, CompletableFuture<JsonNode> document) {
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
