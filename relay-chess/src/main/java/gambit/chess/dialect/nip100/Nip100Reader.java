package gambit.chess.dialect.nip100;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.MalformedTagException;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.PlayerEvent.BindingRule;
import gambit.chess.dialect.PlayerEvent.Content;
import gambit.chess.dialect.PlayerEvent.TargetState;
import gambit.chess.dialect.Request;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.Move;
import gambit.core.model.Event;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads events of kinds 5000–5003. Pure; any thread. */
final class Nip100Reader implements DialectReader {
  /** The maximum length of the content of a malformed request, in code points. */
  private static final int MAX_MALFORMED_LENGTH = 16;

  /** The tags of NIP-90 jobs, which use the same kinds. */
  private static final Set<String> JOB_TAGS =
      Set.of("i", "param", "output", "bid", "relays", "encrypted", "j");

  /** The words whose e tag does not name the running game, but an invite or a finished game. */
  private static final Set<String> INVITE_WORDS = Set.of("invite", "accept", "reject", "rematch");

  private final Dialect dialect;

  Nip100Reader(Dialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public boolean isCandidate(Event event) {
    if (!Nip100.isKind(event.kind())
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
        dialect,
        content(event),
        event.kind() == Nip100.LOBBY ? BindingRule.BINDS : BindingRule.REQUIRES_BOUND,
        game(event),
        state(event));
  }

  private static Content content(Event event) {
    Optional<Request> request = request(event);
    if (request.isPresent()) {
      return new Content.Asks(request.get());
    }
    return MistypedRequests.hint(event.kind(), event.content())
        .<Content>map(Content.Mistyped::new)
        .orElseGet(() -> new Content.Malformed(fault(event.kind())));
  }

  private static Optional<Request> request(Event event) {
    return switch (event.kind()) {
      case Nip100.LOBBY -> lobbyRequest(event);
      case Nip100.MOVE ->
          Move.parse(event.content())
              .map(move -> new Request.Play(position -> Optional.of(move), offersDraw(event)));
      case Nip100.DRAW -> drawRequest(event.content());
      case Nip100.RESIGN ->
          event.content().equals("resign") ? Optional.of(Request.Plain.RESIGN) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private static Optional<Request> lobbyRequest(Event event) {
    try {
      return switch (event.content()) {
        case "connect" -> Optional.of(LobbyRequestReader.connect(event));
        case "cancelsearch" -> Optional.of(new Request.CancelSearch());
        case "invite" -> Optional.of(LobbyRequestReader.invite(event));
        case "accept" -> Optional.of(LobbyRequestReader.accept(event));
        case "reject" -> Optional.of(LobbyRequestReader.reject(event));
        case "rematch" -> Optional.of(LobbyRequestReader.rematch(event));
        case "abort" -> Optional.of(Request.Plain.ABORT);
        default -> Optional.empty();
      };
    } catch (MalformedTagException e) {
      return Optional.of(new Request.MalformedTag(e.reason()));
    }
  }

  private static Optional<Request> drawRequest(String word) {
    return switch (word) {
      case "offer" -> Optional.of(Request.Plain.OFFER);
      case "accept" -> Optional.of(Request.Plain.ACCEPT);
      case "decline" -> Optional.of(Request.Plain.DECLINE);
      case "claim" -> Optional.of(Request.Plain.CLAIM);
      case "takeback" -> Optional.of(Request.Plain.TAKEBACK);
      default -> Optional.empty();
    };
  }

  private static boolean offersDraw(Event event) {
    return event.tags().first("draw").filter("offer"::equals).isPresent();
  }

  private static Reason fault(int kind) {
    return Reason.invalid(
        switch (kind) {
          case Nip100.MOVE -> "not a UCI move";
          case Nip100.LOBBY ->
              "not one of connect, cancelsearch, invite, accept, reject, rematch, abort";
          case Nip100.DRAW -> "not one of offer, accept, decline, claim, takeback";
          default -> "not resign";
        });
  }

  /** The game that an event names; the e tag of some requests names an invite instead. */
  private static Optional<String> game(Event event) {
    if (event.kind() == Nip100.LOBBY && INVITE_WORDS.contains(event.content())) {
      return Optional.empty();
    }
    return event.tags().root();
  }

  private static TargetState state(Event event) {
    Optional<String> ply =
        event.kind() == Nip100.MOVE ? event.tags().first("ply") : Optional.empty();
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
}
