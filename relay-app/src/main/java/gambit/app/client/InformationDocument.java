package gambit.app.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;

/** Fetches the information document of a relay (NIP-11), of at most {@link #MAX_BYTES}. */
final class InformationDocument {
  private static final int MAX_BYTES = 256 << 10;
  private static final ObjectMapper JSON = new ObjectMapper();

  private InformationDocument() {}

  /**
   * Fetches the document; the result fails with a {@link RelayFailure} if there is none.
   *
   * @param relay a ws or wss URL
   */
  static CompletableFuture<RelayInfo> fetch(HttpClient http, URI relay, Duration timeout) {
    HttpRequest request =
        HttpRequest.newBuilder(httpUrl(relay))
            .header("Accept", "application/nostr+json")
            .timeout(timeout)
            .build();
    return http.sendAsync(request, response -> new BoundedBody())
        .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .handle(
            (response, failure) -> {
              try {
                if (failure != null) {
                  throw new RelayFailure(
                      "Cannot connect to " + relay + ": is the relay running there?");
                }
                return read(response);
              } catch (RelayFailure e) {
                throw new CompletionException(e);
              }
            });
  }

  private static RelayInfo read(HttpResponse<byte[]> response) throws RelayFailure {
    try {
      JsonNode document = JSON.readTree(new String(response.body(), StandardCharsets.UTF_8));
      if (response.statusCode() == 200 && document.isObject()) {
        return RelayInfo.of(document);
      }
    } catch (JsonProcessingException e) {
      // as an answer without a document
    }
    throw new RelayFailure("The server sends no relay information document (NIP-11).");
  }

  private static URI httpUrl(URI relay) {
    String url = relay.toString();
    String scheme = relay.getScheme().toLowerCase(Locale.ROOT);
    return URI.create((scheme.equals("wss") ? "https" : "http") + url.substring(scheme.length()));
  }

  /** Collects a body, and fails beyond the bound. Called by one thread at a time. */
  private static final class BoundedBody implements HttpResponse.BodySubscriber<byte[]> {
    private final CompletableFuture<byte[]> body = new CompletableFuture<>();
    private final List<byte[]> parts = new ArrayList<>();
    private int size;
    private Flow.Subscription subscription =
        new Flow.Subscription() {
          @Override
          public void request(long n) {}

          @Override
          public void cancel() {}
        };

    @Override
    public CompletionStage<byte[]> getBody() {
      return body;
    }

    @Override
    public void onSubscribe(Flow.Subscription chosen) {
      subscription = chosen;
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      for (ByteBuffer buffer : buffers) {
        byte[] part = new byte[buffer.remaining()];
        buffer.get(part);
        size += part.length;
        parts.add(part);
      }
      if (size > MAX_BYTES) {
        subscription.cancel();
        body.completeExceptionally(new RelayFailure("The information document is too long."));
      }
    }

    @Override
    public void onError(Throwable failure) {
      body.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
      byte[] all = new byte[size];
      int at = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, all, at, part.length);
        at += part.length;
      }
      body.complete(all);
    }
  }
}
