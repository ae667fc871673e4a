package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.net.AnsweringServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Relays that do not answer, or answer too much: the command ends and reports the reason. */
class HostileRelayTest {
  private static final String GAME = "a".repeat(64);

  private static void assertReported(VerifyResult verdict, String words) {
    assertThat(verdict.errors()).isEqualTo(words + "\n");
    assertThat(verdict.output()).isEmpty();
    assertThat(verdict.status()).isEqualTo(2);
  }

  private static void assertReported(Function<String, Stream<String>> answers, String words) {
    assertReported(answers, words, GAME);
  }

  private static void assertReported(
      Function<String, Stream<String>> answers, String words, String game) {
    try (AnsweringServer server = new AnsweringServer(answers)) {
      assertReported(VerifyResult.of(game, server.uri()), words);
    }
  }

  private static VerifyResult withinSeconds(String seconds, URI relay) {
    return VerifyResult.of(GAME, "--relay", relay.toString(), "--timeout", seconds);
  }

  @Test
  void anUnreachableRelayIsReported() {
    assertReported(
        VerifyResult.of(GAME, URI.create("ws://localhost:1")),
        "Cannot connect to ws://localhost:1: is the relay running there?");
  }

  @Test
  void anUnansweredHandshakeIsReported() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      URI relay = URI.create("ws://127.0.0.1:" + silent.getLocalPort());
      assertReported(
          withinSeconds("1", relay),
          "Cannot connect to " + relay + ": is the relay running there?");
    }
  }

  @Test
  void aSilentRelayIsReportedAfterTheTimeout() {
    try (AnsweringServer server = new AnsweringServer(asked -> Stream.empty())) {
      assertReported(
          withinSeconds("3", server.uri()), "The relay has not served the game within 3 s.");
    }
  }

  @Test
  void aRelayThatSendsTooManyNoticesIsReported() {
    assertReported(
        asked -> Stream.generate(() -> "[\"NOTICE\",\"wait\"]").limit(1000),
        "The relay sent more than was requested.");
  }

  @Test
  void aRelayThatSendsTooManyEventsIsReported() {
    String event = SignedGame.foolsMate().announcement.toString();
    assertReported(
        asked -> Stream.generate(() -> "[\"EVENT\",\"sync-0\"," + event + "]").limit(1000),
        "The relay sent more than was requested.");
  }

  @Test
  void aRelayThatSendsATooLongMessageIsReported() {
    assertReported(
        asked -> Stream.of("[\"NOTICE\",\"" + "x".repeat(5_000_000) + "\"]"),
        "The relay sent a message that is too long.");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[\"EVENT\"", "\"\u0000", "["})
  void aRelayThatSendsInvalidJsonIsReported(String frame) {
    assertReported(asked -> Stream.of(frame), "The relay sent something that is not JSON.");
  }

  @Test
  void aRelayThatRefusesTheQueryIsReported() {
    assertReported(
        asked -> Stream.of("[\"CLOSED\",\"sync-0\",\"restricted: \\u001b[31mno\"]"),
        "The relay refused the query: restricted: ?[31mno");
  }

  @Test
  void aRecordWithTooManyMovesIsReported() {
    SignedGame game = SignedGame.foolsMate();
    assertReported(
        asked -> answer(asked, game, 18_001, Stream.empty()),
        "The record names 18001 events; no game is that long.",
        game.id());
  }

  @Test
  void eventsThatAreTooLargeTogetherAreReported() {
    SignedGame game = SignedGame.foolsMate();
    String large = game.announcement.toString().replace("gameisfound", "x".repeat(3_900_000));
    assertReported(
        asked ->
            answer(
                asked,
                game,
                30,
                Stream.generate(() -> "[\"EVENT\",\"sync-2\"," + large + "]").limit(30)),
        "The relay sent more than was requested.",
        game.id());
  }

  /** Serves a game whose record names this number of moves. */
  private static Stream<String> answer(
      String asked, SignedGame game, int named, Stream<String> moves) {
    if (asked.startsWith("[\"CLOSE")) {
      return Stream.empty();
    } else if (asked.contains("sync-0")) {
      return Stream.of("[\"EVENT\",\"sync-0\"," + game.announcement + "]", "[\"EOSE\",\"sync-0\"]");
    } else if (asked.contains("sync-1")) {
      StringBuilder plies = new StringBuilder("[\"plies\"");
      for (int i = 0; i < named; i++) {
        plies.append(",\"").append("%064x".formatted(i)).append('"');
      }
      String record = game.record().toString().replaceFirst("\\[\"plies\".*?]", plies + "]");
      return Stream.of("[\"EVENT\",\"sync-1\"," + record + "]", "[\"EOSE\",\"sync-1\"]");
    }
    return moves;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "xyz", "note1xyz", "0123"})
  void anInvalidGameIdIsReported(String id) {
    VerifyResult verdict = VerifyResult.of(id, URI.create("ws://localhost:1"));
    assertThat(verdict.errors()).startsWith("GAME-ID ");
    assertThat(verdict.status()).isEqualTo(2);
  }

  @Test
  void anInvalidUrlAndAnInvalidTimeoutAreReported() {
    assertThat(VerifyResult.of(GAME, URI.create("http://localhost")).errors())
        .startsWith("--relay http://localhost: expected a ws:// or wss:// URL.");
    assertThat(VerifyResult.of(GAME, "--timeout", "0").errors())
        .startsWith("--timeout 0: expected 1 to 3600 seconds.");
  }
}
