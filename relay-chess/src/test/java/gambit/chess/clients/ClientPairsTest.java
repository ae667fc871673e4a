package gambit.chess.clients;

import gambit.chess.session.ChessFeature;
import gambit.chess.session.ChosenLots;
import gambit.chess.session.play.ChessSettings;
import gambit.core.testkit.TestRelay;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Games between differently written clients, to mate, a draw and a resignation. */
class ClientPairsTest {
  private static final List<String> SCHOLARS_MATE =
      List.of("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7");

  /** Sam Loyd's. */
  private static final List<String> STALEMATE =
      List.of(
          "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 a5c7 a6h6 h2h4 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6"
              .split(" "));

  @TestFactory
  Stream<DynamicTest> everyPairOfClientsPlaysEveryEnding() {
    return Stream.of(ChessClient.Kind.values())
        .flatMap(
            white -> Stream.of(ChessClient.Kind.values()).flatMap(black -> games(white, black)));
  }

  private interface Game {
    void play(ChessClient white, ChessClient black, TestRelay relay);
  }

  private static Stream<DynamicTest> games(ChessClient.Kind white, ChessClient.Kind black) {
    return Stream.of(
        game("to mate", white, black, ClientPairsTest::playToMate),
        game("to stalemate", white, black, ClientPairsTest::playToStalemate),
        game("to a draw", white, black, ClientPairsTest::playToADraw),
        game("until Black resigns", white, black, ClientPairsTest::playUntilBlackResigns),
        game("until White is out of time", white, black, ClientPairsTest::playUntilTimeIsUp));
  }

  private static DynamicTest game(
      String name, ChessClient.Kind first, ChessClient.Kind second, Game game) {
    String title = first + " plays " + second + " " + name;
    return DynamicTest.dynamicTest(
        title,
        () -> {
          try (TestRelay relay =
                  new TestRelay(
                      new ChessFeature(ChessSettings.DEFAULT, ChosenLots.FIRST_IS_WHITE));
              ChessClient white = first.at(relay, "white");
              ChessClient black = second.at(relay, "black")) {
            for (int round = 0; round < 2; round++) {
              ChessClient.sitDown(white, black);
              game.play(white, black, relay);
            }
          }
        });
  }

  private static void playToMate(ChessClient white, ChessClient black, TestRelay relay) {
    ChessClient.play(white, black, SCHOLARS_MATE);
    white.awaitEnd("gamecheckmate");
    black.awaitEnd("gamecheckmate");
  }

  private static void playToStalemate(ChessClient white, ChessClient black, TestRelay relay) {
    ChessClient.play(white, black, STALEMATE);
    white.awaitEnd("gamedraw");
    black.awaitEnd("gamedraw");
  }

  private static void playToADraw(ChessClient white, ChessClient black, TestRelay relay) {
    ChessClient.play(white, black, SCHOLARS_MATE.subList(0, 4));
    white.offerDraw();
    black.awaitOffer();
    black.agree();
    white.awaitEnd("gamedraw");
    black.awaitEnd("gamedraw");
  }

  private static void playUntilBlackResigns(ChessClient white, ChessClient black, TestRelay relay) {
    ChessClient.play(white, black, SCHOLARS_MATE.subList(0, 3));
    black.resign();
    white.awaitEnd("opponentresigned");
  }

  private static void playUntilTimeIsUp(ChessClient white, ChessClient black, TestRelay relay) {
    ChessClient.play(white, black, SCHOLARS_MATE.subList(0, 2));
    relay.time().awaitAlarms(1);
    relay.time().advance(Duration.ofSeconds(601));
    white.awaitEnd("gamelost");
    black.awaitEnd("opponentresigned");
  }
}
