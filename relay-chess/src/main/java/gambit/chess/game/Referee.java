package gambit.chess.game;

import gambit.chess.rules.Position;

/**
 * The referee: a function from a game and a command to a decision.
 *
 * <p>Stateless; any thread. Times are epoch milliseconds. The table is complete: the first row that
 * applies decides. "You" is the side that has sent the command. Text in quotes is a refusal; every
 * other result is a step, in which a win or a draw is an {@code Ended}. An offer or a request
 * "stands" until it is answered or lapses. {@link RefereeRules} implements the table, with {@link
 * MoveRules}, {@link DrawRules} and {@link TakebackRules}.
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
 * move offers      Play       legal, with an offer                  Moved, DrawOffered
 * move answers     Play       legal, you are asked for something    Moved; that lapses
 * move asks        Play       legal, you have asked for something   Moved; that stands
 * move             Play       legal                                 Moved
 * offer agrees     OfferDraw  the opponent's offer stands           draw by agreement
 * offer too early  OfferDraw  you have not moved yet                "offer a draw only after a .."
 * offer doubles    OfferDraw  your offer stands                     "your draw offer stands al.."
 * offer too often  OfferDraw  under 20 plies since your last        "one draw offer in 20 plies"
 * offer crosses    OfferDraw  a request stands                      "a takeback request stands"
 * offer            OfferDraw  else                                  DrawOffered
 * undo agrees      Takeback   the opponent's request stands         TakenBack
 * undo crosses     Takeback   an offer stands                       "a draw offer stands"
 * undo doubles     Takeback   your request stands                   "your takeback request st.."
 * undo nothing     Takeback   you have not moved yet                "nothing to take back"
 * undo too often   Takeback   you have asked since the last move    "one takeback request betw.."
 * undo             Takeback   else                                  TakebackAsked
 * accept           Accept     the opponent's offer stands           draw by agreement
 * accept undo      Accept     the opponent's request stands         TakenBack
 * accept nothing   Accept     else                                  "nothing to accept"
 * decline          Decline    the opponent's offer stands           DrawDeclined; it lapses
 * decline undo     Decline    the opponent's request stands         TakebackDeclined; it lapses
 * decline nothing  Decline    else                                  "nothing to decline"
 * claim waiting    ClaimDraw  you are not in turn                   "not your turn"
 * claim threefold  ClaimDraw  this position a third time            draw by threefold repetition
 * claim fifty      ClaimDraw  50 quiet moves of each side           draw by fifty moves
 * claim nothing    ClaimDraw  else                                  "nothing to claim"
 * resign           Resign     always                                opponent wins
 * abort            Abort      before your second move               aborted, no result
 * abort too late   Abort      else                                  "too late to abort"
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
  public static final Refusal TOO_LATE = new Refusal("time is up");

  /** The refusal of a move or a claim of the side that is not to move. */
  public static final Refusal NOT_YOUR_TURN = new Refusal("not your turn");

  private static final Refusal NO_GAME = new Refusal("no game in progress");

  private Referee() {}

  /**
   * Decides one command.
   *
   * @param now the time at which the command arrived, in epoch milliseconds
   */
  public static Ruling decide(Game game, Command command, long now) {
    if (!(game instanceof OngoingGame playing)) {
      return NO_GAME;
    }
    boolean isLate = now >= playing.deadline();
    if (isLate && !(command instanceof Command.TimeUp)) {
      return TOO_LATE;
    }
    return new RefereeRules(playing, now).decide(command);
  }
}
