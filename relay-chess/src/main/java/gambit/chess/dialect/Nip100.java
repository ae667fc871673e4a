package gambit.chess.dialect;

import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The NIP-100 draft, kinds 5000–5003, and the words that are added to it. */
public final class Nip100 implements Dialect {
  public static final int LOBBY = 5000;
  public static final int MOVE = 5001;
  public static final int DRAW = 5002;
  public static final int RESIGN = 5003;

  /** Longest content that a bound player's malformed attempt has, in code points. */
  private static final int LONGEST_ATTEMPT = 16;

  /** Tags of NIP-90 jobs, which use the same kinds. */
  private static final Set<String> JOB_TAGS =
      Set.of("i", "param", "output", "bid", "relays", "encrypted", "j");

  /** Words that are about an invite or a game that is over, which their e tag names. */
  private static final Set<String> ABOUT_INVITES = Set.of("invite", "accept", "reject", "rematch");

  private final RelayEvents relay;

  public Nip100(RelayEvents relay) {
    this.relay = relay;
  }

  public static boolean isKind(int kind) {
    return kind >= LOBBY && kind <= RESIGN;
  }

  @Override
  public String name() {
    return "nip100";
  }

  @Override
  public boolean mayBe(Event event) {
    if (!isKind(event.kind())
        || event.contentBytes() > NearMiss.MAX_BYTES
        || event.tags().list().stream().anyMatch(tag -> JOB_TAGS.contains(tag.get(0)))) {
      return false;
    }
    String content = event.content();
    int length = content.codePointCount(0, content.length());
    return (length >= 1 && length <= LONGEST_ATTEMPT)
        || NearMiss.of(event.kind(), content).isPresent();
  }

  @Override
  public Optional<Request> read(Event event) {
    String content = event.content();
    return switch (event.kind()) {
      case LOBBY ->
          switch (content) {
            case "connect" -> Optional.of(new Request.Connect());
            case "cancelsearch" -> Optional.of(new Request.CancelSearch());
            case "invite" -> Optional.of(new Request.Invite());
            case "accept" -> Optional.of(new Request.AcceptInvite());
            case "reject" -> Optional.of(new Request.RejectInvite());
            case "rematch" -> Optional.of(new Request.Rematch());
            case "abort" -> Optional.of(new Request.Abort());
            default -> Optional.empty();
          };
      case MOVE ->
          Move.parse(content)
              .map(move -> new Request.Play(position -> Optional.of(move), offersDraw(event)));
      case DRAW ->
          switch (content) {
            case "offer" -> Optional.of(new Request.Offer());
            case "accept" -> Optional.of(new Request.Accept());
            case "decline" -> Optional.of(new Request.Decline());
            case "claim" -> Optional.of(new Request.Claim());
            case "takeback" -> Optional.of(new Request.Takeback());
            default -> Optional.empty();
          };
      case RESIGN ->
          content.equals("resign") ? Optional.of(new Request.Resign()) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static boolean offersDraw(Event event) {
    return event.tags().first("draw").filter("offer"::equals).isPresent();
  }

  @Override
  public Reason malformed(Event event) {
    return Reason.invalid(
        switch (event.kind()) {
          case MOVE -> "not a UCI move";
          case LOBBY -> "not one of connect, cancelsearch, invite, accept, reject, rematch, abort";
          case DRAW -> "not one of offer, accept, decline, claim, takeback";
          default -> "not resign";
        });
  }

  @Override
  public Optional<Reason> nearMiss(Event event) {
    return NearMiss.of(event.kind(), event.content());
  }

  @Override
  public boolean sharesItsKinds() {
    return true;
  }

  @Override
  public boolean opens(Event event) {
    return event.kind() == LOBBY;
  }

  @Override
  public boolean comesBack(Event event) {
    return false;
  }

  @Override
  public Optional<Reason> doubtful(Event event, Playing game, Predicate<String> isCurrent) {
    return Optional.empty();
  }

  /** The e tag marked root, else the first one without a mark. */
  @Override
  public Optional<String> gameOf(Event event) {
    if (event.kind() == LOBBY && ABOUT_INVITES.contains(event.content())) {
      return Optional.empty();
    }
    List<List<String>> tags = event.tags().named("e").filter(tag -> tag.size() > 1).toList();
    return tags.stream()
        .filter(tag -> mark(tag).equals("root"))
        .findFirst()
        .or(() -> tags.stream().filter(tag -> mark(tag).isEmpty()).findFirst())
        .map(tag -> tag.get(1));
  }

  private static String mark(List<String> tag) {
    return tag.size() > 3 ? tag.get(3) : "";
  }

  @Override
  public Optional<Reason> stale(Event event, Playing game, Predicate<String> isCurrent) {
    String next = "" + (game.plies() + 1);
    return event.kind() == MOVE
            && event.tags().first("ply").filter(it -> !it.equals(next)).isPresent()
        ? Optional.of(Reason.invalid("stale, the next ply is " + next))
        : Optional.empty();
  }

  @Override
  public boolean followsStates() {
    return false;
  }

  @Override
  public boolean countsIllegalMoves() {
    return true;
  }

  @Override
  public Reply granted(Event event, List<GameEvent> happened) {
    return happened.isEmpty() ? accepted("") : happened.get(0).accept(ANSWERS);
  }

  /** The answers to what has happened first, as it is what the player has asked for. */
  private static final GameEvent.Visitor<Reply> ANSWERS =
      new GameEvent.Visitor<>() {
        @Override
        public Reply moved(GameEvent.Moved event) {
          return accepted("");
        }

        @Override
        public Reply illegalMove(GameEvent.IllegalMove event) {
          String text = "illegal move " + event.move().uci() + " (" + event.count() + " of 2)";
          return Reply.refused(Reason.invalid(text));
        }

        @Override
        public Reply drawOffered(GameEvent.DrawOffered event) {
          return accepted("offer");
        }

        @Override
        public Reply drawDeclined(GameEvent.DrawDeclined event) {
          return accepted("decline");
        }

        @Override
        public Reply takebackAsked(GameEvent.TakebackAsked event) {
          return accepted("takeback");
        }

        @Override
        public Reply takenBack(GameEvent.TakenBack event) {
          return accepted("accept");
        }

        @Override
        public Reply takebackDeclined(GameEvent.TakebackDeclined event) {
          return accepted("decline");
        }

        @Override
        public Reply ended(GameEvent.Ended event) {
          return accepted(
              switch (event.termination()) {
                case AGREEMENT -> "accept";
                case THREEFOLD, FIFTYMOVES -> "claim";
                case RESIGNATION -> "resigned";
                default -> "";
              });
        }
      };

  private static Reply accepted(String word) {
    return Reply.accepted(word, List.of());
  }

  @Override
  public Reply refused(Event event, Reason reason, @Nullable GameRef game, long now) {
    return Reply.refused(reason);
  }

  @Override
  public Optional<Event> published(
      GameRef game, Event event, Playing before, List<GameEvent> happened, long now) {
    boolean counted = happened.get(0) instanceof GameEvent.IllegalMove;
    return event.kind() == LOBBY || counted ? Optional.empty() : Optional.of(event);
  }

  @Override
  public List<String> evidence(Event event) {
    return List.of("ending", event.id().hex());
  }

  @Override
  public Reply searching(Event event, boolean already, long now) {
    String text = already ? Reason.duplicate("already searching").toString() : "";
    return Reply.accepted(text, List.of());
  }

  @Override
  public List<Notice> searchesAgain(PubKey player, long now) {
    return List.of();
  }

  @Override
  public List<Notice> notStarted(PubKey player, Reason reason, long now) {
    return List.of();
  }

  @Override
  public boolean confirmsColours() {
    return true;
  }

  @Override
  public Integer numberOfStart() {
    return LOBBY;
  }

  /** The draft's literal text has 5002 here. */
  @Override
  public Integer numberOfMove() {
    return DRAW;
  }

  @Override
  public List<Notice> started(GameRef game, Side side, long now) {
    return List.of();
  }

  @Override
  public List<Notice> shown(GameRef game, Playing playing, Side side, long now) {
    return List.of(new Notice(relay.resume(game, playing, now), LOBBY));
  }

  @Override
  public List<Notice> proposed(GameRef game, Proposal.Kind kind, boolean published, long now) {
    if (kind == Proposal.Kind.DRAW) {
      return List.of(new Notice(relay.offerSent(game, now), DRAW));
    }
    return published ? List.of() : List.of(new Notice(relay.takebackAsked(game, now), null));
  }

  @Override
  public List<Notice> ended(GameRef game, Over over, Side side) {
    return List.of(missedEnd(game, over, side));
  }

  @Override
  public Notice missedEnd(GameRef game, Over over, Side side) {
    return new Notice(relay.ending(game, over, ending(over, side)), LOBBY);
  }

  private static String ending(Over over, Side side) {
    if (over.termination() == Termination.CHECKMATE) {
      return "gamecheckmate";
    } else if (over.result() == Result.DRAW) {
      return "gamedraw";
    } else if (over.result() == Result.NONE) {
      return "gameaborted";
    }
    return over.result() == Result.winFor(side) ? "opponentresigned" : "gamelost";
  }

  /** The draft's word for a side, in OKs and in tags. */
  public static String colour(Side side) {
    return side == Side.WHITE ? "white" : "black";
  }
}
