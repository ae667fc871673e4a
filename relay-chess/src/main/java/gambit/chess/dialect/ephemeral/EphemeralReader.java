package gambit.chess.dialect.ephemeral;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.DialectReader;
import gambit.chess.dialect.MalformedTagException;
import gambit.chess.dialect.PlayerEvent;
import gambit.chess.dialect.PlayerEvent.BindingRule;
import gambit.chess.dialect.PlayerEvent.Content;
import gambit.chess.dialect.PlayerEvent.TargetState;
import gambit.chess.dialect.Request;
import gambit.chess.dialect.TimeTag;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.LongAlgebraic;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads events of kinds 20300 and 20303. Pure; any thread. */
final class EphemeralReader implements DialectReader {
  /** The maximum size of a chess event, which a relay-signed event may contain as proof. */
  private static final int MAX_BYTES = 8_192;

  private static final Reason TOO_LONG =
      Reason.invalid("a chess event has at most " + MAX_BYTES + " bytes");
  private static final Reason NO_MOVE =
      Reason.invalid("not a move like e2e4 or e7e8q, and not one of quit, resign, draw, takeback");
  private static final Reason STALE = Reason.invalid("stale: this is no state of the current ply");
  private static final Reason SIGNED_BEFORE =
      Reason.invalid("signed before the game began: name the game in a d tag");

  private final Dialect dialect;
  private final String relay;

  EphemeralReader(Dialect dialect, PubKey relay) {
    this.dialect = dialect;
    this.relay = relay.hex();
  }

  /** Whether an event names the relay's key, since other chess servers may use this relay. */
  @Override
  public boolean isCandidate(Event event) {
    return (event.kind() == Ephemeral.PLAY || event.kind() == Ephemeral.MOVE)
        && event.tags().values("p").anyMatch(relay::equals);
  }

  @Override
  public PlayerEvent read(Event event) {
    boolean isMove = event.kind() == Ephemeral.MOVE;
    Optional<String> game = isMove ? event.tags().first("d") : Optional.empty();
    return new PlayerEvent(
        event,
        dialect,
        content(event),
        isMove ? BindingRule.BINDS_IF_GRANTED : BindingRule.BINDS,
        game,
        isMove ? new AnsweredState(event, game.isPresent()) : TargetState.ANY);
  }

  private static Content content(Event event) {
    if (event.json().length > MAX_BYTES) {
      return new Content.Malformed(TOO_LONG);
    }
    Optional<Request> request =
        event.kind() == Ephemeral.PLAY ? Optional.of(play(event)) : move(event.content());
    return request.<Content>map(Content.Asks::new).orElseGet(() -> new Content.Malformed(NO_MOVE));
  }

  private static Request play(Event event) {
    try {
      return new Request.Connect(TimeTag.read(event.tags()));
    } catch (MalformedTagException e) {
      return new Request.MalformedTag(e.reason());
    }
  }

  private static Optional<Request> move(String content) {
    return switch (content) {
      case "quit" -> Optional.of(new Request.Quit());
      case "resign" -> Optional.of(Request.Plain.RESIGN);
      case "draw" -> Optional.of(new Request.Draw());
      case "takeback" -> Optional.of(Request.Plain.TAKEBACK);
      default -> LongAlgebraic.parse(content).map(move -> new Request.Play(move, false));
    };
  }

  /** The state that an event of kind 20303 answers, if its e tag names one. */
  private record AnsweredState(Event event, boolean namesGame) implements TargetState {
    private Optional<String> state() {
      return event.tags().first("e");
    }

    /** A resignation does not depend on the state. */
    @Override
    public Optional<Reason> objection(OngoingGame game, Predicate<String> isCurrent) {
      boolean resigns = event.content().equals("resign") || event.content().equals("quit");
      return resigns ? Optional.empty() : state().filter(isCurrent.negate()).map(it -> STALE);
    }

    /**
     * Nobody knows the ids of a game and of its states before it begins. An event that names
     * neither must be newer than the game.
     */
    @Override
    public Optional<Reason> objectionIfUnbound(OngoingGame game, Predicate<String> isCurrent) {
      if (namesGame) {
        return Optional.empty();
      }
      Optional<String> state = state();
      if (state.isPresent()) {
        return state.filter(isCurrent.negate()).map(it -> STALE);
      }
      return event.createdAt() < game.startedAt() / 1000
          ? Optional.of(SIGNED_BEFORE)
          : Optional.empty();
    }
  }
}
