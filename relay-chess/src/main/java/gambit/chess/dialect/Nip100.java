package gambit.chess.dialect;

import gambit.chess.dialect.PlayerEvent.BindingRule;
import gambit.chess.dialect.PlayerEvent.TargetState;
import gambit.chess.dialect.Request.MalformedTagException;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Proposal;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The dialect of the NIP-100 draft, kinds 5000–5003, with the extensions of this relay. */
public final class Nip100 implements Dialect {
  public static final int LOBBY = 5000;
  public static final int MOVE = 5001;
  public static final int DRAW = 5002;
  public static final int RESIGN = 5003;

  private static final Set<Trait> TRAITS =
      Set.of(Trait.SHARES_ITS_KINDS, Trait.COUNTS_ILLEGAL_MOVES, Trait.CONFIRMS_COLOURS);

  /** The maximum length of the content of a malformed request, in code points. */
  private static final int MAX_MALFORMED_LENGTH = 16;

  /** The tags of NIP-90 jobs, which use the same kinds. */
  private static final Set<String> JOB_TAGS =
      Set.of("i", "param", "output", "bid", "relays", "encrypted", "j");

  /** The words whose e tag does not name the running game, but an invite or a finished game. */
  private static final Set<String> INVITE_WORDS = Set.of("invite", "accept", "reject", "rematch");

  private final RefereeEvents relay;

  public Nip100(RefereeEvents relay) {
    this.relay = relay;
  }

  private static boolean isKind(int kind) {
    return kind >= LOBBY && kind <= RESIGN;
  }

  @Override
  public String name() {
    return "nip100";
  }

  @Override
  public String entry() {
    return "send connect first";
  }

  @Override
  public String gameTag() {
    return "an e tag";
  }

  @Override
  public boolean has(Trait trait) {
    return TRAITS.contains(trait);
  }

  @Override
  public boolean tagsMayBeMissing(int kind) {
    return isKind(kind);
  }

  @Override
  public Integer startFrame() {
    return LOBBY;
  }

  /** The draft's text gives the frame of a move the number 5002. */
  @Override
  public Integer moveFrame() {
    return DRAW;
  }

  // ---- players' events

  @Override
  public boolean isCandidate(Event event) {
    if (!isKind(event.kind())
        || event.maxContentBytes() > MistypedRequests.MAX_BYTES
        || isJob(event)) {
      return false;
    }
    String content = event.content();
    int length = content.codePointCount(0, content.length());
    return (length >= 1 && length <= MAX_MALFORMED_LENGTH)
        || MistypedRequests.hint(event.kind(), content).isPresent();
  }

  private static boolean isJob(Event event) {
    for (List<String> tag : event.tags().list()) {
      if (JOB_TAGS.contains(tag.get(0))) {
        return true;
      }
    }
    return false;
  }

  @Override
  public PlayerEvent read(Event event) {
    return new PlayerEvent(
        event,
        this,
        request(event),
        event.kind() == LOBBY ? BindingRule.BINDS : BindingRule.REQUIRES_BOUND,
        game(event),
        state(event));
  }

  private static Request request(Event event) {
    return wellFormed(event)
        .or(() -> MistypedRequests.hint(event.kind(), event.content()).map(Request.Mistyped::new))
        .orElseGet(() -> new Request.Malformed(fault(event.kind())));
  }

  private static Optional<Request> wellFormed(Event event) {
    return switch (event.kind()) {
      case LOBBY -> lobbyRequest(event);
      case MOVE ->
          Move.parse(event.content())
              .map(move -> new Request.Play(position -> Optional.of(move), offersDraw(event)));
      case DRAW -> drawRequest(event.content());
      case RESIGN ->
          event.content().equals("resign") ? plain(Command.Type.RESIGN) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Request> lobbyRequest(Event event) {
    Tags tags = event.tags();
    try {
      return switch (event.content()) {
        case "connect" -> Optional.of(Request.Connect.of(tags));
        case "cancelsearch" -> Optional.of(new Request.CancelSearch());
        case "invite" -> Optional.of(invite(event));
        case "accept" ->
            Optional.of(new Request.AcceptInvite(named(event, "the invite"), tags.first("secret")));
        case "reject" -> Optional.of(new Request.RejectInvite(named(event, "the invite")));
        case "rematch" ->
            Optional.of(
                new Request.Rematch(
                    tags.has("e") ? named(event, "the game") : null,
                    tags.first("p"),
                    InviteTerms.Expiration.of(tags)));
        case "stopreminders" ->
            Optional.of(
                new Request.StopReminders(
                    tags.first("token")
                        .orElseThrow(() -> new MalformedTagException("a token tag is needed"))));
        case "abort" -> plain(Command.Type.ABORT);
        default -> Optional.empty();
      };
    } catch (MalformedTagException e) {
      return Optional.of(new Request.MalformedTag(e.reason()));
    }
  }

  private static Request.Invite invite(Event event) throws MalformedTagException {
    Tags tags = event.tags();
    Optional<String> p = tags.first("p");
    PubKey opponent = p.isPresent() ? pubkey(p.get()) : null;
    if (event.pubkey().equals(opponent)) {
      throw new MalformedTagException("nobody can play against oneself");
    }
    return new Request.Invite(
        opponent,
        colour(tags),
        Request.time(tags),
        position(tags),
        level(tags),
        RatedStart.isRequested(tags),
        InviteTerms.Expiration.of(tags),
        tags.has("unlisted"),
        SecretHash.of(tags));
  }

  /** The event that an {@code e} tag names; {@code what} is for the player. */
  private static EventId named(Event event, String what) throws MalformedTagException {
    String id =
        event
            .tags()
            .first("e")
            .orElseThrow(() -> new MalformedTagException("an e tag has to name " + what));
    if (!Hex.isLowerCase(id, 64)) {
      throw new MalformedTagException("the e tag is not an id of 64 hexadecimal digits");
    }
    return EventId.ofHex(id);
  }

  private static PubKey pubkey(String hex) throws MalformedTagException {
    if (!Hex.isLowerCase(hex, 64)) {
      throw new MalformedTagException("the p tag is not a public key of 64 hexadecimal digits");
    }
    return PubKey.ofHex(hex);
  }

  private static @Nullable Side colour(Tags tags) throws MalformedTagException {
    return switch (tags.first("color").orElse("random")) {
      case "white" -> Side.WHITE;
      case "black" -> Side.BLACK;
      case "random" -> null;
      default -> throw new MalformedTagException("the color is not one of white, black, random");
    };
  }

  private static int level(Tags tags) {
    return tags.first("level").filter(it -> it.matches("[1-5]")).map(Integer::valueOf).orElse(0);
  }

  private static Position position(Tags tags) throws MalformedTagException {
    Optional<String> fen = tags.first("fen");
    if (fen.isEmpty()) {
      return Position.initial();
    }
    Position position =
        Position.parseFen(fen.get())
            .filter(it -> it.fullmoveNumber() <= Position.MAX_FIRST_MOVE)
            .orElseThrow(() -> new MalformedTagException("the fen is not a position"));
    if (position.outcome().isPresent()) {
      throw new MalformedTagException("the game of that fen would be over");
    }
    return position;
  }

  private static Optional<Request> drawRequest(String word) {
    return switch (word) {
      case "offer" -> plain(Command.Type.OFFER_DRAW);
      case "accept" -> plain(Command.Type.ACCEPT);
      case "decline" -> plain(Command.Type.DECLINE);
      case "claim" -> plain(Command.Type.CLAIM_DRAW);
      case "takeback" -> plain(Command.Type.TAKEBACK);
      default -> Optional.empty();
    };
  }

  private static Optional<Request> plain(Command.Type type) {
    return Optional.of(new Request.Plain(type));
  }

  private static boolean offersDraw(Event event) {
    return event.tags().first("draw").filter("offer"::equals).isPresent();
  }

  private static Reason fault(int kind) {
    return Reason.invalid(
        switch (kind) {
          case MOVE -> "not a UCI move";
          case RESIGN -> "not resign";
          default ->
              "not one of "
                  + String.join(", ", MistypedRequests.WORDS.getOrDefault(kind, List.of()));
        });
  }

  /** The game that an event names; the e tag of some requests names an invite instead. */
  private static Optional<String> game(Event event) {
    return event.kind() == LOBBY && INVITE_WORDS.contains(event.content())
        ? Optional.empty()
        : event.tags().root();
  }

  private static TargetState state(Event event) {
    Optional<String> ply = event.kind() == MOVE ? event.tags().first("ply") : Optional.empty();
    return ply.<TargetState>map(NextPly::new).orElse(TargetState.ANY);
  }

  /** The state before the ply that the event's ply tag names. */
  private record NextPly(String ply) implements TargetState {
    @Override
    public Optional<Reason> objection(OngoingGame game, Predicate<String> isCurrent) {
      String next = "" + (game.plies() + 1);
      return ply.equals(next)
          ? Optional.empty()
          : Optional.of(Reason.invalid("stale, the next ply is " + next));
    }
  }

  // ---- answers and notifications

  @Override
  public Reply granted(Event event, List<GameEvent> happened) {
    return happened.isEmpty() ? accepted("") : answer(happened.get(0));
  }

  /** The answer by the first event of a step, which is the effect of the player's request. */
  private static Reply answer(GameEvent effect) {
    if (effect instanceof GameEvent.IllegalMove illegal) {
      String count = illegal.count() + " of " + Referee.MAX_ILLEGAL_MOVES;
      String text = "illegal move " + illegal.move().uci() + " (" + count + ")";
      return Reply.refused(Reason.invalid(text));
    } else if (effect instanceof GameEvent.Proposed proposed) {
      return accepted(proposed.type() == Proposal.Type.DRAW ? "offer" : "takeback");
    } else if (effect instanceof GameEvent.TakenBack) {
      return accepted("accept");
    } else if (effect instanceof GameEvent.Declined) {
      return accepted("decline");
    } else if (effect instanceof GameEvent.Ended ended) {
      return accepted(
          switch (ended.termination()) {
            case AGREEMENT -> "accept";
            case THREEFOLD, FIFTYMOVES -> "claim";
            case RESIGNATION -> "resigned";
            default -> "";
          });
    }
    return accepted("");
  }

  private static Reply accepted(String word) {
    return Reply.accepted(word, List.of());
  }

  @Override
  public Optional<Event> published(
      GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now) {
    boolean counted = happened.get(0) instanceof GameEvent.IllegalMove;
    return event.kind() == LOBBY || counted ? Optional.empty() : Optional.of(event);
  }

  @Override
  public Reply searching(Event event, boolean already, long now) {
    return already ? Reply.duplicate(Reason.duplicate("already searching")) : accepted("");
  }

  @Override
  public List<Notification> inviteExpired(EventId invite, PubKey author, long now) {
    List<List<String>> tags = List.of(List.of("e", invite.hex()), List.of("p", author.hex()));
    return List.of(new Notification(relay.sign(LOBBY, tags, "inviteexpired", now), LOBBY));
  }

  @Override
  public Notification shown(GameRef game, OngoingGame playing, Side side, long now) {
    List<List<String>> tags = RefereeEvents.about(game);
    tags.add(List.of("time", playing.control().text()));
    tags.add(List.of("fen", playing.position().fen()));
    tags.add(List.of("moves", playing.moves().toString()));
    if (!playing.control().isUntimed()) {
      String white = "" + playing.clock().at(Side.WHITE, now);
      tags.add(List.of("clock", white, "" + playing.clock().at(Side.BLACK, now)));
    }
    if (game.rated() != null) {
      tags.addAll(game.rated().tags());
    }
    return new Notification(relay.sign(LOBBY, tags, RefereeEvents.GAME_IS_FOUND, now), LOBBY);
  }

  @Override
  public List<Notification> proposed(
      GameRef game, Proposal.Type type, boolean published, long now) {
    if (type == Proposal.Type.DRAW) {
      return List.of(new Notification(drawEvent(game, "offersent", now), DRAW));
    }
    return published
        ? List.of()
        : List.of(new Notification(drawEvent(game, "takeback", now), null));
  }

  private Event drawEvent(GameRef game, String word, long now) {
    return relay.sign(DRAW, RefereeEvents.about(game), word, now);
  }

  @Override
  public Notification ended(GameRef game, FinishedGame over, Side side) {
    List<List<String>> tags = RefereeEvents.aboutEnd(game, over);
    return new Notification(relay.sign(LOBBY, tags, ending(over, side), over.endedAt()), LOBBY);
  }

  private static String ending(FinishedGame over, Side side) {
    if (over.termination() == Termination.CHECKMATE) {
      return "gamecheckmate";
    } else if (over.result() == Result.DRAW) {
      return "gamedraw";
    } else if (over.result() == Result.NONE) {
      return "gameaborted";
    }
    return over.result() == Result.winFor(side) ? "opponentresigned" : "gamelost";
  }
}
