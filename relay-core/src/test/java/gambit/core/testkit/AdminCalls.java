package gambit.core.testkit;

import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Sha256;
import gambit.core.model.Tags;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Calls of management over HTTP (NIP-86), with logins (NIP-98) of the key of {@code admin}. */
public final class AdminCalls {
  public static final String MEDIA_TYPE = "application/nostr+json+rpc";
  public static final Signer ADMIN = Keys.of("admin");

  /** The address from which the calls come, for a relay that trusts this machine as a proxy. */
  public static final String ADDRESS = "203.0.113.9";

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final AtomicInteger LOGINS = new AtomicInteger();

  private AdminCalls() {}

  /** Makes a call with a valid login. */
  public static HttpResponse<String> call(TestRelay relay, String body) {
    return call(relay, ADMIN, body);
  }

  /** Makes a call with a valid login of some key. */
  public static HttpResponse<String> call(TestRelay relay, Signer signer, String body) {
    String login = header(login(signer, relay.now(), TestRelay.URL, body));
    return post(httpUrl(relay), MEDIA_TYPE, body, login);
  }

  public static URI httpUrl(TestRelay relay) {
    return URI.create(relay.uri().toString().replaceFirst("^ws", "http"));
  }

  /** The event that authorizes a request; its id is new each time. */
  public static Event login(long now, String url, String body) {
    return login(ADMIN, now, url, body);
  }

  /** The same of some key. */
  public static Event login(Signer signer, long now, String url, String body) {
    return signer.sign(now, 27_235, tags(url, "POST", body), LOGINS.incrementAndGet() + "");
  }

  /** The tags of such an event. */
  public static Tags tags(String url, String method, String body) {
    return new Tags(
        List.of(
            List.of("u", url),
            List.of("method", method),
            List.of("payload", HexFormat.of().formatHex(Sha256.of(body)))));
  }

  /** The value of the header {@code Authorization}. */
  public static String header(Event login) {
    return "Nostr "
        + Base64.getEncoder().encodeToString(login.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a request, with or without a header {@code Authorization}. */
  public static HttpResponse<String> post(
      URI url, String mediaType, String body, @Nullable String authorization) {
    return post(url, mediaType, body, authorization, ADDRESS).join();
  }

  /** Begins a request from an address, at a relay that trusts this machine as a proxy. */
  public static CompletableFuture<HttpResponse<String>> post(
      URI url, String mediaType, String body, @Nullable String authorization, String address) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(url)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .header("Content-Type", mediaType)
            .header("X-Forwarded-For", address)
            .timeout(Client.TIMEOUT);
    if (authorization != null) {
      request.header("Authorization", authorization);
    }
    return HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }
}
