package gambit.app.server.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gambit.core.limit.LimitValues;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The answers of the operators' port in each state of a relay. */
class OperationsServerTest {
  private final OperationsServer server;
  private final FaultyStore store = new FaultyStore();

  OperationsServerTest() throws IOException {
    server = listen(null);
  }

  private static OperationsServer listen(@Nullable String token) throws IOException {
    OperationsServer listening =
        new OperationsServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            token,
            Duration.ofMillis(500),
            error -> {
              throw new AssertionError(error);
            });
    listening.reportBuild("1.0");
    return listening;
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  void aStartingProgramIsAliveAndNotReady() {
    assertAnswers("/health/live", 200, "alive");
    assertAnswers("/health/ready", 503, "the store is being opened");
  }

  @Test
  void aServingRelayIsAliveAndReady() {
    try (TestRelay relay = watched()) {
      assertAnswers("/health/live", 200, "alive");
      assertAnswers("/health/ready", 200, "ready");
      assertThat(relay.health().objection()).isEmpty();
    }
  }

  @Test
  void aRelayWithStoreDamageIsReadyAndReportsTheDamage() {
    try (TestRelay relay = watched()) {
      store.setDamagedRecords(2);
      assertAnswers(
          "/health/ready", 200, "ready\ndamaged records found in the store: 2; run gambit check");
      assertThat(relay.metrics().read("damaged_records")).isEqualTo(2);
    }
  }

  @Test
  void pausesOfGarbageCollectionAreCountedInBuckets() {
    ask("GET", "/metrics"); // they are counted from the first scrape on
    System.gc();
    await()
        .untilAsserted(
            () ->
                assertThat(ask("GET", "/metrics").body())
                    .containsPattern("jvm_gc_pause_seconds_bucket\\{.*le=\"0\\.05\"} \\d")
                    .containsPattern("jvm_gc_pause_seconds_count\\{.*\"} [1-9]"));
  }

  @Test
  void aRelayWithAStuckLaneIsNotAlive() {
    try (TestRelay relay = watched();
        Client client = relay.connect()) {
      store.blockCommits();
      client.publish(Keys.of("alice").sign(relay.now(), 1, Tags.NONE, "hello"));
      assertAnswers("/health/live", 503, "no turn within 500 ms: writer");
      store.unblockCommits();
      assertAnswers("/health/live", 200, "alive");
    }
  }

  @Test
  void aRelayWithAFullStoreIsAliveAndNotReady() {
    try (TestRelay relay = watched()) {
      store.setFull(true);
      assertAnswers("/health/live", 200, "alive");
      assertAnswers("/health/ready", 503, "the store is full");
      assertThat(relay.health().objection()).isPresent();
    }
  }

  @Test
  void anEndingRelayIsAliveAndNotReady() {
    TestRelay relay = watched();
    Client client = relay.connect();
    store.blockCommits();
    client.publish(Keys.of("alice").sign(relay.now(), 1, Tags.NONE, "hello"));
    await().until(() -> relay.metrics().read("events_under_way") == 1);
    CompletableFuture<Void> ending = CompletableFuture.runAsync(relay::close);
    assertAnswers("/health/ready", 503, "the relay is ending");
    assertAnswers("/health/live", 200, "alive");
    store.unblockCommits();
    ending.join();
  }

  @Test
  void incompleteRequestsDoNotDelayOtherRequests() throws IOException {
    try (Socket silent = connect();
        Socket slow = connect();
        Socket slower = connect()) {
      for (Socket each : new Socket[] {slow, slower}) {
        each.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.UTF_8));
      }
      assertThat(silent.isConnected()).isTrue();
      assertAnswers("/health/live", 200, "alive");
      assertThat(ask("GET", "/metrics").body()).contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void moreConnectionsThanThePortKeepsDoNotExcludeNewOnes() throws IOException {
    List<Socket> sockets = new ArrayList<>();
    try {
      for (int i = 0; i < OperatorConnection.OpenConnections.MAX * 2; i++) {
        Socket socket = connect();
        sockets.add(socket);
        socket.getOutputStream().write("GET /metrics HT".getBytes(StandardCharsets.UTF_8));
      }
      assertAnswers("/health/live", 200, "alive");
      assertThat(sockets.get(0).getInputStream().read()).isEqualTo(-1);
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  @Test
  void requestsBeyondTheQueueAreAnswered503() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    Semaphore begun = new Semaphore(0);
    server.route(
        "GET",
        "/slow",
        request -> {
          begun.release();
          awaitQuietly(end);
          return OperatorAnswer.text(200, "done");
        });
    List<CompletableFuture<HttpResponse<String>>> busy = new ArrayList<>();
    for (int i = 0; i < OperatorRoutes.THREADS; i++) {
      busy.add(askInBackground("/slow"));
    }
    begun.acquire(OperatorRoutes.THREADS);
    for (int i = 0; i < OperatorRoutes.QUEUE + 1; i++) {
      busy.add(askInBackground("/slow"));
    }
    HttpResponse<?> refused =
        (HttpResponse<?>) CompletableFuture.anyOf(busy.toArray(CompletableFuture[]::new)).join();
    assertThat(refused.statusCode()).isEqualTo(503);
    assertThat(refused.headers().firstValue("Retry-After")).contains("1");
    assertThat(refused.body()).isEqualTo("too many requests at once\n");
    end.countDown();
    assertThat(busy.stream().map(CompletableFuture::join).filter(it -> it.statusCode() == 200))
        .hasSize(OperatorRoutes.THREADS + OperatorRoutes.QUEUE);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void unknownPathsAndOtherMethodsAreRefused() {
    assertThat(ask("GET", "/health").statusCode()).isEqualTo(404);
    assertThat(ask("GET", "/").body()).isEqualTo("paths: /health/live, /health/ready, /metrics\n");
    for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "BREW")) {
      HttpResponse<String> answer = ask(method, "/metrics");
      assertThat(answer.statusCode()).isEqualTo(405);
      assertThat(answer.headers().firstValue("Allow")).contains("GET, HEAD");
    }
  }

  @Test
  void headIsAnsweredLikeGetWithoutTheBody() {
    for (String path : List.of("/metrics", "/health/live", "/health/ready", "/nothing")) {
      HttpResponse<String> get = ask("GET", path);
      HttpResponse<String> head = ask("HEAD", path);
      assertThat(head.statusCode()).isEqualTo(get.statusCode());
      assertThat(head.headers().firstValue("Content-Type"))
          .isEqualTo(get.headers().firstValue("Content-Type"));
      assertThat(head.headers().firstValueAsLong("Content-Length").orElse(0)).isPositive();
      assertThat(head.body()).isEmpty();
    }
  }

  @Test
  void aPartOfTheProgramCanAddARoute() {
    server.route("POST", "/echo", request -> OperatorAnswer.text(200, request.body()));
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/echo?a=b"))
            .POST(HttpRequest.BodyPublishers.ofString("hello"))
            .build();
    assertThat(send(request).body()).isEqualTo("hello");
    assertThat(ask("GET", "/echo").headers().firstValue("Allow")).contains("POST");
  }

  @Test
  void aRouteThatFailsIsAnswered500() {
    server.route(
        "GET",
        "/broken",
        request -> {
          throw new IllegalStateException("broken by this test");
        });
    assertThat(ask("GET", "/broken").statusCode()).isEqualTo(500);
  }

  @Test
  void metricsNeedTheTokenAndHealthDoesNot() throws IOException {
    try (OperationsServer guarded = listen("correct horse")) {
      URI metrics = URI.create("http://localhost:" + guarded.port() + "/metrics");
      for (String wrong :
          List.of(
              "Bearer correct hors", "Bearer correct horse2", "Basic correct horse", "Bearer")) {
        HttpResponse<String> refused =
            send(HttpRequest.newBuilder(metrics).header("Authorization", wrong).build());
        assertThat(refused.statusCode()).isEqualTo(401);
        assertThat(refused.headers().firstValue("WWW-Authenticate"))
            .contains("Bearer realm=\"metrics\"");
        assertThat(refused.body()).doesNotContain("jvm_", "horse");
      }
      HttpResponse<String> without = send(HttpRequest.newBuilder(metrics).build());
      assertThat(without.statusCode()).isEqualTo(401);
      HttpResponse<String> with =
          send(
              HttpRequest.newBuilder(metrics)
                  .header("Authorization", "bearer correct horse")
                  .build());
      assertThat(with.statusCode()).isEqualTo(200);
      assertThat(with.body()).contains("jvm_memory_used_bytes");
      assertThat(send(HttpRequest.newBuilder(metrics.resolve("/health/live")).build()).statusCode())
          .isEqualTo(200);
    }
  }

  @Test
  void metricsAreInOpenMetricsForClientsThatPreferIt() {
    String ofPrometheus =
        "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;"
            + "q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1";
    HttpResponse<String> open = scrape(ofPrometheus, "identity");
    assertThat(open.headers().firstValue("Content-Type"))
        .contains("application/openmetrics-text; version=1.0.0; charset=utf-8");
    assertThat(open.body()).contains("# TYPE gambit_build info\n").endsWith("# EOF\n");
    assertThat(scrape("application/openmetrics-text; version=\"1.0.0\"", "identity").body())
        .as("a quoted version (RFC 9110, 5.6.6)")
        .endsWith("# EOF\n");
    for (String accept :
        List.of(
            "*/*",
            "text/plain",
            "application/openmetrics-text;version=2.0.0,text/plain;q=0.5",
            "application/openmetrics-text;q=0.4,text/plain;version=0.0.4;q=0.5",
            "application/openmetrics-text;q=0",
            ";;q=x,")) {
      HttpResponse<String> text = scrape(accept, "identity");
      assertThat(text.headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(text.body()).contains("# TYPE gambit_build_info gauge\n").doesNotContain("# EOF");
    }
  }

  @Test
  void metricsAreCompressedForClientsThatAcceptIt() throws IOException {
    HttpResponse<byte[]> compressed =
        send(request("*/*", "deflate, gzip;q=0.5"), HttpResponse.BodyHandlers.ofByteArray());
    assertThat(compressed.headers().firstValue("Content-Encoding")).contains("gzip");
    byte[] text = new GZIPInputStream(new ByteArrayInputStream(compressed.body())).readAllBytes();
    assertThat(new String(text, UTF_8)).contains("jvm_memory_used_bytes");
    assertThat(compressed.body().length).isLessThan(text.length / 3);
    HttpResponse<String> plain = scrape("*/*", "gzip;q=0, br");
    assertThat(plain.headers().firstValue("Content-Encoding")).isEmpty();
    assertThat(plain.body()).contains("jvm_memory_used_bytes");
  }

  /** A web page whose name is given the address of this machine sends that name (DNS rebinding). */
  @ParameterizedTest
  @CsvSource({
    "localhost:7448, 200",
    "LOCALHOST, 200",
    "127.0.0.1:7448, 200",
    "[::1]:7448, 200",
    "192.0.2.1, 200",
    "evil.example, 421",
    "localhost.evil.example, 421",
    "127.0.0.1.evil.example:7448, 421",
    "'localhost, evil.example', 421",
    "[localhost], 421"
  })
  void aRequestIsAnsweredOnlyUnderANameThatThePortKnows(String host, int status)
      throws IOException {
    for (String path : List.of("/metrics", "/health/live", "/health/ready")) {
      int expected = path.equals("/health/ready") && status == 200 ? 503 : status;
      assertThat(status("GET " + path + " HTTP/1.0\r\nHost: " + host + "\r\n\r\n", server))
          .as(path)
          .isEqualTo(expected);
    }
  }

  @Test
  void aRequestUnderAnotherNameIsAnsweredWithTheTokenOrWhereThePortListensByThatName()
      throws IOException {
    String request = "GET /metrics HTTP/1.0\r\nHost: relay.internal\r\n";
    try (OperationsServer withToken = listen("correct horse")) {
      assertThat(status(request + "\r\n", withToken)).isEqualTo(421);
      String authorization = "Authorization: Bearer correct horse\r\n\r\n";
      assertThat(status(request + authorization, withToken)).isEqualTo(200);
    }
    InetAddress named =
        InetAddress.getByAddress("Relay.Internal", InetAddress.getLoopbackAddress().getAddress());
    try (OperationsServer byName =
        new OperationsServer(
            new InetSocketAddress(named, 0), null, Duration.ofMillis(500), error -> {})) {
      assertThat(status(request + "\r\n", byName)).isEqualTo(200);
    }
  }

  private static int status(String request, OperationsServer of) throws IOException {
    try (Socket socket = new Socket(of.address().getAddress(), of.port())) {
      socket.getOutputStream().write(request.getBytes(UTF_8));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      return Integer.parseInt(answer.split(" ")[1]);
    }
  }

  @Test
  void aConnectionServesManyRequests() throws IOException {
    try (Socket socket = connect()) {
      BufferedReader in =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (int i = 0; i < 3; i++) {
        socket
            .getOutputStream()
            .write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
        assertThat(in.readLine()).isEqualTo("HTTP/1.1 200 OK");
        in.lines().takeWhile(line -> !line.isEmpty()).forEach(line -> {});
        assertThat(in.readLine()).isEqualTo("alive");
      }
    }
  }

  /** As {@code nc -N} does, and other clients of few lines. */
  @Test
  void aClientThatClosesItsSideAfterARequestGetsTheAnswer() throws IOException {
    try (Socket socket = connect()) {
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(UTF_8));
      socket.shutdownOutput();
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 200 OK").contains("jvm_memory_used_bytes");
    }
    try (Socket socket = connect()) {
      socket.getOutputStream().write("GET /metrics HT".getBytes(UTF_8));
      socket.shutdownOutput();
      assertThat(socket.getInputStream().readAllBytes()).as("to half a request").isEmpty();
    }
  }

  @Test
  void thePortIsReachableFromLoopbackOnly() throws IOException {
    assertThat(server.address().getAddress().isLoopbackAddress()).isTrue();
    for (NetworkInterface network : Collections.list(NetworkInterface.getNetworkInterfaces())) {
      for (InetAddress address : Collections.list(network.getInetAddresses())) {
        if (!address.isLoopbackAddress()) {
          assertThatThrownBy(() -> new Socket(address, server.port()).close())
              .as("%s", address)
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  private TestRelay watched() {
    TestRelay relay = new TestRelay(LimitValues.DEFAULT, store);
    server.report(relay.health());
    return relay;
  }

  private Socket connect() throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  /** Waits for the answer, because a healthy relay may be late on a loaded machine. */
  private void assertAnswers(String path, int status, String line) {
    await()
        .untilAsserted(
            () -> {
              HttpResponse<String> answer = ask("GET", path);
              assertThat(answer.body()).isEqualTo(line + "\n");
              assertThat(answer.statusCode()).isEqualTo(status);
            });
  }

  private HttpRequest request(String accept, String encodings) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + "/metrics"))
        .header("Accept", accept)
        .header("Accept-Encoding", encodings)
        .build();
  }

  private HttpResponse<String> scrape(String accept, String encodings) {
    return send(request(accept, encodings));
  }

  private static HttpResponse<String> send(HttpRequest request) {
    return send(request, HttpResponse.BodyHandlers.ofString());
  }

  private static <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) {
    return HttpClient.newHttpClient().sendAsync(request, body).join();
  }

  private CompletableFuture<HttpResponse<String>> askInBackground(String path) {
    return HttpClient.newHttpClient()
        .sendAsync(
            HttpRequest.newBuilder(URI.create("http://localhost:" + server.port() + path)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> ask(String method, String path) {
    return Client.httpRequest(
        method, URI.create("http://localhost:" + server.port() + path), "*/*");
  }
}
