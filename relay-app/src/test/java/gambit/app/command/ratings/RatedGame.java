package gambit.app.command.ratings;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.GameRef.Seat;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RatedStart.Strength;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Game;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A finished rated game, before its record is signed.
 *
 * @param evidence the tags of the record with the events that have ended it
 * @param endedAt in seconds, by the relay's clock
 */
record RatedGame(
    Signer white,
    Signer black,
    TimeControl time,
    Event found,
    FinishedGame over,
    List<String> plies,
    List<List<String>> evidence,
    long endedAt) {

  /** How a game ended. */
  enum Ending {
    MATE("f2f3 e7e5 g2g4 d8h4", "checkmate"),
    RESIGNATION("e2e4 e7e5 g1f3", "resignation"),
    RESIGNATION_PROVED("d2d4 g8f6 c2c4 e7e6", "resignation"),
    TIMEOUT("e2e4 c7c5", "timeout"),
    AGREEMENT("g1f3 d7d5 d2d4", "agreement"),
    ABANDONED("c2c4 e7e5", "abandoned"),
    REPETITION("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", "threefold");

    private final String moves;
    private final String termination;

    Ending(String moves, String termination) {
      this.moves = moves;
      this.termination = termination;
    }
  }

  /** The time from the start of a game to its end. */
  private static final long SECONDS = 100_000;

  static RatedGame of(
      RefereeEvents referee,
      Signer white,
      Signer black,
      String control,
      Ending ending,
      long endedAt,
      Random random) {
    TimeControl time = TimeControl.parse(control).orElseThrow();
    long startedAt = (endedAt - SECONDS) * 1000;
    RatedStart start =
        new RatedStart(
            Category.of(time).orElse(Category.RAPID),
            new Strength(1500, 90),
            new Strength(1500, 90));
    Event found =
        referee.gameIsFound(
            seat(white), seat(black), time, Position.initial(), null, start, startedAt);
    Game game = OngoingGame.start(Position.initial(), time, 30_000, 0, startedAt);
    List<String> plies = new ArrayList<>();
    for (String uci : ending.moves.split(" ")) {
      OngoingGame playing = (OngoingGame) game;
      Command play = new Command.Play(playing.turn(), Move.parse(uci).orElseThrow(), false);
      game = ((Step) Referee.decide(playing, play, startedAt)).next();
      plies.add(id(random));
    }
    OngoingGame last = game instanceof FinishedGame over ? over.last() : (OngoingGame) game;
    boolean isWhiteToMove = plies.size() % 2 == 0;
    Result result =
        switch (ending) {
          case AGREEMENT, REPETITION -> Result.DRAW;
          default -> isWhiteToMove ? Result.BLACK_WINS : Result.WHITE_WINS;
        };
    Signer loser = isWhiteToMove ? white : black;
    List<List<String>> evidence =
        switch (ending) {
          case RESIGNATION -> List.of(List.of("ending", id(random)));
          case AGREEMENT -> List.of(List.of("ending", id(random), id(random)));
          case RESIGNATION_PROVED -> List.of(proof(referee, loser, found, "resign", endedAt));
          case REPETITION -> List.of(proof(referee, loser, found, "draw", endedAt));
          default -> List.of();
        };
    FinishedGame over =
        new FinishedGame(last, result, termination(ending.termination), endedAt * 1000);
    return new RatedGame(white, black, time, found, over, plies, evidence, endedAt);
  }

  private static Seat seat(Signer player) {
    return new Seat(player.pubkey(), new Nip100(SignedChain.REFEREE));
  }

  static Termination termination(String word) {
    return Termination.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static String id(Random random) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  /** A player's event of the ephemeral dialect, in the tag of a record. */
  static List<String> proof(
      RefereeEvents referee, Signer player, Event found, String content, long at) {
    List<List<String>> tags =
        List.of(List.of("p", referee.pubkey().hex()), List.of("d", found.id().hex()));
    return RefereeEvents.proof(player.sign(at, 20303, new Tags(tags), content));
  }

  /** The same game with another end. */
  RatedGame ending(Result result, String termination) {
    FinishedGame other =
        new FinishedGame(over.last(), result, termination(termination), over.endedAt());
    return new RatedGame(white, black, time, found, other, plies, evidence, endedAt);
  }

  RatedGame with(List<List<String>> otherEvidence) {
    return new RatedGame(white, black, time, found, over, plies, otherEvidence, endedAt);
  }

  GameRef ref() {
    RatedStart start = new RatedStart(category(), new Strength(1500, 90), new Strength(1500, 90));
    return new GameRef(found.id(), seat(white), seat(black), time.isSlow(), start);
  }

  /** The category; rapid for an untimed game, which no honest relay rates. */
  Category category() {
    return Category.of(time).orElse(Category.RAPID);
  }
}
