package gambit.core.net;

import gambit.core.feature.PostHandler;
import gambit.core.feature.PostHandler.PostRequest;
import gambit.core.rate.ClientAddress;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import java.io.ByteArrayOutputStream;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The POST requests of one connection that features answer, one at a time: keeps the body, whose
 * length its user bounds, and passes it on. On the channel's event loop.
 */
final class PostExchange {
  private final ByteArrayOutputStream body = new ByteArrayOutputStream(0);
  private @Nullable PostHandler handler;
  private boolean isAwaited;

  /** A request begins, with the handler that will answer it, if there is one. */
  void begin(Optional<PostHandler> answering) {
    body.reset();
    handler = answering.orElse(null);
  }

  /** Keeps a part of the body, if somebody needs it. */
  void add(HttpContent part) {
    if (handler != null) {
      body.writeBytes(ByteBufUtil.getBytes(part.content()));
    }
  }

  /** Whether the request has a handler. */
  boolean hasHandler() {
    return handler != null;
  }

  /** Whether the answer to a request is awaited. */
  boolean isAwaited() {
    return isAwaited;
  }

  /**
   * Passes the complete request to its handler.
   *
   * @param then receives the answer, on any thread
   */
  void handle(HttpRequest request, ClientAddress client, Consumer<HttpAnswer> then) {
    PostHandler answering = handler;
    if (answering == null) {
      throw new IllegalStateException("no handler");
    }
    PostRequest complete =
        new PostRequest(
            client,
            Requests.query(request),
            request.headers().getAll(HttpHeaderNames.AUTHORIZATION),
            body.toByteArray());
    begin(Optional.empty());
    isAwaited = true;
    answering.handle(complete, answer -> then.accept(HttpAnswer.of(answer)));
  }

  /** The answer has arrived. */
  void answered() {
    isAwaited = false;
  }
}
