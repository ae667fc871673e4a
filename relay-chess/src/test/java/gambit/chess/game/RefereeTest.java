package gambit.chess.game;

import static gambit.chess.game.SampleGames.NOW;
import static gambit.chess.game.SampleGames.START;
import static gambit.chess.game.SampleGames.after;
import static gambit.chess.game.SampleGames.from;
import static gambit.chess.game.SampleGames.move;
import static gambit.chess.game.SampleGames.next;
import static gambit.chess.game.SampleGames.play;
import static gambit.chess.game.SampleGames.position;
import static gambit.chess.game.SampleGames.start;
import static gambit.chess.game.SampleGames.step;
import static gambit.chess.game.SampleGames.still;
import static gambit.chess.game.SampleGames.timed;
import static gambit.chess.rules.Side.BLACK;
import static gambit.chess.rules.Side.WHITE;
import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.game.Command.Abandon;
import gambit.chess.game.Command.Cancel;
import gambit.chess.game.Command.Play;
import gambit.chess.game.Command.TimeUp;
import gambit.chess.game.GameEvent.Ended;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.game.GameEvent.TakenBack;
import gambit.chess.game.Ruling.Refusal;
import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every row of the transition table in {@link Referee}'s javadoc, by the row's name. */
class RefereeTest {

  private static final String SHUFFLE = "g1f3 g8f6 f3g1 f6g8";
  private static final String BARE_BLACK_KING = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";

  /** A row: the command, given in the game, is answered with a refusal's text or with events. */
  record Row(
      String name, Game game, Command command, @Nullable String refusal, GameEvent... events) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Row refuses(String name, Game game, Command command, String text) {
    return new Row(name, game, command, text);
  }

  static Row steps(String name, Game game, Command command, GameEvent... events) {
    return new Row(name, game, command, null, events);
  }

  static Stream<Row> rows() {
    return Stream.of(
        refuses(
            "over",
            next(start(), new Command.Plain(Command.Type.RESIGN, WHITE)),
            play(BLACK, "e7e5"),
            "no game in progress"),
        refuses("time left", start(), new TimeUp(), "there is time left"),
        steps(
            "time unmoved", next(timed("10"), play(WHITE, "e2e4"), START), new TimeUp(), aborted()),
        steps(
            "time bare",
            flagged(position(BARE_BLACK_KING), "a1a2 e8e7"),
            new TimeUp(),
            new Ended(Result.DRAW, Termination.TIMEOUT)),
        steps(
            "time",
            flagged(position(BARE_BLACK_KING), "a1a2 e8e7 a2a3"),
            new TimeUp(),
            new Ended(Result.WHITE_WINS, Termination.TIMEOUT)),
        refuses(
            "too late", timed("10"), new Command.Plain(Command.Type.RESIGN, BLACK), "time is up"),
        refuses("move waiting", start(), play(BLACK, "e7e5"), "not your turn"),
        refuses(
            "move doubles",
            next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.OFFER_DRAW, WHITE)),
            offering(WHITE, "g1f3"),
            "your draw offer stands already, nothing has changed"),
        refuses(
            "move insists",
            after((OngoingGame) offeredByWhite(), "e7e5"),
            offering(WHITE, "e4e5"),
            "one draw offer in 20 plies"),
        refuses(
            "move crosses",
            next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.TAKEBACK, WHITE)),
            offering(WHITE, "g1f3"),
            "a takeback request stands"),
        steps(
            "move illegal", start(), play(WHITE, "e2e5"), new IllegalMove(WHITE, move("e2e5"), 1)),
        steps(
            "move harmless",
            next(from(BARE_BLACK_KING), play(WHITE, "a1b2")),
            play(WHITE, "a1b3"),
            new IllegalMove(WHITE, move("a1b3"), 2),
            new Ended(Result.DRAW, Termination.ILLEGALMOVES)),
        steps(
            "move forfeits",
            still((OngoingGame) next(start(), play(WHITE, "e2e5")), "e2e4 e7e5"),
            play(WHITE, "e4e5"),
            new IllegalMove(WHITE, move("e4e5"), 2),
            new Ended(Result.BLACK_WINS, Termination.ILLEGALMOVES)),
        steps(
            "move mates",
            after(start(), "f2f3 e7e5 g2g4"),
            play(BLACK, "d8h4"),
            new Moved(BLACK, move("d8h4")),
            new Ended(Result.BLACK_WINS, Termination.CHECKMATE)),
        steps(
            "move stalemates",
            from("7k/5K2/8/6Q1/8/8/8/8 w - - 0 1"),
            play(WHITE, "g5g6"),
            new Moved(WHITE, move("g5g6")),
            new Ended(Result.DRAW, Termination.STALEMATE)),
        steps(
            "move deadens",
            from("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1"),
            play(WHITE, "e1e2"),
            new Moved(WHITE, move("e1e2")),
            new Ended(Result.DRAW, Termination.DEADPOSITION)),
        steps(
            "move repeats",
            after(start(), (SHUFFLE + " ").repeat(3) + "g1f3 g8f6 f3g1"),
            play(BLACK, "f6g8"),
            new Moved(BLACK, move("f6g8")),
            new Ended(Result.DRAW, Termination.FIVEFOLD)),
        steps(
            "move is quiet",
            from("4k3/8/8/8/8/8/8/R3K3 w - - 149 120"),
            play(WHITE, "a1a2"),
            new Moved(WHITE, move("a1a2")),
            new Ended(Result.DRAW, Termination.SEVENTYFIVEMOVES)),
        steps(
            "move offers",
            start(),
            offering(WHITE, "e2e4"),
            new Moved(WHITE, move("e2e4")),
            new GameEvent.Proposed(Proposal.Type.DRAW, WHITE)),
        steps(
            "move answers", offeredByWhite(), play(BLACK, "e7e5"), new Moved(BLACK, move("e7e5"))),
        steps(
            "move asks",
            next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.OFFER_DRAW, WHITE)),
            play(WHITE, "g1f3"),
            new Moved(WHITE, move("g1f3"))),
        steps("move", start(), play(WHITE, "e2e4"), new Moved(WHITE, move("e2e4"))),
        steps(
            "offer agrees",
            offeredByWhite(),
            new Command.Plain(Command.Type.OFFER_DRAW, BLACK),
            agreed()),
        refuses(
            "offer too early",
            after(start(), "e2e4"),
            new Command.Plain(Command.Type.OFFER_DRAW, BLACK),
            "offer a draw only after a move of your own"),
        refuses(
            "offer doubles",
            offeredByWhite(),
            new Command.Plain(Command.Type.OFFER_DRAW, WHITE),
            "your draw offer stands already, nothing has changed"),
        refuses(
            "offer too often",
            next(offeredByWhite(), new Command.Plain(Command.Type.DECLINE, BLACK)),
            new Command.Plain(Command.Type.OFFER_DRAW, WHITE),
            "one draw offer in 20 plies"),
        refuses(
            "offer crosses",
            next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.TAKEBACK, WHITE)),
            new Command.Plain(Command.Type.OFFER_DRAW, BLACK),
            "a takeback request stands"),
        steps(
            "offer",
            after(start(), "e2e4"),
            new Command.Plain(Command.Type.OFFER_DRAW, WHITE),
            new GameEvent.Proposed(Proposal.Type.DRAW, WHITE)),
        steps(
            "undo agrees",
            askedByWhite(),
            new Command.Plain(Command.Type.TAKEBACK, BLACK),
            new TakenBack(WHITE, 1)),
        refuses(
            "undo crosses",
            offeredByWhite(),
            new Command.Plain(Command.Type.TAKEBACK, BLACK),
            "a draw offer stands"),
        refuses(
            "undo doubles",
            askedByWhite(),
            new Command.Plain(Command.Type.TAKEBACK, WHITE),
            "your takeback request stands already, nothing has changed"),
        refuses(
            "undo nothing",
            after(start(), "e2e4"),
            new Command.Plain(Command.Type.TAKEBACK, BLACK),
            "nothing to take back"),
        refuses(
            "undo too often",
            next(askedByWhite(), new Command.Plain(Command.Type.DECLINE, BLACK)),
            new Command.Plain(Command.Type.TAKEBACK, WHITE),
            "one takeback request between two moves"),
        steps(
            "undo",
            after(start(), "e2e4"),
            new Command.Plain(Command.Type.TAKEBACK, WHITE),
            new GameEvent.Proposed(Proposal.Type.TAKEBACK, WHITE)),
        steps("accept", offeredByWhite(), new Command.Plain(Command.Type.ACCEPT, BLACK), agreed()),
        steps(
            "accept undo",
            askedByWhite(),
            new Command.Plain(Command.Type.ACCEPT, BLACK),
            new TakenBack(WHITE, 1)),
        refuses(
            "accept nothing",
            offeredByWhite(),
            new Command.Plain(Command.Type.ACCEPT, WHITE),
            "nothing to accept"),
        steps(
            "decline",
            offeredByWhite(),
            new Command.Plain(Command.Type.DECLINE, BLACK),
            new GameEvent.Declined(Proposal.Type.DRAW, BLACK)),
        steps(
            "decline undo",
            askedByWhite(),
            new Command.Plain(Command.Type.DECLINE, BLACK),
            new GameEvent.Declined(Proposal.Type.TAKEBACK, BLACK)),
        refuses(
            "decline nothing",
            offeredByWhite(),
            new Command.Plain(Command.Type.DECLINE, WHITE),
            "nothing to decline"),
        refuses(
            "claim waiting",
            after(start(), SHUFFLE + " " + SHUFFLE),
            new Command.Plain(Command.Type.CLAIM_DRAW, BLACK),
            "not your turn"),
        steps(
            "claim threefold",
            after(start(), SHUFFLE + " " + SHUFFLE),
            new Command.Plain(Command.Type.CLAIM_DRAW, WHITE),
            new Ended(Result.DRAW, Termination.THREEFOLD)),
        steps(
            "claim fifty",
            from("4k3/8/8/8/8/8/8/R3K3 b - - 100 90"),
            new Command.Plain(Command.Type.CLAIM_DRAW, BLACK),
            new Ended(Result.DRAW, Termination.FIFTYMOVES)),
        refuses(
            "claim nothing",
            start(),
            new Command.Plain(Command.Type.CLAIM_DRAW, WHITE),
            "nothing to claim"),
        steps(
            "resign",
            from(BARE_BLACK_KING),
            new Command.Plain(Command.Type.RESIGN, WHITE),
            new Ended(Result.BLACK_WINS, Termination.RESIGNATION)),
        steps(
            "abort",
            after(start(), "e2e4 e7e5"),
            new Command.Plain(Command.Type.ABORT, WHITE),
            aborted()),
        refuses(
            "abort too late",
            after(start(), "e2e4 e7e5 g1f3"),
            new Command.Plain(Command.Type.ABORT, WHITE),
            "too late to abort"),
        steps("cancel", after(start(), "e2e4"), new Cancel(BLACK), aborted()),
        refuses("cancel too late", after(start(), "e2e4"), new Cancel(WHITE), "too late to cancel"),
        steps("abandon early", after(start(), "e2e4"), new Abandon(WHITE), aborted()),
        steps(
            "abandon bare",
            after(from(BARE_BLACK_KING), "a1a2 e8e7"),
            new Abandon(WHITE),
            new Ended(Result.DRAW, Termination.ABANDONED)),
        steps(
            "abandon",
            after(from(BARE_BLACK_KING), "a1a2 e8e7"),
            new Abandon(BLACK),
            new Ended(Result.WHITE_WINS, Termination.ABANDONED)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void refereeDecidesAsItsTableSays(Row row) {
    Ruling decision = Referee.decide(row.game(), row.command(), NOW);
    if (row.refusal() != null) {
      assertThat(decision).isEqualTo(new Refusal(row.refusal()));
      return;
    }
    Step step = step(decision);
    assertThat(step.events()).containsExactly(row.events());
    GameEvent last = row.events()[row.events().length - 1];
    if (last instanceof Ended ended) {
      FinishedGame over = (FinishedGame) step.next();
      assertThat(over.result()).isEqualTo(ended.result());
      assertThat(over.termination()).isEqualTo(ended.termination());
      assertThat(over.endedAt()).isEqualTo(NOW);
    } else {
      assertThat(step.next()).isInstanceOf(OngoingGame.class);
    }
  }

  @Test
  void tableAndTestHaveTheSameRows() throws IOException {
    Path source = Path.of("src/main/java/gambit/chess/game/Referee.java");
    List<String> documented =
        Files.readAllLines(source).stream()
            .dropWhile(line -> !line.startsWith(" * -----"))
            .skip(1)
            .takeWhile(line -> !line.contains("</pre>"))
            .map(line -> line.substring(3, 19).strip())
            .toList();
    assertThat(rows().map(Row::name)).containsExactlyElementsOf(documented);
  }

  @Test
  void everyCommandIsRefusedAfterTheEnd() {
    Game over = next(start(), new Command.Plain(Command.Type.RESIGN, WHITE));
    for (Side side : Side.values()) {
      assertThat(everythingFrom(side))
          .extracting(command -> Referee.decide(over, command, NOW))
          .containsOnly(new Refusal("no game in progress"));
    }
  }

  @Test
  void illegalMoveChangesOnlyItsCount() {
    OngoingGame before = (OngoingGame) offeredByWhite();
    OngoingGame after = (OngoingGame) next(before, play(BLACK, "e7e4"), NOW + 1);
    assertThat(after.history(BLACK))
        .isEqualTo(new SideHistory(1, SideHistory.NEVER, SideHistory.NEVER));
    assertThat(after.history(WHITE)).isEqualTo(before.history(WHITE));
    assertThat(after.position()).isSameAs(before.position());
    assertThat(after.moves()).isEqualTo(before.moves());
    assertThat(after.proposal()).isEqualTo(before.proposal()).isNotNull();
    assertThat(after.changedAt()).isEqualTo(before.changedAt());
  }

  @Test
  void illegalMovesAreCountedForEachSide() {
    Game game = next(start(), play(WHITE, "e2e5"));
    game = next(after((OngoingGame) game, "e2e4"), play(BLACK, "e7e4"));
    assertThat(game).isInstanceOf(OngoingGame.class);
  }

  @Test
  void offerLapsesOnlyWithAMoveOfTheAskedSide() {
    OngoingGame asked =
        (OngoingGame)
            next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.OFFER_DRAW, WHITE));
    OngoingGame moved = still(asked, "g1f3");
    assertThat(moved.isAsked(BLACK, Proposal.Type.DRAW)).isTrue();
    assertThat(moved.isAsked(WHITE, Proposal.Type.DRAW)).isFalse();
    assertThat(still(moved, "b8c6").proposal()).isNull();
  }

  @Test
  void declinedOfferCannotBeAccepted() {
    OngoingGame declined =
        (OngoingGame) next(offeredByWhite(), new Command.Plain(Command.Type.DECLINE, BLACK));
    assertThat(declined.proposal()).isNull();
  }

  @Test
  void sideMayOfferAgainAfterTwentyPlies() {
    OngoingGame offered = (OngoingGame) offeredByWhite();
    String moves =
        "e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1"
            + " b7b5 a4b3 d7d6 c2c3 e8g8 h2h3 c6b8 d2d4 b8d7";
    OngoingGame nineteen = still(offered, moves);
    assertThat(Referee.decide(nineteen, new Command.Plain(Command.Type.OFFER_DRAW, WHITE), NOW))
        .isEqualTo(new Refusal("one draw offer in 20 plies"));
    assertThat(step(Referee.decide(nineteen, offering(WHITE, "b1d2"), NOW)).events())
        .containsExactly(
            new Moved(WHITE, move("b1d2")), new GameEvent.Proposed(Proposal.Type.DRAW, WHITE));
    OngoingGame twenty = still(nineteen, "b1d2");
    assertThat(
            step(Referee.decide(twenty, new Command.Plain(Command.Type.OFFER_DRAW, WHITE), NOW))
                .events())
        .containsExactly(new GameEvent.Proposed(Proposal.Type.DRAW, WHITE));
  }

  @Test
  void offersAreLimitedForEachSide() {
    OngoingGame declined =
        (OngoingGame) next(offeredByWhite(), new Command.Plain(Command.Type.DECLINE, BLACK));
    assertThat(
            step(Referee.decide(
                    still(declined, "e7e5"),
                    new Command.Plain(Command.Type.OFFER_DRAW, BLACK),
                    NOW))
                .events())
        .containsExactly(new GameEvent.Proposed(Proposal.Type.DRAW, BLACK));
  }

  @Test
  void blackMayMoveFirst() {
    OngoingGame game = from("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2");
    assertThat(game.turn()).isEqualTo(BLACK);
    game = still(game, "b8c6");
    assertThat(game.movesOf(BLACK)).isEqualTo(1);
    assertThat(game.movesOf(WHITE)).isZero();
    assertThat(Referee.decide(game, new Cancel(BLACK), NOW)).isInstanceOf(Refusal.class);
    assertThat(Referee.decide(game, new Cancel(WHITE), NOW)).isInstanceOf(Step.class);
    assertThat(Referee.decide(game, new Command.Plain(Command.Type.OFFER_DRAW, WHITE), NOW))
        .isInstanceOf(Refusal.class);
    assertThat(Referee.decide(game, new Command.Plain(Command.Type.OFFER_DRAW, BLACK), NOW))
        .isInstanceOf(Step.class);
  }

  @Test
  void offerWithAMoveThatEndsTheGameHasNoEffect() {
    Game mated = next(after(start(), "f2f3 e7e5 g2g4"), offering(BLACK, "d8h4"));
    assertThat(((FinishedGame) mated).termination()).isEqualTo(Termination.CHECKMATE);
    assertThat(((FinishedGame) mated).last().proposal()).isNull();
  }

  @Test
  void offerWithAMoveAcceptsTheOpponentsOffer() {
    OngoingGame game = (OngoingGame) next(offeredByWhite(), offering(BLACK, "e7e5"));
    assertThat(game.isAsked(WHITE, Proposal.Type.DRAW)).isTrue();
    assertThat(game.isAsked(BLACK, Proposal.Type.DRAW)).isFalse();
  }

  @Test
  void illegalMoveWithAForbiddenOfferIsNotCounted() {
    Game game = after((OngoingGame) offeredByWhite(), "e7e5");
    assertThat(Referee.decide(game, offering(WHITE, "e4e6"), NOW)).isInstanceOf(Refusal.class);
  }

  @Test
  void illegalMoveWithAnOfferIsCountedAndOffersNothing() {
    OngoingGame game = (OngoingGame) next(start(), offering(WHITE, "e2e5"));
    assertThat(game.history(WHITE))
        .isEqualTo(new SideHistory(1, SideHistory.NEVER, SideHistory.NEVER));
    assertThat(game.proposal()).isNull();
  }

  @Test
  void takebackUndoesOnePlyWhenTheOpponentIsToMoveAndTwoOtherwise() {
    OngoingGame one =
        (OngoingGame) next(askedByWhite(), new Command.Plain(Command.Type.ACCEPT, BLACK));
    assertThat(one.moves()).hasToString("");
    assertThat(one.position().fen()).isEqualTo(start().position().fen());
    Game asked =
        next(
            after(start(), "e2e4 e7e5 g1f3 b8c6"), new Command.Plain(Command.Type.TAKEBACK, WHITE));
    OngoingGame two = (OngoingGame) next(asked, new Command.Plain(Command.Type.ACCEPT, BLACK));
    assertThat(two.moves()).hasToString("e2e4 e7e5");
    assertThat(two.position().fen()).isEqualTo(still(start(), "e2e4 e7e5").position().fen());
    assertThat(two.turn()).isEqualTo(WHITE);
    assertThat(two.proposal()).isNull();
  }

  @Test
  void takebackRequestOutlivesTheAskersMoveAndThenUndoesOnlyThat() {
    Game asked = next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.TAKEBACK, WHITE));
    Step step =
        step(
            Referee.decide(
                after((OngoingGame) asked, "g1f3"),
                new Command.Plain(Command.Type.ACCEPT, BLACK),
                NOW));
    assertThat(step.events()).containsExactly(new TakenBack(WHITE, 1));
    assertThat(((OngoingGame) step.next()).moves()).hasToString("e2e4 e7e5");
  }

  @Test
  void takebackRequestLapsesWithAMoveOfTheAskedSide() {
    assertThat(still((OngoingGame) askedByWhite(), "e7e5").proposal()).isNull();
  }

  @Test
  void repetitionsAreForgottenWithMovesTakenBack() {
    Game asked = next(after(start(), SHUFFLE), new Command.Plain(Command.Type.TAKEBACK, BLACK));
    OngoingGame back = (OngoingGame) next(asked, new Command.Plain(Command.Type.ACCEPT, WHITE));
    assertThat(back.position().occurrences()).isEqualTo(1);
    assertThat(still(back, "f6g8").position().occurrences()).isEqualTo(2);
  }

  @Test
  void offerOrIllegalMoveDoesNotAllowANewRequestForATakeback() {
    Game declined = next(askedByWhite(), new Command.Plain(Command.Type.DECLINE, BLACK));
    Game offered =
        next(
            next(declined, new Command.Plain(Command.Type.OFFER_DRAW, WHITE)),
            new Command.Plain(Command.Type.DECLINE, BLACK));
    assertThat(Referee.decide(offered, new Command.Plain(Command.Type.TAKEBACK, WHITE), NOW))
        .isInstanceOf(Refusal.class);
    OngoingGame inTurn = still((OngoingGame) offered, "e7e5");
    Game asked =
        next(
            next(inTurn, new Command.Plain(Command.Type.TAKEBACK, WHITE)),
            new Command.Plain(Command.Type.DECLINE, BLACK));
    Game counted = next(asked, play(WHITE, "e4e5"));
    assertThat(Referee.decide(counted, new Command.Plain(Command.Type.TAKEBACK, WHITE), NOW))
        .isInstanceOf(Refusal.class);
    assertThat(Referee.decide(counted, new Command.Plain(Command.Type.OFFER_DRAW, WHITE), NOW))
        .isInstanceOf(Refusal.class);
  }

  @Test
  void sideMayAskForATakebackAgainAfterAMove() {
    Game declined = next(askedByWhite(), new Command.Plain(Command.Type.DECLINE, BLACK));
    Game moved = after((OngoingGame) declined, "e7e5");
    assertThat(Referee.decide(moved, new Command.Plain(Command.Type.TAKEBACK, WHITE), NOW))
        .isInstanceOf(Step.class);
  }

  @Test
  void eitherSideMayAskAgainAtTheSamePlyAfterATakeback() {
    Game declined =
        next(
            next(after(start(), "e2e4 e7e5"), new Command.Plain(Command.Type.TAKEBACK, BLACK)),
            new Command.Plain(Command.Type.DECLINE, WHITE));
    Game back =
        next(
            next(declined, new Command.Plain(Command.Type.TAKEBACK, WHITE)),
            new Command.Plain(Command.Type.ACCEPT, BLACK));
    Game again = after((OngoingGame) back, "d2d4 d7d5");
    assertThat(Referee.decide(again, new Command.Plain(Command.Type.TAKEBACK, WHITE), NOW))
        .isInstanceOf(Step.class);
    assertThat(Referee.decide(again, new Command.Plain(Command.Type.TAKEBACK, BLACK), NOW))
        .isInstanceOf(Step.class);
  }

  @Test
  void takebackResetsNeitherIllegalMovesNorOffers() {
    Game game =
        next(
            next(offeredByWhite(), play(BLACK, "e7e4")),
            new Command.Plain(Command.Type.DECLINE, BLACK));
    OngoingGame back =
        (OngoingGame)
            next(
                next(game, new Command.Plain(Command.Type.TAKEBACK, WHITE)),
                new Command.Plain(Command.Type.ACCEPT, BLACK));
    assertThat(back.history(BLACK).illegalMoves()).isEqualTo(1);
    assertThat(back.history(WHITE).offeredAt()).isEqualTo(1);
  }

  @Test
  void noProposalOutlivesTheGame() {
    assertThat(
            ((FinishedGame) next(offeredByWhite(), new Command.Plain(Command.Type.ACCEPT, BLACK)))
                .last()
                .proposal())
        .isNull();
    assertThat(
            ((FinishedGame) next(askedByWhite(), new Command.Plain(Command.Type.RESIGN, BLACK)))
                .last()
                .proposal())
        .isNull();
  }

  @Test
  void positionAfterTheReplayedMovesIsTheGames() {
    OngoingGame game = still((OngoingGame) offeredByWhite(), SHUFFLE.replace("g1f3", "e7e5 g1f3"));
    Position again = game.initial().after(game.moves().toList());
    assertThat(again.occurrences()).isEqualTo(game.position().occurrences());
    assertThat(again).usingRecursiveComparison().isEqualTo(game.position());
  }

  private static Game offeredByWhite() {
    return next(after(start(), "e2e4"), new Command.Plain(Command.Type.OFFER_DRAW, WHITE));
  }

  private static Game askedByWhite() {
    return next(after(start(), "e2e4"), new Command.Plain(Command.Type.TAKEBACK, WHITE));
  }

  private static Play offering(Side side, String uci) {
    return new Play(side, move(uci), true);
  }

  /** A game of ten seconds whose moves were all played at once, long before {@code NOW}. */
  private static Game flagged(Position initial, String moves) {
    Game game = timed(initial, "10");
    for (String uci : moves.split(" ")) {
      game = next(game, play(((OngoingGame) game).turn(), uci), START);
    }
    return game;
  }

  private static Ended agreed() {
    return new Ended(Result.DRAW, Termination.AGREEMENT);
  }

  private static Ended aborted() {
    return new Ended(Result.NONE, Termination.ABORTED);
  }

  private static List<Command> everythingFrom(Side side) {
    return List.of(
        play(side, "e2e4"),
        new Command.Plain(Command.Type.OFFER_DRAW, side),
        new Command.Plain(Command.Type.TAKEBACK, side),
        new Command.Plain(Command.Type.ACCEPT, side),
        new Command.Plain(Command.Type.DECLINE, side),
        new Command.Plain(Command.Type.CLAIM_DRAW, side),
        new Command.Plain(Command.Type.RESIGN, side),
        new Command.Plain(Command.Type.ABORT, side),
        new Cancel(side),
        new Abandon(side),
        new TimeUp());
  }
}
