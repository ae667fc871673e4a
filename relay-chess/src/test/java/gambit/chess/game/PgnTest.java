package gambit.chess.game;

import static gambit.chess.game.SampleGames.START;
import static gambit.chess.game.SampleGames.after;
import static gambit.chess.game.SampleGames.from;
import static gambit.chess.game.SampleGames.next;
import static gambit.chess.game.SampleGames.play;
import static gambit.chess.game.SampleGames.randomly;
import static gambit.chess.game.SampleGames.start;
import static gambit.chess.game.SampleGames.still;
import static gambit.chess.game.SampleGames.timed;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class PgnTest {

  private static final PgnTags TAGS =
      new PgnTags("Casual game", "wss://relay.example/", "npub1white", "npub1black");

  @Test
  void gameIsWrittenAsItsTagsAndMoves() {
    assertThat(Pgn.export(TAGS, (FinishedGame) after(start(), "f2f3 e7e5 g2g4 d8h4")))
        .isEqualTo(
            """
            [Event "Casual game"]
            [Site "wss://relay.example/"]
            [Date "2026.03.01"]
            [Round "-"]
            [White "npub1white"]
            [Black "npub1black"]
            [Result "0-1"]
            [Termination "normal"]
            [TimeControl "-"]
            [UTCDate "2026.03.01"]
            [UTCTime "18:30:05"]

            1. f3 e5 2. g4 Qh4# 0-1
            """);
  }

  @Test
  void setUpPositionIsTaggedAndBlacksFirstMoveIsNumbered() {
    String fen = "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 12";
    OngoingGame game = still(from(fen), "e7e5 e1d2");
    String pgn = Pgn.export(TAGS, resigned(game));
    assertThat(pgn)
        .contains(
            """
            [Result "1-0"]
            [FEN "4k3/4p3/8/8/8/8/4P3/4K3 b - - 0 12"]
            [SetUp "1"]
            [Termination "normal"]
            """)
        .endsWith("\n\n12... e5 13. Kd2 1-0\n");
  }

  @Test
  void movesOfATimedGameHaveClocksAndBlacksMovesTheirNumbers() {
    Game game = timed("7200+3");
    long time = START;
    for (String uci : List.of("e2e4", "e7e5", "g1f3", "b8c6", "f1b5")) {
      time += 1_700;
      game = next(game, play(((OngoingGame) game).turn(), uci), time);
    }
    assertThat(Pgn.export(TAGS, resigned((OngoingGame) game)))
        .contains("[TimeControl \"7200+3\"]\n")
        .endsWith(
            """

            1. e4 {[%clk 2:00:00]} 1... e5 {[%clk 2:00:00]} 2. Nf3 {[%clk 2:00:01]} 2...
            Nc6 {[%clk 2:00:01]} 3. Bb5 {[%clk 2:00:03]} 1-0
            """);
  }

  @Test
  void clockOfDaysIsWrittenInHours() {
    OngoingGame game =
        (OngoingGame) next(timed("1/2592000"), play(Side.WHITE, "e2e4"), START + 60_200);
    assertThat(Pgn.export(TAGS, resigned(game))).endsWith("\n\n1. e4 {[%clk 719:59:00]} 1-0\n");
  }

  @Test
  void tooLongClockIsWrittenAsTheMaximum() throws PgnException {
    OngoingGame start = timed("2592000+2592000");
    long century = 3_155_760_000_000L;
    ChessClock clock =
        new ChessClock(start.clock().limits(), century, century, Side.WHITE, START, 0);
    OngoingGame old =
        new OngoingGame(
            start.initial(),
            start.position(),
            start.moves(),
            start.white(),
            start.black(),
            null,
            clock,
            START,
            START);
    String pgn =
        Pgn.export(TAGS, resigned((OngoingGame) next(old, play(Side.WHITE, "e2e4"), START)));
    assertThat(pgn).endsWith("\n\n1. e4 {[%clk 59652:19:24]} 1-0\n");
    assertThat(PgnReader.read(pgn).moves().clocks()).containsExactly(2_147_483_640);
  }

  @Test
  void clockBelowATenthOfASecondIsWrittenAsZero() throws PgnException {
    OngoingGame opened = (OngoingGame) next(timed("1"), play(Side.WHITE, "e2e4"), START);
    opened = (OngoingGame) next(opened, play(Side.BLACK, "e7e5"), START);
    Game moved = next(opened, play(Side.WHITE, "g1f3"), START + 1_199);
    String pgn = Pgn.export(TAGS, resigned((OngoingGame) moved));
    assertThat(pgn).endsWith("2. Nf3 {[%clk 0:00:00]} 1-0\n");
    assertThat(PgnReader.read(pgn).moves().clocks()).containsExactly(10, 10, 0);
  }

  @Test
  void aProgramHasItsLevel() {
    PgnTags.Player person = new PgnTags.Player("npub1white");
    PgnTags black = new PgnTags("Casual game", "-", person, new PgnTags.Player("npub1black", 3, 0));
    assertThat(Pgn.export(black, resigned(start())))
        .contains("[Result \"1-0\"]\n[BlackLevel \"3\"]\n[BlackType \"program\"]\n[Termination");
    PgnTags white = new PgnTags("Casual game", "-", new PgnTags.Player("npub1white", 5, 0), person);
    assertThat(Pgn.export(white, resigned(start())))
        .contains("\"]\n[WhiteLevel \"5\"]\n[WhiteType \"program\"]\n\n")
        .doesNotContain("BlackLevel");
  }

  @Test
  void ratingsAreWrittenAsElo() {
    PgnTags tags =
        new PgnTags(
            "Rated blitz game",
            "-",
            new PgnTags.Player("npub1white", 0, 1500),
            new PgnTags.Player("npub1black", 0, 1623));
    assertThat(Pgn.export(tags, resigned(start())))
        .contains("[Event \"Rated blitz game\"]", "[BlackElo \"1623\"]", "[WhiteElo \"1500\"]");
  }

  @Test
  void gameWithoutMovesIsWrittenAsItsResult() {
    assertThat(Pgn.export(TAGS, resigned(start()))).endsWith("]\n\n1-0\n");
  }

  @Test
  void quotesAndBackslashesAreEscapedAndOtherCharactersReplaced() {
    PgnTags tags = new PgnTags("a \"b\" \\c", "", "Jos\u00e9\n\u265a\ud83d\ude00", "x");
    String pgn = Pgn.export(tags, resigned(start()));
    assertThat(pgn)
        .contains("[Event \"a \\\"b\\\" \\\\c\"]\n")
        .contains("[Site \"?\"]\n")
        .contains("[White \"Jos????\"]\n");
  }

  @Test
  void terminationIsAWordOfTheStandard() {
    assertThat(Termination.values())
        .extracting(Termination::pgn)
        .containsOnly("normal", "time forfeit", "rules infraction", "abandoned");
    Game game = next(after(start(), "e2e4 e7e5"), new Command.Abandon(Side.WHITE));
    assertThat(Pgn.export(TAGS, (FinishedGame) game)).contains("[Termination \"abandoned\"]\n");
  }

  @Property(tries = 40)
  void movetextLeadsToTheSamePosition(@ForAll long seed) {
    OngoingGame game = randomly(start(), new Random(seed));
    String pgn = Pgn.export(TAGS, resigned(game));
    String movetext = pgn.substring(pgn.indexOf("\n\n") + 2);
    assertThat(reread(movetext).fen()).isEqualTo(game.position().fen());
  }

  @Property(tries = 40)
  void textHasTheExportFormat(@ForAll long seed) {
    Random random = new Random(seed);
    OngoingGame game = randomly(timed(random.nextBoolean() ? "300+3" : "-"), random);
    ExportFormat.isKeptBy(Pgn.export(TAGS, resigned(game)));
  }

  private static FinishedGame resigned(OngoingGame game) {
    return (FinishedGame)
        next(game, new Command.Plain(Command.Type.RESIGN, Side.BLACK), game.changedAt());
  }

  /** Plays, for every word that is no number and no result, the one move that is written so. */
  private static Position reread(String movetext) {
    Position position = Position.initial();
    int number = 0;
    for (String word : movetext.split("\\s+")) {
      if (word.equals("1-0")) {
        return position;
      }
      if (word.endsWith(".")) {
        assertThat(word).isEqualTo(++number + ".");
        continue;
      }
      Position here = position;
      List<Move> written =
          here.legalMoves().stream().filter(move -> here.san(move).equals(word)).toList();
      assertThat(written).as(word).hasSize(1);
      position = here.play(written.get(0)).orElseThrow();
    }
    throw new AssertionError("no result");
  }
}
