package gambit.chess.session.preview;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.clients.ChessClient;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.rules.Piece;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.Tags;
import gambit.core.net.WebPage;
import gambit.core.net.WebPage.WebFile;
import gambit.core.nip.AdmissionPolicy;
import gambit.core.nip.OperatorPolicies;
import gambit.core.nip.OperatorPolicies.MemberPolicy;
import gambit.core.nip.OperatorPolicies.ReadPolicy;
import gambit.core.store.EventStore;
import gambit.core.testkit.ChangedSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.MemoryEventStore;
import gambit.core.testkit.RawSocket;
import gambit.core.testkit.TestRelay;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Previews of links to games, over a socket. */
class GamePreviewsTest {
  private static final String SITE =
      TestRelay.URL.replaceFirst("^ws", "http").replaceFirst("/*$", "/");
  private static final Instant START = Instant.parse("2026-01-01T12:00:00Z");
  private static final WebPage PAGE =
      new WebPage("hint", Map.of("/", WebFile.of("text/html", new byte[1], null, false)));
  private static final List<String> MATE = List.of("f2f3", "e7e5", "g2g4", "d8h4");
  private static final String MATED =
      "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
  private static final String UNKNOWN =
      "/game/0000000000000000000000000000000000000000000000000000000000000000";

  private final HttpClient http = HttpClient.newHttpClient();
  private final EventStore store = new MemoryEventStore(64 << 20);
  private final OperatorPolicies policies =
      new OperatorPolicies(AdmissionPolicy.EVERYTHING, ReadPolicy.EVERYTHING);
  private TestRelay relay = relayWithPage(START);

  private TestRelay relayWithPage(Instant start) {
    TestRelay started =
        new TestRelay(
            store,
            start,
            policies,
            new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
    started.change(settings -> ChangedSettings.with(settings, PAGE));
    return started;
  }

  @AfterEach
  void end() {
    relay.close();
  }

  @ParameterizedTest
  @EnumSource(ChessClient.Kind.class)
  void runningGameIsShownAsItIsNowAndTheFinishedOneAsItEnded(ChessClient.Kind kind)
      throws IOException {
    try (ChessClient alice = kind.at(relay, "alice");
        ChessClient bob = kind.at(relay, "bob")) {
      ChessClient.sitDown(alice, bob);
      String path = "/game/" + game();
      assertThat(tags(get(path)))
          .containsEntry("og:description", "Classical 10 min a move · 0 moves");
      assertShows(picture(path), Position.initial().fen(), "");
      ChessClient.play(alice, bob, MATE.subList(0, 3));
      assertThat(tags(get(path)).get("og:title")).endsWith(", in progress");
      assertShows(
          picture(path), "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", "g2g4");
      bob.move("d8h4");
      assertThat(alice.awaitMove()).isEqualTo("d8h4");
      Map<String, String> tags = tags(get(path));
      assertThat(tags)
          .containsEntry("og:title", npub("alice") + " – " + npub("bob") + ", 0-1, checkmate")
          .containsEntry("og:description", "Classical 10 min a move · 2 moves")
          .containsEntry("og:url", SITE + path.substring(1))
          .containsEntry("og:image", SITE + path.substring(1) + ".png?4")
          .containsEntry("twitter:card", "summary_large_image")
          .containsEntry("refresh", "0; url=.." + "/#" + path);
      assertShows(picture(path), MATED, "d8h4");
    }
  }

  @Test
  void restartedRelayShowsBothAgain() throws IOException {
    String finished;
    String running;
    try (ChessClient alice = ChessClient.Kind.DRAFT.at(relay, "alice");
        ChessClient bob = ChessClient.Kind.DRAFT.at(relay, "bob");
        ChessClient carol = ChessClient.Kind.DRAFT.at(relay, "carol");
        ChessClient dave = ChessClient.Kind.DRAFT.at(relay, "dave")) {
      ChessClient.sitDown(alice, bob);
      finished = game();
      ChessClient.play(alice, bob, MATE);
      ChessClient.sitDown(carol, dave);
      running = games().stream().filter(it -> !it.equals(finished)).findFirst().orElseThrow();
      List<String> moves = new ArrayList<>();
      for (int i = 0; i < 3; i++) { // beyond the plies of one row
        moves.addAll(List.of("g1f3", "g8f6", "f3g1", "f6g8"));
      }
      ChessClient.play(carol, dave, moves);
    }
    Instant later = relay.time().instant().plusSeconds(60);
    relay.close();
    relay = relayWithPage(later);
    assertShows(picture("/game/" + finished), MATED, "d8h4");
    assertShows(picture("/game/" + running), Position.initial().fen(), "f6g8");
    assertThat(tags(get("/game/" + running)).get("og:description")).endsWith(" · 6 moves");
  }

  @Test
  void gameOfKind30IsShownBeforeAndAfterTheOtherSeatIsTakenAndAsItEnded() throws IOException {
    try (Client client = relay.connect()) {
      Event start =
          jester(
              "alice", "\"kind\":0,\"history\":[],\"nonce\":\"1\"", List.of(JesterMessage.START));
      client.publishAccepted(start);
      String path = "/game/" + start.id().hex();
      String title = npub("alice") + " – ";
      assertThat(tags(get(path)))
          .containsEntry("og:title", title + "?, waiting for an opponent")
          .containsEntry("og:description", "No clock · 0 moves");
      Event head = start;
      StringJoiner history = new StringJoiner(",");
      for (String san : List.of("f3", "e5", "g4", "Qh4#")) {
        String author = history.length() == 0 || san.equals("g4") ? "alice" : "bob";
        history.add("\"" + san + "\"");
        List<String> named = List.of(start.id().hex(), head.id().hex());
        head = jester(author, "\"kind\":1,\"history\":[" + history + "]", named);
        client.publishAccepted(head);
        if (san.equals("g4")) {
          assertThat(tags(get(path)))
              .containsEntry("og:title", title + npub("bob") + ", in progress");
        }
      }
      assertThat(tags(get(path)))
          .containsEntry("og:title", title + npub("bob") + ", 0-1, checkmate");
      assertShows(picture(path), MATED, "d8h4");
    }
  }

  private Event jester(String author, String members, List<String> named) {
    Tags tags = new Tags(named.stream().map(id -> List.of("e", id)).toList());
    String content = "{\"version\":\"0\"," + members + "}";
    return Keys.of(author).sign(relay.now(), JesterMessage.KIND, tags, content);
  }

  @Test
  void namesOfProfilesAreText() {
    String name = "<b>\\\"'&\\u202e\\n" + "x".repeat(300);
    try (ChessClient alice = ChessClient.Kind.DRAFT.at(relay, "alice");
        ChessClient bob = ChessClient.Kind.DRAFT.at(relay, "bob");
        Client socket = relay.connect()) {
      socket.publish(Keys.of("alice"), relay.now(), 0, "{\"name\":\"" + name + "\"}");
      assertThat(socket.nextJson().get(2).asBoolean()).isTrue();
      socket.publish(Keys.of("bob"), relay.now(), 0, "{\"name\":[]");
      assertThat(socket.nextJson().get(2).asBoolean()).isTrue();
      ChessClient.sitDown(alice, bob);
      String page = text(get("/game/" + game()));
      assertThat(page)
          .contains(
              "<h1>&lt;b&gt;&quot;&#39;&amp; " + "x".repeat(33) + " – " + npub("bob") + ", in")
          .doesNotContain("<b>", "\u202e", "x".repeat(34));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/game/",
        "/game/<script>",
        "/game/0/../../x",
        "/game/%00",
        "/game/ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789ABCDEF0123456789",
        UNKNOWN,
        UNKNOWN + ".png",
        UNKNOWN + ".gif",
        UNKNOWN + "/",
      })
  void whatIsNoGameLeadsToTheLobby(String path) throws IOException {
    try (RawSocket socket = new RawSocket(relay.uri())) {
      socket.write("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
      String head = socket.readHead();
      String answer = head + new String(socket.readBody(head), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 404 ").contains("Go to the lobby</a>");
      assertThat(answer).contains("content-security-policy: default-src 'none'");
      assertThat(answer).doesNotContain("<script", "refresh");
      Matcher link = Pattern.compile("<a href=\"((?:\\.\\./)+)\">").matcher(answer);
      assertThat(link.find()).isTrue();
      assertThat(link.group(1)).hasSize(3 * (path.split("/", -1).length - 2));
    }
  }

  @Test
  void otherRelayOfALinkIsKeptIfItIsOne() {
    assertThat(tags(get(UNKNOWN + "?relay=wss%3A%2F%2Fother.example%2F")))
        .containsEntry("refresh", "0; url=../?relay=wss%3A%2F%2Fother.example%2F#" + UNKNOWN);
    for (String query :
        List.of("relay=https%3A%2F%2Fx", "relay=wss%3A%2F%2Fx%22%3E%3C", "relay=%25zz", "x=1")) {
      assertThat(text(get(UNKNOWN + "?" + query))).doesNotContain("relay=https", "\"><", "%25zz");
    }
  }

  @Test
  void browserThatHasAPreviewIsSentNoneAndHeadIsAnsweredWithoutContent() {
    try (ChessClient alice = ChessClient.Kind.DRAFT.at(relay, "alice");
        ChessClient bob = ChessClient.Kind.DRAFT.at(relay, "bob")) {
      ChessClient.sitDown(alice, bob);
      for (String path : List.of("/game/" + game(), "/game/" + game() + ".png")) {
        HttpResponse<byte[]> first = get(path);
        String tag = first.headers().firstValue("etag").orElseThrow();
        assertThat(first.headers().firstValue("cache-control")).contains("no-cache");
        HttpResponse<byte[]> again = request("GET", path, "If-None-Match", tag);
        assertThat(again.statusCode()).isEqualTo(304);
        assertThat(again.body()).isEmpty();
        HttpResponse<byte[]> head = request("HEAD", path, "Accept", "*/*");
        assertThat(head.statusCode()).isEqualTo(200);
        assertThat(head.headers().firstValue("content-length")).contains("" + first.body().length);
        assertThat(request("DELETE", path, "Accept", "*/*").statusCode()).isEqualTo(405);
        assertThat(request("OPTIONS", path, "Accept", "*/*").statusCode()).isEqualTo(204);
      }
    }
  }

  @Test
  void gamesOfARelayThatOnlyMembersMayReadAreNotShown() {
    try (ChessClient alice = ChessClient.Kind.DRAFT.at(relay, "alice");
        ChessClient bob = ChessClient.Kind.DRAFT.at(relay, "bob")) {
      ChessClient.sitDown(alice, bob);
      String path = "/game/" + game();
      policies.change(new MemberPolicy(false, true));
      assertThat(get(path).statusCode()).isEqualTo(404);
      assertThat(get(path + ".png").statusCode()).isEqualTo(404);
      policies.change(MemberPolicy.OFF);
      assertThat(get(path).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void relayWithoutItsPageHasNoPreviews() {
    relay.change(settings -> ChangedSettings.with(settings, WebPage.NONE));
    HttpResponse<byte[]> answer = get(UNKNOWN);
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEmpty();
  }

  private String game() {
    return games().get(0);
  }

  private List<String> games() {
    try (Client client = relay.connect()) {
      return client.queryIds(
          "{\"kinds\":[5000],\"authors\":[\"" + relay.signer().pubkey().hex() + "\"]}");
    }
  }

  private static String npub(String name) {
    String npub = Nip19.npub(Keys.of(name).pubkey());
    return npub.substring(0, 10) + "…" + npub.substring(npub.length() - 4);
  }

  private HttpResponse<byte[]> get(String path) {
    return request("GET", path, "Accept", "*/*");
  }

  private HttpResponse<byte[]> request(String method, String path, String... headers) {
    URI uri = URI.create("http://127.0.0.1:" + relay.uri().getPort() + path);
    HttpRequest request =
        HttpRequest.newBuilder(uri)
            .method(method, BodyPublishers.noBody())
            .headers(headers)
            .timeout(Client.TIMEOUT)
            .build();
    return http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()).join();
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  /** The contents of the meta elements of a page. */
  private static Map<String, String> tags(HttpResponse<byte[]> page) {
    Map<String, String> tags = new HashMap<>();
    Matcher meta =
        Pattern.compile("<meta [a-z-]+=\"([a-z:_-]+)\" content=\"([^\"]*)\">").matcher(text(page));
    while (meta.find()) {
      tags.put(meta.group(1), meta.group(2));
    }
    return tags;
  }

  private BufferedImage picture(String path) throws IOException {
    HttpResponse<byte[]> answer = get(path + ".png");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type")).contains("image/png");
    assertThat(answer.body().length).isLessThan(32_768);
    return ImageIO.read(new ByteArrayInputStream(answer.body()));
  }

  /** Requires that a picture shows a position, with the squares of the last move marked. */
  private static void assertShows(BufferedImage picture, String fen, String move) {
    assertThat(picture.getWidth()).isEqualTo(1200);
    assertThat(picture.getHeight()).isEqualTo(630);
    Position position = Position.parseFen(fen).orElseThrow();
    Map<Object, List<Integer>> looks = new HashMap<>();
    for (int square = 0; square < 64; square++) {
      int[] pixels =
          picture.getRGB(288 + square % 8 * 78, 3 + (7 - square / 8) * 78, 78, 78, null, 0, 78);
      String name = "" + (char) ('a' + square % 8) + (square / 8 + 1);
      boolean isDark = (square / 8 + square % 8) % 2 == 0;
      boolean isMarked = move.contains(name);
      int ground = isMarked ? isDark ? 0xaab15b : 0xe4d987 : isDark ? 0x7fa08d : 0xe9e8dc;
      assertThat(pixels[0] & 0xffffff).as(name).isEqualTo(ground);
      Optional<Piece> piece = position.at(square);
      assertThat(count(pixels, 0xffffff) > 300)
          .as("a white piece on " + name)
          .isEqualTo(piece.filter(it -> it.side() == Side.WHITE).isPresent());
      assertThat(count(pixels, 0x3d4441) > 300)
          .as("a black piece on " + name)
          .isEqualTo(piece.filter(it -> it.side() == Side.BLACK).isPresent());
      List<Integer> bodies = new ArrayList<>();
      for (int pixel : pixels) {
        int colour = pixel & 0xffffff;
        bodies.add(colour == 0xffffff || colour == 0x3d4441 ? 1 : 0);
      }
      Object kind = piece.<Object>map(Piece::kind).orElse("empty");
      assertThat(looks.computeIfAbsent(kind, it -> bodies)).as(name).isEqualTo(bodies);
    }
    assertThat(looks.values()).doesNotHaveDuplicates();
  }

  private static long count(int[] pixels, int colour) {
    return Arrays.stream(pixels).filter(it -> (it & 0xffffff) == colour).count();
  }
}
