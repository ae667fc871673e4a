package gambit.chess.dialect;

import gambit.chess.game.GameEvent;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The words of the NIP-100 draft, kinds 5000–5003: which events are chess, what they ask for, and
 * what their OK says. Pure functions.
 */
public final class Nip100 {
  public static final int LOBBY = 5000;
  public static final int MOVE = 5001;
  public static final int DRAW = 5002;
  public static final int RESIGN = 5003;

  /** PGN's time control of a game without clocks, as every game is. */
  public static final String UNTIMED = "-";

  /** Longest content that a bound player's malformed attempt has, in code points. */
  private static final int LONGEST_ATTEMPT = 16;

  /** Tags of NIP-90 jobs, which use the same kinds. */
  private static final Set<String> JOB_TAGS =
      Set.of("i", "param", "output", "bid", "relays", "encrypted", "j");

  private Nip100() {}

  public static boolean isKind(int kind) {
    return kind >= LOBBY && kind <= RESIGN;
  }

  /** Tells, from the event alone, whether it is chess or may be a malformed attempt at it. */
  public static boolean mayBeChess(Event event) {
    if (!isKind(event.kind())
        || event.contentBytes() > LONGEST_ATTEMPT * 6
        || event.tags().list().stream().anyMatch(tag -> JOB_TAGS.contains(tag.get(0)))) {
      return false;
    }
    String content = event.content();
    int length = content.codePointCount(0, content.length());
    return length >= 1 && length <= LONGEST_ATTEMPT;
  }

  /** What the event asks for, or nothing when its content is no word of its kind. */
  public static Optional<Request> read(Event event) {
    String content = event.content();
    return switch (event.kind()) {
      case LOBBY ->
          switch (content) {
            case "connect" -> Optional.of(new Request.Connect());
            case "cancelsearch" -> Optional.of(new Request.CancelSearch());
            case "abort" -> Optional.of(new Request.Abort());
            case "invite", "accept", "reject", "rematch" ->
                Optional.of(new Request.Unsupported(content));
            default -> Optional.empty();
          };
      case MOVE -> Move.parse(content).map(Request.Play::new);
      case DRAW ->
          switch (content) {
            case "offer" -> Optional.of(new Request.Offer());
            case "accept" -> Optional.of(new Request.Accept());
            case "decline" -> Optional.of(new Request.Decline());
            case "claim" -> Optional.of(new Request.Claim());
            case "takeback" -> Optional.of(new Request.Unsupported(content));
            default -> Optional.empty();
          };
      case RESIGN ->
          content.equals("resign") ? Optional.of(new Request.Resign()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  /**
   * What the event asks for besides, and this relay does not do.
   *
   * @param playing whether its author has a game, to which a connect then comes back
   */
  public static Optional<Reason> notOffered(Event event, boolean playing) {
    boolean search = event.kind() == LOBBY && event.content().equals("connect") && !playing;
    if (search && !event.tags().first("time").orElse(UNTIMED).equals(UNTIMED)) {
      return Optional.of(Reason.unsupported("time controls are not offered here"));
    } else if (event.kind() == MOVE && event.tags().first("draw").isPresent()) {
      return Optional.of(Reason.unsupported("a draw offer with a move is not offered here"));
    }
    return Optional.empty();
  }

  /** The ply that a move is meant to be, counted from 1, if its event says so. */
  public static Optional<String> ply(Event event) {
    return event.kind() == MOVE ? event.tags().first("ply") : Optional.empty();
  }

  /** What is wrong with an event that is no word of its kind. */
  public static String malformed(Event event) {
    return switch (event.kind()) {
      case MOVE -> "not a UCI move";
      case LOBBY -> "not one of connect, cancelsearch, abort";
      case DRAW -> "not one of offer, accept, decline, claim";
      default -> "not resign";
    };
  }

  /** The text of the OK for a request that the referee has granted. */
  public static String okText(Request.InGame request, List<GameEvent> events) {
    if (request instanceof Request.Offer) {
      return events.get(0) instanceof GameEvent.DrawOffered ? "offer" : "accept";
    } else if (request instanceof Request.Accept) {
      return "accept";
    } else if (request instanceof Request.Decline) {
      return "decline";
    } else if (request instanceof Request.Claim) {
      return "claim";
    } else if (request instanceof Request.Resign) {
      return "resigned";
    }
    return "";
  }

  /** The draft's word for a side, in OKs and in tags. */
  public static String colour(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }

  /** The text for a move that fits the form and cannot be played. */
  public static String illegal(GameEvent.IllegalMove illegal) {
    return "illegal move " + illegal.move().uci() + " (" + illegal.count() + " of 2)";
  }
}
