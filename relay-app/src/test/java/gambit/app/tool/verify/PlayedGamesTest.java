package gambit.app.tool.verify;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.clients.ChessClient;
import gambit.chess.clients.Nip100Client;
import gambit.chess.session.ChessFeature;
import gambit.chess.session.play.ChessSettings;
import gambit.core.testkit.Client;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Games played over a relay with every ending, by clients of every kind as White and as Black: all
 * are accepted, and the report separates what is proved from what is attested. In a long run,
 * clients of every two kinds play every ending.
 */
class PlayedGamesTest {
  private static final List<String> OPENING = List.of("e2e4", "e7e5", "g1f3", "b8c6");
  private static final List<String> MATE =
      List.of("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7");
  private static final List<String> REPETITION =
      List.of("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8");

  /** Sam Loyd's stalemate. */
  private static final List<String> STALEMATE =
      List.of(
          ("e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 a5c7 a6h6 h2h4 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8"
                  + " f7g6 c8e6")
              .split(" "));

  /** The actions of the players after some moves. */
  private interface Finish<P extends ChessClient> {
    void play(P white, ChessClient black, TestRelay relay);
  }

  /** The section of the report with the ending. */
  private enum Section {
    PLAYERS("Proved by the players' signatures:"),
    RELAY("Attested by the relay alone:");

    private final String title;

    Section(String title) {
      this.title = title;
    }
  }

  /** An ending, and its expected report. */
  private record Ending<P extends ChessClient>(
      String how, List<String> moves, Finish<P> finish, Section section, String line) {}

  private static final List<Ending<ChessClient>> ENDINGS =
      List.of(
          new Ending<>(
              "1-0, checkmate",
              MATE,
              (white, black, relay) -> end(white, "gamecheckmate", black, "gamecheckmate"),
              Section.PLAYERS,
              "The moves end the game by checkmate."),
          new Ending<>(
              "1/2-1/2, stalemate",
              STALEMATE,
              (white, black, relay) -> end(white, "gamedraw", black, "gamedraw"),
              Section.PLAYERS,
              "The moves end the game by stalemate."),
          new Ending<>(
              "1/2-1/2, agreement",
              OPENING,
              (white, black, relay) -> {
                white.offerDraw();
                black.awaitOffer();
                black.agree();
                end(white, "gamedraw", black, "gamedraw");
              },
              Section.PLAYERS,
              "Both players agreed to a draw."),
          new Ending<>(
              "1/2-1/2, threefold",
              REPETITION,
              (white, black, relay) -> {
                white.claim();
                end(white, "gamedraw", black, "gamedraw");
              },
              Section.PLAYERS,
              "White claimed a draw by threefold repetition, and the moves allow it."),
          new Ending<>(
              "1-0, resignation",
              OPENING,
              (white, black, relay) -> {
                black.resign();
                white.awaitEnd("opponentresigned");
              },
              Section.PLAYERS,
              "Black resigned."),
          new Ending<>(
              "0-1, timeout",
              OPENING,
              (white, black, relay) -> {
                relay.time().awaitAlarms(1);
                relay.time().advance(Duration.ofSeconds(601));
                end(white, "gamelost", black, "opponentresigned");
              },
              Section.RELAY,
              "That White ran out of time."),
          new Ending<>(
              "0-1, abandoned",
              OPENING,
              (white, black, relay) -> {
                white.close();
                relay.time().awaitAlarms(2);
                relay.time().advance(Duration.ofSeconds(60));
                black.awaitEnd("opponentresigned");
              },
              Section.RELAY,
              "That White left the game."));

  private static final List<Ending<Nip100Client>> NIP100_ENDINGS =
      List.of(
          new Ending<>(
              "1/2-1/2, agreement",
              OPENING,
              (white, black, relay) -> {
                white.moveOffering("d2d4");
                assertThat(black.awaitMove()).isEqualTo("d2d4");
                black.awaitOffer();
                black.agree();
                end(white, "gamedraw", black, "gamedraw");
              },
              Section.PLAYERS,
              "Both players agreed to a draw."),
          new Ending<>(
              "0-1, illegalmoves",
              OPENING,
              (white, black, relay) -> {
                white.moveIllegally("e4e6", 1);
                white.moveIllegally("e1e3", 2);
                end(white, "gamelost", black, "opponentresigned");
              },
              Section.RELAY,
              "That White played two illegal moves."));

  private static void end(ChessClient white, String toWhite, ChessClient black, String toBlack) {
    white.awaitEnd(toWhite);
    black.awaitEnd(toBlack);
  }

  @TestFactory
  Stream<DynamicTest> everyEndingOfAGameHoldsForEveryKindOfClient() {
    return Stream.of(ChessClient.Kind.values())
        .flatMap(white -> games(white, ENDINGS, ChessClient.class));
  }

  @TestFactory
  Stream<DynamicTest> whatOnlyPlayersOfNip100CanDoHoldsToo() {
    return Stream.of(ChessClient.Kind.DRAFT, ChessClient.Kind.SUBSCRIBING)
        .flatMap(white -> games(white, NIP100_ENDINGS, Nip100Client.class));
  }

  /** A game with each ending; who has Black changes from ending to ending. */
  private static <P extends ChessClient> Stream<DynamicTest> games(
      ChessClient.Kind white, List<Ending<P>> endings, Class<P> type) {
    ChessClient.Kind[] kinds = ChessClient.Kind.values();
    int opponents = TestEffort.of(1, kinds.length);
    return IntStream.range(0, endings.size() * opponents)
        .mapToObj(
            i -> {
              Ending<P> ending = endings.get(i / opponents);
              int turn = i / opponents + i % opponents;
              ChessClient.Kind black = kinds[(white.ordinal() + turn) % kinds.length];
              return DynamicTest.dynamicTest(
                  ending.how() + ": " + white + " against " + black,
                  () -> holds(white, black, ending, type));
            });
  }

  private static <P extends ChessClient> void holds(
      ChessClient.Kind first, ChessClient.Kind second, Ending<P> ending, Class<P> type) {
    while (!isPlayedAndHolds(first, second, ending, type)) {
      // the lot, which has to be a valid one, has given Black to the first player
    }
  }

  /** Whether the first player has White; then the game is played and holds. */
  private static <P extends ChessClient> boolean isPlayedAndHolds(
      ChessClient.Kind first, ChessClient.Kind second, Ending<P> ending, Class<P> type) {
    try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT));
        ChessClient white = first.at(relay, "white");
        ChessClient black = second.at(relay, "black")) {
      white.search();
      black.search();
      if (!white.awaitGame().equals("white")) {
        return false;
      }
      assertThat(black.awaitGame()).isEqualTo("black");
      ChessClient.play(white, black, ending.moves());
      ending.finish().play(type.cast(white), black, relay);
      VerifyResult verdict = VerifyResult.of(onlyGame(relay), relay.uri());
      assertThat(verdict.output()).contains(ending.how()).endsWith("Everything holds.\n");
      assertThat(verdict.section(ending.section().title)).contains("  " + ending.line());
      assertThat(verdict.section(Section.PLAYERS.title))
          .hasSize(ending.section() == Section.PLAYERS ? 2 : 1)
          .first()
          .asString()
          .endsWith("plies is signed by the side in turn, and legal.");
      assertThat(verdict.status()).isZero();
      return true;
    }
  }

  /** The game of the only record. */
  private static String onlyGame(TestRelay relay) {
    try (Client client = relay.connect()) {
      client.send("[\"REQ\",\"records\",{\"kinds\":[64]}]");
      List<JsonNode> frames = client.until("EOSE");
      assertThat(frames).hasSize(2);
      return frames.get(0).at("/2/tags/0/1").asText();
    }
  }
}
