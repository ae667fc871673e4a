package gambit.core.net;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.net.WebPage.ContentPolicy;
import gambit.core.net.WebPage.WebFile;
import gambit.core.testkit.RawSocket;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.BindException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The web page at the relay's URL, over a socket. */
class WebPageTest {
  private static final String BROWSER = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
  private static final String SCRIPT_TEXT = "console.log(1)".repeat(20_000);
  private static final byte[] SCRIPT = SCRIPT_TEXT.getBytes(UTF_8);
  private static final WebPage PAGE =
      new WebPage(
          "connect",
          Map.of(
              "/",
              file("text/html", "<p>Chess", false),
              "/admin",
              file("text/html", "<p>Admin", false).with(ContentPolicy.ADMIN),
              "/assets/a.js",
              file("text/javascript", SCRIPT_TEXT, true)));

  private final RelayServer server;

  WebPageTest() throws BindException {
    server = Endpoints.listen(Endpoints.of(PAGE));
  }

  @AfterEach
  void end() {
    server.close();
  }

  /** The head and the content of an answer. */
  private record Answer(String head, byte[] body) {
    private int status() {
      return Integer.parseInt(head.split(" ")[1]);
    }

    private String text() {
      return new String(body, UTF_8);
    }
  }

  @Test
  void browserGetsThePageAtTheRelaysUrlUnderAStrictContentSecurityPolicy() throws IOException {
    Answer page = get("/?relay=wss://other.example", BROWSER);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.text()).isEqualTo("<p>Chess");
    assertThat(page.head())
        .containsIgnoringCase("content-type: text/html")
        .containsIgnoringCase("cache-control: no-cache")
        .containsIgnoringCase("vary: accept, accept-encoding")
        .containsIgnoringCase("x-content-type-options: nosniff")
        .containsIgnoringCase("content-security-policy: default-src 'none'; script-src 'self'; ")
        .doesNotContain("unsafe");
  }

  @Test
  void adminPageHasAStricterPolicyAndOneAddress() throws IOException {
    Answer page = get("/admin", BROWSER);
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.head())
        .containsIgnoringCase("cache-control: no-cache")
        .contains("; require-trusted-types-for 'script'; ", "; frame-ancestors 'none'")
        .doesNotContain("worker-src", "manifest-src", "unsafe");
    assertThat(get("/admin/", BROWSER).status()).isEqualTo(404);
    assertThat(ask("POST", "/admin", "").status()).isEqualTo(405);
  }

  @Test
  void onlyScriptsOfWorkersMayCompileWebAssembly() throws IOException {
    assertThat(get("/assets/a.js", "").head()).contains("; script-src 'self' 'wasm-unsafe-eval'; ");
  }

  @Test
  void nostrClientGetsTheInformationDocumentAndAnyOtherClientAHint() throws IOException {
    assertThat(get("/", "Accept: text/html, application/nostr+json\r\n").text()).isEqualTo("{}");
    assertThat(get("/", "Accept: */*\r\n").text()).isEqualTo("connect");
    assertThat(get("/", "").text()).isEqualTo("connect");
  }

  @Test
  void fileWhoseNameChangesWithItsContentMayBeKeptForEver() throws IOException {
    Answer script = get("/assets/a.js", "");
    assertThat(script.body()).isEqualTo(SCRIPT);
    assertThat(script.head()).containsIgnoringCase("cache-control: public, max-age=31536000, imm");
  }

  @Test
  void fileIsCompressedForClientsThatAcceptGzip() throws IOException {
    Answer script = get("/assets/a.js", "Accept-Encoding: br, GZIP\r\n");
    assertThat(script.head()).containsIgnoringCase("content-encoding: gzip");
    assertThat(script.body().length).isLessThan(SCRIPT.length / 20);
    assertThat(new GZIPInputStream(new ByteArrayInputStream(script.body())).readAllBytes())
        .isEqualTo(SCRIPT);
  }

  @Test
  void gzipMayHaveAWeightAndIsNotSentIfTheWeightIsZero() throws IOException {
    for (String accepted : List.of("gzip", "br;q=1.0, gzip;q=0.8", "gzip ; q=0.001", "x,gzip")) {
      assertThat(get("/assets/a.js", "Accept-Encoding: " + accepted + "\r\n").head())
          .as(accepted)
          .containsIgnoringCase("content-encoding: gzip");
    }
    for (String refused : List.of("identity", "gzip;q=0", "gzip; q=0.000, br", "xgzip", "gzipx")) {
      assertThat(get("/assets/a.js", "Accept-Encoding: " + refused + "\r\n").head())
          .as(refused)
          .doesNotContainIgnoringCase("content-encoding");
    }
  }

  @Test
  void informationDocumentDoesNotTakeThePagesPlaceInACache() throws IOException {
    assertThat(get("/", "Accept: application/nostr+json\r\n").head())
        .containsIgnoringCase("vary: accept\r\n")
        .containsIgnoringCase("cache-control: no-store");
  }

  @Test
  void fileThatTheBrowserHasIsNotSentAgain() throws IOException {
    String tag = PAGE.index().orElseThrow().tag();
    try (RawSocket raw = open()) {
      raw.write(
          "GET / HTTP/1.1\r\nHost: x\r\n"
              + BROWSER
              + "If-None-Match: \"i0\", W/"
              + tag
              + "\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 304 ").containsIgnoringCase("etag: W/" + tag);
      raw.write("GET / HTTP/1.1\r\nHost: x\r\n" + BROWSER + "If-None-Match: \"i0\"\r\n\r\n");
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void headHasTheLengthAndNoContent() throws IOException {
    try (RawSocket raw = open()) {
      raw.write("HEAD /assets/a.js HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      assertThat(raw.readHead()).containsIgnoringCase("content-length: " + SCRIPT.length);
      assertThat(raw.isAtEnd()).isTrue();
    }
  }

  @Test
  void otherPathsAreNotFoundAndOtherMethodsNotAllowed() throws IOException {
    assertThat(get("/assets/b.js", BROWSER).status()).isEqualTo(404);
    assertThat(get("/assets/../assets/a.js", BROWSER).status()).isEqualTo(404);
    assertThat(get("//assets/a.js", BROWSER).status()).isEqualTo(404);
    assertThat(ask("POST", "/assets/a.js", "").status()).isEqualTo(405);
  }

  @Test
  void aFileIsNotUpgradedToAWebSocket() throws IOException {
    try (RawSocket raw = open()) {
      raw.write(RawSocket.UPGRADE.replace("GET /", "GET /assets/a.js"));
      assertThat(raw.readHead()).startsWith("HTTP/1.1 200 ");
    }
  }

  private Answer get(String path, String headers) throws IOException {
    return ask("GET", path, headers);
  }

  private Answer ask(String method, String path, String headers) throws IOException {
    try (RawSocket raw = open()) {
      raw.write(method + " " + path + " HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n");
      String head = raw.readHead();
      return new Answer(head, raw.readBody(head));
    }
  }

  private RawSocket open() throws IOException {
    return new RawSocket(URI.create("ws://127.0.0.1:" + server.address().getPort()));
  }

  private static WebFile file(String type, String text, boolean isUnchanging) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(text.getBytes(UTF_8));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    return WebFile.of(type, text.getBytes(UTF_8), bytes.toByteArray(), isUnchanging);
  }
}
