package gambit.core.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A WebSocket client that sends texts unchanged over a real socket. */
public final class Client implements AutoCloseable, WebSocket.Listener {
  /** Time to wait before a test fails: on a loaded machine, an answer may take half a minute. */
  public static final Duration TIMEOUT = Duration.ofMinutes(2);

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CLOSED = "closed with ";

  private final LinkedBlockingQueue<String> received = new LinkedBlockingQueue<>();
  private final LinkedBlockingQueue<String> challenges = new LinkedBlockingQueue<>();
  private final StringBuilder partial = new StringBuilder();
  private final WebSocket socket;
  private CompletableFuture<WebSocket> sending;

  public Client(URI url) {
    this(url, HTTP);
  }

  /** A client that trusts as that HTTP client does. */
  public Client(URI url, HttpClient http) {
    this(http.newWebSocketBuilder(), url);
  }

  /** A client that sends those headers. */
  public Client(URI url, Map<String, String> headers) {
    this(builder(headers), url);
  }

  private static WebSocket.Builder builder(Map<String, String> headers) {
    WebSocket.Builder builder = HTTP.newWebSocketBuilder();
    headers.forEach(builder::header);
    return builder;
  }

  private Client(WebSocket.Builder builder, URI url) {
    socket = await(builder.buildAsync(url, this));
    sending = CompletableFuture.completedFuture(socket);
  }

  /** Waits with a timeout: a relay that does not read may block the socket for ever. */
  private static WebSocket await(CompletableFuture<WebSocket> doing) {
    return doing.orTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS).join();
  }

  /** Sends an HTTP request to the same URL. */
  public static HttpResponse<String> httpRequest(String method, URI url, String accept) {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url.toString().replaceFirst("^ws:", "http:")))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .header("Accept", accept)
            .timeout(TIMEOUT)
            .build();
    return HttpClient.newHttpClient()
        .sendAsync(request, HttpResponse.BodyHandlers.ofString())
        .join();
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      String frame = partial.toString();
      (frame.startsWith("[\"AUTH\"") ? challenges : received).add(frame);
      partial.setLength(0);
    }
    webSocket.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket webSocket, int statusCode, String reason) {
    received.add(CLOSED + statusCode);
    return null;
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    received.add(CLOSED + error);
  }

  /** Sends a text frame. */
  public Client send(String text) {
    await(socket.sendText(text, true));
    return this;
  }

  public void sendBinary(byte[] bytes) {
    await(socket.sendBinary(ByteBuffer.wrap(bytes), true));
  }

  /** Publishes an event. */
  public Client publish(Event event) {
    return send("[\"EVENT\"," + event + "]");
  }

  /** Publishes an event without waiting until the relay reads it; one thread at a time. */
  public void publishWithoutWaiting(Event event) {
    sending = sending.thenCompose(sent -> socket.sendText("[\"EVENT\"," + event + "]", true));
  }

  /** Signs and publishes an event. */
  public Event publish(Signer author, long createdAt, int kind, String content) {
    Event event = author.sign(createdAt, kind, Tags.NONE, content);
    publish(event);
    return event;
  }

  /** Publishes an event and returns the text of its OK, which must be the next frame. */
  public String answerTo(Event event) {
    return answerTo("EVENT", event);
  }

  /** Sends an EVENT or AUTH and returns the text of its OK, which must be the next frame. */
  public String answerTo(String verb, Event event) {
    send("[\"" + verb + "\"," + event + "]");
    JsonNode ok = nextJson();
    if (!ok.path(0).asText().equals("OK") || !ok.path(1).asText().equals(event.id().hex())) {
      throw new AssertionError("not the OK for " + event.id() + ": " + ok);
    }
    return ok.get(3).asText();
  }

  /** Publishes an event that the relay must accept. */
  public Event publishAccepted(Event event) {
    String answer = answerTo(event);
    if (!answer.isEmpty()) {
      throw new AssertionError("refused: " + answer);
    }
    return event;
  }

  /** The ids of the stored events that match a filter, in the order received. */
  public List<String> queryIds(String filter) {
    send("[\"REQ\",\"served\"," + filter + "]");
    List<String> ids = new java.util.ArrayList<>();
    for (JsonNode frame : until("EOSE")) {
      if (frame.path(0).asText().equals("EVENT")) {
        ids.add(frame.get(2).get("id").asText());
      }
    }
    send("[\"CLOSE\",\"served\"]");
    return ids;
  }

  /** The next challenge (NIP-42); challenges are queued apart from other frames. */
  public String nextChallenge() {
    return parse(next(challenges)).get(1).asText();
  }

  /** The number of unread challenges. */
  public int unreadChallenges() {
    return challenges.size();
  }

  /** Logs in with keys and the next challenge; the relay must accept it. */
  public Client login(long now, Signer... keys) {
    String challenge = nextChallenge();
    for (Signer key : keys) {
      Event login = loginEvent(key, now, TestRelay.URL, challenge);
      String answer = answerTo("AUTH", login);
      if (!answer.isEmpty()) {
        throw new AssertionError("refused: " + answer);
      }
    }
    return this;
  }

  /** The event with which a client logs in (NIP-42). */
  public static Event loginEvent(Signer key, long now, String relay, String challenge) {
    List<List<String>> tags = List.of(List.of("relay", relay), List.of("challenge", challenge));
    return key.sign(now, Kind.CLIENT_AUTH, new Tags(tags), "");
  }

  /** The next frame. */
  public String next() {
    return next(received);
  }

  private static String next(LinkedBlockingQueue<String> frames) {
    try {
      String frame = frames.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
      if (frame == null) {
        throw new AssertionError("no frame came");
      }
      return frame;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** The next frame as JSON. */
  public JsonNode nextJson() {
    return parse(next());
  }

  /** All frames up to and including the first with that verb. */
  public List<JsonNode> until(String verb) {
    List<JsonNode> frames = new java.util.ArrayList<>();
    do {
      frames.add(nextJson());
    } while (!frames.get(frames.size() - 1).path(0).asText().equals(verb));
    return frames;
  }

  /** The frames received and not read yet. */
  public List<String> unread() {
    return List.copyOf(received);
  }

  public static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (java.io.IOException e) {
      throw new AssertionError("not JSON: " + json, e);
    }
  }

  /** Waits until the relay closes the connection and returns the status code. */
  public int awaitClose() {
    String frame = next();
    while (!frame.startsWith(CLOSED)) {
      frame = next();
    }
    return Integer.parseInt(frame.substring(CLOSED.length()));
  }

  @Override
  public void close() {
    leave();
  }

  /** Closes the connection with a close frame, unless the relay closes it at the same time. */
  public void leave() {
    await(socket.sendClose(WebSocket.NORMAL_CLOSURE, "").exceptionally(closed -> socket));
  }

  /** Closes the connection without a close frame. */
  public void abort() {
    socket.abort();
  }
}
