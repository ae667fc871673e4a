package gambit.chess.dialect;

import gambit.chess.game.GameEvent;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
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
 * The ephemeral chess server, kinds 20300–20304. Its players learn how their game stands from its
 * state, kind 20302, which spectators get as well; what is told here is what is for them alone.
 */
public final class Ephemeral implements Dialect {
  public static final int PLAY = 20300;
  public static final int ANSWER = 20301;
  public static final int STATE = 20302;
  public static final int MOVE = 20303;
  public static final int ERROR = 20304;

  /** Most bytes of a chess event, as it may be kept in another as proof. */
  private static final int LONGEST = 8_192;

  private static final Reason STALE = Reason.invalid("stale: this is no state of the current ply");
  private static final Reason SIGNED_BEFORE =
      Reason.invalid("signed before the game began: name the game in a d tag");

  private final RelayEvents relay;

  public Ephemeral(RelayEvents relay) {
    this.relay = relay;
  }

  @Override
  public String name() {
    return "ephemeral";
  }

  /** Only what names the relay's key: other chess servers may use this relay. */
  @Override
  public boolean mayBe(Event event) {
    String self = relay.pubkey().hex();
    return (event.kind() == PLAY || event.kind() == MOVE)
        && event.tags().named("p").anyMatch(tag -> tag.size() > 1 && tag.get(1).equals(self));
  }

  @Override
  public Optional<Request> read(Event event) {
    if (event.json().length > LONGEST) {
      return Optional.empty();
    }
    if (event.kind() == PLAY) {
      return Optional.of(new Request.Connect());
    }
    String content = event.content();
    return switch (content) {
      case "quit" -> Optional.of(new Request.Quit());
      case "resign" -> Optional.of(new Request.Resign());
      case "draw" -> Optional.of(new Request.Draw());
      case "takeback" -> Optional.of(new Request.Takeback());
      default -> LongAlgebraic.parse(content).map(move -> new Request.Play(move, false));
    };
  }

  @Override
  public Reason malformed(Event event) {
    return Reason.invalid(
        event.json().length > LONGEST
            ? "a chess event has at most " + LONGEST + " bytes"
            : "not a move like e2e4 or e7e8q, and not one of quit, resign, draw, takeback");
  }

  /** All of its events name the relay: none is an ordinary event that looks like one. */
  @Override
  public Optional<Reason> nearMiss(Event event) {
    return Optional.empty();
  }

  @Override
  public boolean sharesItsKinds() {
    return false;
  }

  @Override
  public boolean opens(Event event) {
    return event.kind() == PLAY;
  }

  @Override
  public boolean comesBack(Event event) {
    return event.kind() == MOVE;
  }

  /**
   * Nobody knows the ids of a game and of its states before it begins; without any, the event has
   * to be younger than the game.
   */
  @Override
  public Optional<Reason> doubtful(Event event, Playing game, Predicate<String> isCurrent) {
    if (gameOf(event).isPresent()) {
      return Optional.empty();
    }
    Optional<String> state = event.tags().first("e");
    if (state.isPresent()) {
      return state.filter(isCurrent.negate()).map(it -> STALE);
    }
    return event.createdAt() < game.startedAt() / 1000
        ? Optional.of(SIGNED_BEFORE)
        : Optional.empty();
  }

  @Override
  public Optional<String> gameOf(Event event) {
    return event.kind() == MOVE ? event.tags().first("d") : Optional.empty();
  }

  /** Resigning means the same in every state. */
  @Override
  public Optional<Reason> stale(Event event, Playing game, Predicate<String> isCurrent) {
    boolean resigns = event.content().equals("resign") || event.content().equals("quit");
    Optional<String> state =
        event.kind() == MOVE && !resigns ? event.tags().first("e") : Optional.empty();
    return state.filter(isCurrent.negate()).map(it -> STALE);
  }

  @Override
  public boolean followsStates() {
    return true;
  }

  @Override
  public boolean countsIllegalMoves() {
    return false;
  }

  @Override
  public Reply granted(Event event, List<GameEvent> happened) {
    return Reply.accepted("", List.of());
  }

  @Override
  public Reply refused(Event event, Reason reason, @Nullable GameRef game, long now) {
    String author = event.pubkey().hex();
    if (event.kind() == PLAY) {
      return Reply.accepted(
          "", List.of(answer(event.pubkey(), "error:" + reason.text(), List.of(), now)));
    }
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("e", event.id().hex()));
    if (game != null) {
      tags.add(List.of("d", game.id().hex()));
    }
    tags.add(List.of("p", author));
    if (game != null) {
      tags.add(List.of("p", game.player(game.sideOf(event.pubkey()).opponent()).hex()));
    }
    Event error = relay.ephemeral(ERROR, tags, reason.text(), now);
    return Reply.accepted("", List.of(new Notice(error, null)));
  }

  @Override
  public Optional<Event> published(
      GameRef game, Event event, Playing before, List<GameEvent> happened, long now) {
    return happened.get(0) instanceof GameEvent.Moved moved
        ? Optional.of(relay.move(game, before.plies() + 1, moved.move(), event, now))
        : Optional.empty();
  }

  @Override
  public List<String> evidence(Event event) {
    return RelayEvents.proof(event);
  }

  @Override
  public Reply searching(Event event, boolean already, long now) {
    return Reply.accepted("", List.of(answer(event.pubkey(), "queued", List.of(), now)));
  }

  @Override
  public List<Notice> searchesAgain(PubKey player, long now) {
    return List.of(answer(player, "queued", List.of(), now));
  }

  @Override
  public List<Notice> notStarted(PubKey player, Reason reason, long now) {
    return List.of(answer(player, "error:" + reason.text(), List.of(), now));
  }

  @Override
  public boolean confirmsColours() {
    return false;
  }

  @Override
  public @Nullable Integer numberOfStart() {
    return null;
  }

  @Override
  public @Nullable Integer numberOfMove() {
    return null;
  }

  @Override
  public List<Notice> started(GameRef game, Side side, long now) {
    String id = game.id().hex();
    List<List<String>> tags = List.of(List.of("d", id), List.of("color", Nip100.colour(side)));
    return List.of(answer(game.player(side), "started:" + id, tags, now));
  }

  @Override
  public List<Notice> shown(GameRef game, Playing playing, Side side, long now) {
    return List.of(new Notice(relay.state(game, playing).signed(), null));
  }

  @Override
  public List<Notice> proposed(GameRef game, Proposal.Kind kind, boolean published, long now) {
    return List.of();
  }

  @Override
  public List<Notice> ended(GameRef game, Over over, Side side) {
    return List.of();
  }

  /** The last state of the game, which is the one with the result. */
  @Override
  public Notice missedEnd(GameRef game, Over over, Side side) {
    return new Notice(relay.state(game, over).signed(), null);
  }

  private Notice answer(PubKey player, String content, List<List<String>> more, long now) {
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("p", player.hex()));
    tags.addAll(more);
    return new Notice(relay.ephemeral(ANSWER, tags, content, now), null);
  }
}
