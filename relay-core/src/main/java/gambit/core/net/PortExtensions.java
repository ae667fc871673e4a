package gambit.core.net;

import gambit.core.feature.FileHandler;
import gambit.core.feature.PostHandler;
import gambit.core.rate.ClientAddress;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What features add to the port: handlers of POST requests by their media type, and of files by the
 * folders of their paths. Immutable.
 *
 * @param refusedAddresses whether requests of an address are refused; may change
 * @param isCutOff whether no client can be served now, since the relay has lost its cluster; null
 *     for a relay that has none
 */
public record PortExtensions(
    Map<String, PostHandler> postHandlers,
    Map<String, FileHandler> fileHandlers,
    Predicate<ClientAddress> refusedAddresses,
    @Nullable BooleanSupplier isCutOff) {
  public static final PortExtensions NONE =
      new PortExtensions(Map.of(), Map.of(), address -> false, null);

  public PortExtensions {
    postHandlers = Map.copyOf(postHandlers);
    fileHandlers = Map.copyOf(fileHandlers);
  }

  boolean areCutOff() {
    return isCutOff != null && isCutOff.getAsBoolean();
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

  Optional<FileHandler> fileHandler(String path) {
    int end = path.indexOf('/', 1);
    return end < 0
        ? Optional.empty()
        : Optional.ofNullable(fileHandlers.get(path.substring(0, end + 1)));
  }

  boolean answerPosts() {
    return postHandlers.values().stream().anyMatch(PostHandler::isOpen);
  }
}
