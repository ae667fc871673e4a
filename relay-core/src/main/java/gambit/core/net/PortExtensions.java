package gambit.core.net;

import gambit.core.feature.PostHandler;
import gambit.core.rate.ClientAddress;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * What features add to the port. Immutable.
 *
 * @param postHandlers the handlers of POST requests by media type
 * @param refusedAddresses whether requests of an address are refused; may change
 */
public record PortExtensions(
    Map<String, PostHandler> postHandlers, Predicate<ClientAddress> refusedAddresses) {
  /** No extensions. */
  public static final PortExtensions NONE = new PortExtensions(Map.of(), address -> false);

  public PortExtensions {
    postHandlers = Map.copyOf(postHandlers);
  }

  /** The handler of a POST request, whatever its path is. */
  Optional<PostHandler> handler(HttpRequest request) {
    CharSequence type = HttpUtil.getMimeType(request);
    if (type == null
        || !request.method().equals(HttpMethod.POST)
        || request.headers().getAll(HttpHeaderNames.CONTENT_TYPE).size() > 1) {
      return Optional.empty();
    }
    return Optional.ofNullable(postHandlers.get(type.toString().strip().toLowerCase(Locale.ROOT)))
        .filter(PostHandler::isOpen);
  }

  /** Whether any POST requests are answered at the moment. */
  boolean answerPosts() {
    return postHandlers.values().stream().anyMatch(PostHandler::isOpen);
  }
}
