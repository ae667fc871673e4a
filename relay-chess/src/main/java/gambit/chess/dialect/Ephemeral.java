package gambit.chess.dialect;

import gambit.chess.dialect.PlayerEvent.BindingRule;
import gambit.chess.dialect.PlayerEvent.TargetState;
import gambit.chess.dialect.Request.MalformedTagException;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.LongAlgebraic;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dialect of the ephemeral chess server, kinds 20300–20304. Its players receive the state of
 * their game as kind 20302, as spectators do; other notifications are for one player alone.
 */
public final class Ephemeral implements Dialect {
  public static final int PLAY = 20300;
  public static final int ANSWER = 20301;
  public static final int STATE = RefereeEvents.STATE_KIND;
  public static final int MOVE = 20303;
  public static final int ERROR = 20304;

  /** The maximum size of a chess event, which a relay-signed event may contain as proof. */
  private static final int MAX_BYTES = 8_192;

  private static final Reason TOO_LONG =
      Reason.invalid("a chess event has at most " + MAX_BYTES + " bytes");
  private static final Reason NO_MOVE =
      Reason.invalid("not a move like e2e4 or e7e8q, and not one of quit, resign, draw, takeback");
  private static final Reason STALE = Reason.invalid("stale: this is no state of the current ply");
  private static final Reason SIGNED_BEFORE =
      Reason.invalid("signed before the game began: name the game in a d tag");

  private final RefereeEvents relay;
  private final String relayKey;

  public Ephemeral(RefereeEvents relay) {
    this.relay = relay;
    this.relayKey = relay.pubkey().hex();
  }

  @Override
  public String name() {
    return "ephemeral";
  }

  @Override
  public String entry() {
    return "send a 20300 first";
  }

  @Override
  public String gameTag() {
    return "a d tag";
  }

  @Override
  public boolean has(Trait trait) {
    return trait == Trait.FOLLOWS_STATES;
  }

  // ---- players' events

  /** Whether an event names the relay's key, since other chess servers may use this relay. */
  @Override
  public boolean isCandidate(Event event) {
    return (event.kind() == PLAY || event.kind() == MOVE)
        && event.tags().values("p").anyMatch(relayKey::equals);
  }

  @Override
  public PlayerEvent read(Event event) {
    boolean isMove = event.kind() == MOVE;
    Optional<String> game = isMove ? event.tags().first("d") : Optional.empty();
    return new PlayerEvent(
        event,
        this,
        request(event),
        isMove ? BindingRule.BINDS_IF_GRANTED : BindingRule.BINDS,
        game,
        isMove ? new AnsweredState(event, game.isPresent()) : TargetState.ANY);
  }

  private static Request request(Event event) {
    if (event.json().length > MAX_BYTES) {
      return new Request.Malformed(TOO_LONG);
    }
    return event.kind() == PLAY
        ? play(event)
        : move(event.content()).orElseGet(() -> new Request.Malformed(NO_MOVE));
  }

  private static Request play(Event event) {
    try {
      return Request.Connect.of(event.tags());
    } catch (MalformedTagException e) {
      return new Request.MalformedTag(e.reason());
    }
  }

  private static Optional<Request> move(String content) {
    return switch (content) {
      case "quit" -> Optional.of(new Request.Quit());
      case "resign" -> Optional.of(new Request.Plain(Command.Type.RESIGN));
      case "draw" -> Optional.of(new Request.Draw());
      case "takeback" -> Optional.of(new Request.Plain(Command.Type.TAKEBACK));
      default -> LongAlgebraic.parse(content).map(move -> new Request.Play(move, false));
    };
  }

  /** The state that an event of kind 20303 answers, if its e tag names one. */
  private record AnsweredState(Event event, boolean namesGame) implements TargetState {
    private Optional<String> state() {
      return event.tags().first("e");
    }

    @Override
    public boolean isNamed(Predicate<String> isCurrent) {
      return state().filter(isCurrent).isPresent();
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

  // ---- answers and notifications

  @Override
  public Reply granted(Event event, List<GameEvent> happened) {
    return Reply.accepted("", List.of());
  }

  @Override
  public Reply refused(Event event, Reason reason, @Nullable GameRef game, long now) {
    if (event.kind() == PLAY) {
      return Reply.accepted("", notStarted(event.pubkey(), reason, now));
    }
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("e", event.id().hex()));
    if (game != null) {
      tags.add(List.of("d", game.id().hex()));
    }
    tags.add(List.of("p", event.pubkey().hex()));
    if (game != null) {
      tags.add(List.of("p", game.player(game.sideOf(event.pubkey()).opponent()).hex()));
    }
    Event error = relay.sign(ERROR, tags, reason.text(), now);
    return Reply.accepted("", List.of(new Notification(error, null)));
  }

  @Override
  public Optional<Event> published(
      GameRef game, Event event, OngoingGame before, List<GameEvent> happened, long now) {
    return happened.get(0) instanceof GameEvent.Moved moved
        ? Optional.of(relay.move(game, before.plies() + 1, moved.move(), event, now))
        : Optional.empty();
  }

  @Override
  public List<String> evidence(Event event) {
    return RefereeEvents.proof(event);
  }

  @Override
  public Reply searching(Event event, boolean already, long now) {
    return Reply.accepted("", searchResumed(event.pubkey(), now));
  }

  @Override
  public List<Notification> searchResumed(PubKey player, long now) {
    return answer(player, "queued", List.of(), now);
  }

  @Override
  public List<Notification> notStarted(PubKey player, Reason reason, long now) {
    return answer(player, "error:" + reason.text(), List.of(), now);
  }

  @Override
  public List<Notification> started(GameRef game, Side side, long now) {
    String id = game.id().hex();
    List<List<String>> tags =
        List.of(List.of("d", id), List.of("color", RefereeEvents.colour(side)));
    return answer(game.player(side), "started:" + id, tags, now);
  }

  @Override
  public Notification shown(GameRef game, OngoingGame playing, Side side, long now) {
    return new Notification(relay.state(game, playing, null, List.of()).signed(), null);
  }

  /** The last state of the game, which contains the result. */
  @Override
  public Notification ended(GameRef game, FinishedGame over, Side side) {
    return new Notification(relay.state(game, over, null, List.of()).signed(), null);
  }

  private List<Notification> answer(
      PubKey player, String content, List<List<String>> more, long now) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("p", player.hex()));
    tags.addAll(more);
    return List.of(new Notification(relay.sign(ANSWER, tags, content, now), null));
  }
}
