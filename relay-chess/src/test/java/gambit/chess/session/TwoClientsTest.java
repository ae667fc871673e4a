package gambit.chess.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.testkit.TestRelay;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Games between clients that are written in different ways, to mate, to a draw, to a resignation.
 */
class TwoClientsTest {
  private static final List<String> SCHOLARS_MATE =
      List.of("e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7");

  private record Kind(String name, BiFunction<String, TestRelay, Player> make) {}

  private static final Kind DRAFT = new Kind("a client of the draft", DraftClient::new);
  private static final Kind SUBSCRIBER = new Kind("a subscribing client", SubscribingClient::new);

  @TestFactory
  Stream<DynamicTest> everyPairOfClientsPlaysEveryEnding() {
    return Stream.of(DRAFT, SUBSCRIBER)
        .flatMap(white -> Stream.of(DRAFT, SUBSCRIBER).flatMap(black -> games(white, black)));
  }

  private interface Game {
    void play(Player white, Player black);
  }

  private static Stream<DynamicTest> games(Kind white, Kind black) {
    return Stream.of(
        game("to mate", white, black, TwoClientsTest::playToMate),
        game("to a draw", white, black, TwoClientsTest::playToADraw),
        game("until Black resigns", white, black, TwoClientsTest::playUntilBlackResigns));
  }

  private static DynamicTest game(String name, Kind first, Kind second, Game game) {
    String title = first.name() + " plays " + second.name() + " " + name;
    return DynamicTest.dynamicTest(
        title,
        () -> {
          try (TestRelay relay = new TestRelay(new ChessFeature(ChessSettings.DEFAULT, () -> 0L));
              Player white = first.make().apply("white", relay);
              Player black = second.make().apply("black", relay)) {
            for (int round = 0; round < 2; round++) {
              white.search();
              black.search();
              assertThat(white.awaitGame()).isEqualTo("white");
              assertThat(black.awaitGame()).isEqualTo("black");
              game.play(white, black);
            }
          }
        });
  }

  private static void playToMate(Player white, Player black) {
    play(white, black, SCHOLARS_MATE);
    white.awaitEnd("gamecheckmate");
    black.awaitEnd("gamecheckmate");
  }

  private static void playToADraw(Player white, Player black) {
    play(white, black, SCHOLARS_MATE.subList(0, 4));
    white.offerDraw();
    black.awaitOffer();
    black.agree();
    white.awaitEnd("gamedraw");
    black.awaitEnd("gamedraw");
  }

  private static void playUntilBlackResigns(Player white, Player black) {
    play(white, black, SCHOLARS_MATE.subList(0, 3));
    black.resign();
    white.awaitEnd("opponentresigned");
  }

  private static void play(Player white, Player black, List<String> moves) {
    for (int ply = 0; ply < moves.size(); ply++) {
      Player mover = ply % 2 == 0 ? white : black;
      Player other = ply % 2 == 0 ? black : white;
      mover.move(moves.get(ply));
      assertThat(other.awaitMove()).isEqualTo(moves.get(ply));
    }
  }
}
