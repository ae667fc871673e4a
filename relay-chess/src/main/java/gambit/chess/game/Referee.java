package gambit.chess.game;

import gambit.chess.game.GameEvent.Declined;
import gambit.chess.game.GameEvent.Ended;
import gambit.chess.game.GameEvent.IllegalMove;
import gambit.chess.game.GameEvent.Moved;
import gambit.chess.game.GameEvent.Proposed;
import gambit.chess.game.GameEvent.TakenBack;
import gambit.chess.game.Ruling.Refusal;
import gambit.chess.game.Ruling.Step;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The referee: a function from a game and a command to a decision.
 *
 * <p>Stateless; any thread. Times are epoch milliseconds. The table is complete: the first row that
 * applies decides. "You" is the side that has sent the command. Text in quotes is a refusal; every
 * other result is a step, in which a win or a draw is an {@code Ended}. An offer or a request
 * "stands" until it is answered or lapses. The methods below are in the order of the table.
 *
 * <pre>
 * row              command    condition                             result
 * ---------------  ---------  ------------------------------------  -----------------------------
 * over             any        the game is over                      "no game in progress"
 * time left        TimeUp     before the deadline                   "there is time left"
 * time unmoved     TimeUp     it was for a first move               aborted, no result
 * time bare        TimeUp     the side not to move cannot mate      draw
 * time             TimeUp     else                                  the side not to move wins
 * too late         any else   at the deadline or later              "time is up"
 * move waiting     Play       you are not in turn                   "not your turn"
 * move doubles     Play       with an offer, your offer stands      "your draw offer stands al.."
 * move insists     Play       with an offer, under 20 plies         "one draw offer in 20 plies"
 * move crosses     Play       with an offer, your request stands    "a takeback request stands"
 * move illegal     Play       not legal, your first such            IllegalMove(1)
 * move harmless    Play       not legal, opponent cannot mate       IllegalMove(2), draw
 * move forfeits    Play       not legal                             IllegalMove(2), opponent wins
 * move mates       Play       legal: checkmate                      Moved, you win
 * move stalemates  Play       legal: stalemate                      Moved, draw
 * move deadens     Play       legal: dead position                  Moved, draw
 * move repeats     Play       legal: this position a fifth time     Moved, draw
 * move is quiet    Play       legal: 75 quiet moves of each side    Moved, draw
 * move offers      Play       legal, with an offer                  Moved, Proposed(DRAW)
 * move answers     Play       legal, you are asked for something    Moved; that lapses
 * move asks        Play       legal, you have asked for something   Moved; that stands
 * move             Play       legal                                 Moved
 * offer agrees     OFFER_DRAW the opponent's offer stands           draw by agreement
 * offer too early  OFFER_DRAW you have not moved yet                "offer a draw only after a .."
 * offer doubles    OFFER_DRAW your offer stands                     "your draw offer stands al.."
 * offer too often  OFFER_DRAW under 20 plies since your last        "one draw offer in 20 plies"
 * offer crosses    OFFER_DRAW a request stands                      "a takeback request stands"
 * offer            OFFER_DRAW else                                  Proposed(DRAW)
 * undo agrees      TAKEBACK   the opponent's request stands         TakenBack
 * undo crosses     TAKEBACK   an offer stands                       "a draw offer stands"
 * undo doubles     TAKEBACK   your request stands                   "your takeback request st.."
 * undo nothing     TAKEBACK   you have not moved yet                "nothing to take back"
 * undo too often   TAKEBACK   you have asked since the last move    "one takeback request betw.."
 * undo             TAKEBACK   else                                  Proposed(TAKEBACK)
 * accept           ACCEPT     the opponent's offer stands           draw by agreement
 * accept undo      ACCEPT     the opponent's request stands         TakenBack
 * accept nothing   ACCEPT     else                                  "nothing to accept"
 * decline          DECLINE    the opponent's offer stands           Declined(DRAW); it lapses
 * decline undo     DECLINE    the opponent's request stands         Declined(TAKEBACK); it lapses
 * decline nothing  DECLINE    else                                  "nothing to decline"
 * claim waiting    CLAIM_DRAW you are not in turn                   "not your turn"
 * claim threefold  CLAIM_DRAW this position a third time            draw by threefold repetition
 * claim fifty      CLAIM_DRAW 50 quiet moves of each side           draw by fifty moves
 * claim nothing    CLAIM_DRAW else                                  "nothing to claim"
 * resign           RESIGN     always                                opponent wins
 * abort            ABORT      before your second move               aborted, no result
 * abort too late   ABORT      else                                  "too late to abort"
 * cancel           Cancel     before your first move                aborted, no result
 * cancel too late  Cancel     else                                  "too late to cancel"
 * abandon early    Abandon    before both sides have moved          aborted, no result
 * abandon bare     Abandon    the opponent cannot mate              draw
 * abandon          Abandon    else                                  opponent wins
 * </pre>
 *
 * <p>Illegal moves are counted for each side over the whole game, and takebacks do not reduce the
 * count (after FIDE 7.5.5). A dialect that does not count them must check moves before it sends
 * {@code Play}. The draw offer of a move is checked before the move is. A takeback undoes the
 * asker's last move, and the opponent's answer to it, so that the asker is to move. "Cannot mate"
 * means by no series of legal moves, as far as {@link Position#canMate} detects (FIDE 6.9).
 */
public final class Referee {
  /** The refusal of a command after the deadline, when only {@code TimeUp} may end the game. */
  static final Refusal TOO_LATE = new Refusal("time is up");

  public static final Refusal NOT_YOUR_TURN = new Refusal("not your turn");

  /** The number of illegal moves with which a side forfeits the game. */
  public static final int MAX_ILLEGAL_MOVES = 2;

  private static final int PLIES_BETWEEN_OFFERS = 20;

  private final OngoingGame game;
  private final long now;

  private Referee(OngoingGame game, long now) {
    this.game = game;
    this.now = now;
  }

  public static Ruling decide(Game game, Command command, long now) {
    if (!(game instanceof OngoingGame playing)) {
      return new Refusal("no game in progress");
    }
    boolean isLate = now >= playing.deadline();
    if (isLate && !(command instanceof Command.TimeUp)) {
      return TOO_LATE;
    }
    return new Referee(playing, now).decide(command);
  }

  private Ruling decide(Command command) {
    if (command instanceof Command.Play play) {
      return play(play, play.by());
    } else if (command instanceof Command.Plain plain) {
      return plain(plain.type(), plain.by());
    } else if (command instanceof Command.Cancel cancel) {
      return game.movesOf(cancel.by()) < 1 ? abort() : new Refusal("too late to cancel");
    } else if (command instanceof Command.Abandon abandon) {
      return game.plies() < 2 ? abort() : forfeit(game, abandon.by(), Termination.ABANDONED);
    } else if (command instanceof Command.TimeUp) {
      return timeUp();
    }
    throw new IllegalArgumentException("no rule for " + command);
  }

  private Ruling plain(Command.Type type, Side side) {
    return switch (type) {
      case OFFER_DRAW -> offer(side);
      case TAKEBACK -> takeback(side);
      case ACCEPT -> accept(side);
      case DECLINE -> decline(side);
      case CLAIM_DRAW -> claim(side);
      case RESIGN -> end(game, Result.winFor(side.opponent()), Termination.RESIGNATION);
      case ABORT -> game.movesOf(side) < 2 ? abort() : new Refusal("too late to abort");
    };
  }

  private Ruling timeUp() {
    if (now < game.deadline()) {
      return new Refusal("there is time left");
    }
    return game.clock().running() == null
        ? abort()
        : forfeit(game, game.turn(), Termination.TIMEOUT);
  }

  private Ruling play(Command.Play play, Side side) {
    if (side != game.turn()) {
      return NOT_YOUR_TURN;
    }
    Refusal objection =
        play.offersDraw() ? objectionToOffer(side, game.proposalBy(side), game.plies() + 1) : null;
    if (objection != null) {
      return objection;
    }
    Optional<Position> played = play.playedIn(game.position());
    if (played.isEmpty()) {
      return countIllegal(play, side);
    }
    Position position = played.get();
    OngoingGame next = game.afterMove(play.move(), position, now);
    Moved moved = new Moved(side, play.move());
    Optional<Outcome> outcome = position.outcome();
    if (outcome.isPresent()) {
      Termination termination = Termination.of(outcome.get());
      boolean isMate = termination == Termination.CHECKMATE;
      return end(next, isMate ? Result.winFor(side) : Result.DRAW, termination, moved);
    }
    return play.offersDraw()
        ? new Step(withOffer(next, side), List.of(moved, new Proposed(Proposal.Type.DRAW, side)))
        : new Step(next, List.of(moved));
  }

  private Step countIllegal(Command.Play play, Side side) {
    SideHistory history = game.history(side).withIllegalMove();
    OngoingGame next = game.withHistory(side, history);
    IllegalMove counted = new IllegalMove(side, play.move(), history.illegalMoves());
    return history.illegalMoves() < MAX_ILLEGAL_MOVES
        ? new Step(next, List.of(counted))
        : forfeit(next, side, Termination.ILLEGALMOVES, counted);
  }

  private Ruling offer(Side side) {
    if (game.isAsked(side, Proposal.Type.DRAW)) {
      return agree();
    } else if (game.movesOf(side) == 0) {
      return new Refusal("offer a draw only after a move of your own");
    }
    Refusal objection = objectionToOffer(side, game.proposal(), game.plies());
    return objection != null
        ? objection
        : new Step(withOffer(game, side), List.of(new Proposed(Proposal.Type.DRAW, side)));
  }

  /**
   * The objection to an offer of a side that has moved, or null if there is none.
   *
   * @param open the proposal that is open when the offer is made
   * @param ply the number of plies played when the offer is made
   */
  private @Nullable Refusal objectionToOffer(Side side, @Nullable Proposal open, int ply) {
    int last = game.history(side).offeredAt();
    if (open != null && open.equals(new Proposal(Proposal.Type.DRAW, side))) {
      return new Refusal("your draw offer stands already, nothing has changed");
    } else if (last != SideHistory.NEVER && ply - last < PLIES_BETWEEN_OFFERS) {
      return new Refusal("one draw offer in 20 plies");
    }
    return open == null ? null : new Refusal("a takeback request stands");
  }

  private OngoingGame withOffer(OngoingGame before, Side side) {
    return before
        .withHistory(side, before.history(side).withOfferAt(before.plies()))
        .withProposal(new Proposal(Proposal.Type.DRAW, side), now);
  }

  private Step agree() {
    return end(game, Result.DRAW, Termination.AGREEMENT);
  }

  private Ruling takeback(Side side) {
    Proposal own = new Proposal(Proposal.Type.TAKEBACK, side);
    if (game.isAsked(side, Proposal.Type.TAKEBACK)) {
      return takeBack(side.opponent());
    } else if (game.proposal() != null) {
      return own.equals(game.proposal())
          ? new Refusal("your takeback request stands already, nothing has changed")
          : new Refusal("a draw offer stands");
    } else if (game.movesOf(side) == 0) {
      return new Refusal("nothing to take back");
    } else if (game.history(side).takebackAt() == game.plies()) {
      return new Refusal("one takeback request between two moves");
    }
    OngoingGame next =
        game.withHistory(side, game.history(side).withTakebackAt(game.plies()))
            .withProposal(own, now);
    return new Step(next, List.of(new Proposed(Proposal.Type.TAKEBACK, side)));
  }

  /** Takes back the last move of the side that has asked for it, and the opponent's answer. */
  private Step takeBack(Side asker) {
    int plies = game.turn() == asker ? 2 : 1;
    return new Step(game.takenBack(plies, now), List.of(new TakenBack(asker, plies)));
  }

  private Ruling accept(Side side) {
    if (game.isAsked(side, Proposal.Type.DRAW)) {
      return agree();
    } else if (game.isAsked(side, Proposal.Type.TAKEBACK)) {
      return takeBack(side.opponent());
    }
    return new Refusal("nothing to accept");
  }

  private Ruling decline(Side side) {
    Proposal asked = game.proposalBy(side.opponent());
    return asked == null
        ? new Refusal("nothing to decline")
        : new Step(game.withProposal(null, now), List.of(new Declined(asked.type(), side)));
  }

  private Ruling claim(Side side) {
    if (side != game.turn()) {
      return NOT_YOUR_TURN;
    } else if (game.position().threefold()) {
      return end(game, Result.DRAW, Termination.THREEFOLD);
    } else if (game.position().fiftyMoves()) {
      return end(game, Result.DRAW, Termination.FIFTYMOVES);
    }
    return new Refusal("nothing to claim");
  }

  private Step abort() {
    return end(game, Result.NONE, Termination.ABORTED);
  }

  /** Ends a game that a side forfeits: a draw if the opponent cannot mate, else a loss. */
  private Step forfeit(OngoingGame last, Side side, Termination termination, GameEvent... before) {
    Side opponent = side.opponent();
    Result result = last.position().canMate(opponent) ? Result.winFor(opponent) : Result.DRAW;
    return end(last, result, termination, before);
  }

  /** Ends a game after some events; an open proposal lapses. */
  private Step end(OngoingGame last, Result result, Termination termination, GameEvent... before) {
    List<GameEvent> events = new ArrayList<>(List.of(before));
    events.add(new Ended(result, termination));
    FinishedGame over = new FinishedGame(last.withProposal(null, now), result, termination, now);
    return new Step(over, List.copyOf(events));
  }
}
