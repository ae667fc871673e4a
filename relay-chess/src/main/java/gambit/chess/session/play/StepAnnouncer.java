package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notification;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.rating.Ratings;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.crypto.LazilySignedEvent;
import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Announces the steps of games to players and spectators. Owned by the chess lane. */
final class StepAnnouncer {
  private final SessionContext context;
  private final MissedEndings endings;
  private final Ratings ratings;

  StepAnnouncer(SessionContext context, MissedEndings endings, Ratings ratings) {
    this.context = context;
    this.ratings = ratings;
    this.endings = endings;
  }

  /** Announces a step; returns the new state event of the game, if spectators see a change. */
  Optional<Supplier<LazilySignedEvent>> announce(
      Announcements announcements,
      GameSession game,
      Step step,
      GameSnapshot next,
      GameSteps.Cause cause) {
    GameRef ref = game.ref();
    GameEvent first = step.events().get(0);
    cause.published().ifPresent(event -> publish(announcements, ref, event, first));
    if (first instanceof GameEvent.Moved moved && cause.request().isPresent()) {
      Instant arrivedAt = cause.request().get().submission().arrivedAt();
      announcements.whenSent(
          ref.player(moved.by().opponent()), () -> context.metrics().moveDelivered(arrivedAt));
    }
    boolean isPublished = cause.published().isPresent();
    for (GameEvent event : step.events()) {
      notifyPlayers(announcements, ref, next.game(), event, isPublished);
    }
    Position before = first instanceof GameEvent.Moved ? game.game().position() : null;
    if (step.next() instanceof FinishedGame over) {
      announcements.publishState(
          ref, new StateEvent(() -> context.relay().state(ref, over, before, List.of())), true);
      announceEnd(announcements, ref, over);
      if (over.result() != Result.NONE) {
        List<List<String>> evidence = evidence(over, game.snapshot(), cause);
        RefereeEvents.Draft record =
            context.relay().record(ref, over, next.plies().toHex(), evidence);
        RatedStart rated = ref.rated();
        if (rated == null) {
          announcements.publish(record.sign(List.of()));
        } else {
          ratings.end(announcements, ref, rated, over, record);
        }
      }
      return Optional.empty();
    }
    if (first instanceof GameEvent.IllegalMove) {
      return Optional.empty();
    }
    Supplier<LazilySignedEvent> state = state(ref, next.game(), before);
    announcements.publishState(ref, state, false);
    return Optional.of(state);
  }

  /**
   * The state event of a game, which is built and signed only if somebody follows the game.
   *
   * @param before the position before the last move; null if it is not known
   */
  Supplier<LazilySignedEvent> state(GameRef ref, OngoingGame playing, @Nullable Position before) {
    return new StateEvent(() -> context.relay().state(ref, playing, before, List.of()));
  }

  private static void publish(
      Announcements announcements, GameRef ref, Event event, GameEvent happened) {
    if (happened instanceof GameEvent.Moved moved) {
      Side opponent = moved.by().opponent();
      announcements.publishMove(event, ref.player(opponent), ref.dialect(opponent));
    } else {
      announcements.publish(event);
    }
  }

  /** Notifies single players of an event of a game; {@code next} is the game after the step. */
  private void notifyPlayers(
      Announcements announcements,
      GameRef ref,
      OngoingGame next,
      GameEvent event,
      boolean isPublished) {
    if (event instanceof GameEvent.Proposed proposed) {
      Side asked = proposed.by().opponent();
      announcements.notifyPlayer(
          ref.player(asked),
          ref.dialect(asked).proposed(ref, proposed.type(), isPublished, context.now()));
    } else if (event instanceof GameEvent.TakenBack) {
      for (Side side : Side.values()) {
        Dialect writer = ref.dialect(side);
        if (!writer.has(Trait.FOLLOWS_STATES)) {
          announcements.notifyPlayer(
              ref.player(side), List.of(writer.shown(ref, next, side, context.now())));
        }
      }
    }
  }

  /**
   * Notifies both players of the end. Each ending is kept until a connection of the player is known
   * to have got it: the player may be away, or the relay may be killed before it is sent.
   */
  private void announceEnd(Announcements announcements, GameRef ref, FinishedGame over) {
    Side first = over.result() == Result.BLACK_WINS ? Side.BLACK : Side.WHITE;
    MissedEnding ending = ending(ref, over, first);
    MissedEnding other = ending(ref, over, first.opponent());
    Set<ClientConnection> connections = context.bindings().of(ending.player());
    Set<ClientConnection> others = new LinkedHashSet<>(context.bindings().of(other.player()));
    boolean isShared =
        other.notice().event().id().equals(ending.notice().event().id())
            && others.removeAll(connections); // one connection for both players
    boolean isForBoth = isShared && others.isEmpty();
    announcements.notifyPlayer(
        ending.player(),
        connections,
        ending.notice(),
        isSent -> {
          endings.endingSent(ending, isSent);
          if (isForBoth) {
            endings.endingSent(other, isSent);
          }
        });
    if (!isForBoth) {
      announcements.notifyPlayer(
          other.player(), others, other.notice(), isSent -> endings.endingSent(other, isSent));
    }
    announcements.addMissedEnding(ending);
    announcements.addMissedEnding(other);
  }

  private MissedEnding ending(GameRef ref, FinishedGame over, Side side) {
    Notification notice = ref.dialect(side).ended(ref, over, side);
    long until = context.now() + MissedEndings.keptFor(ref).toMillis();
    return new MissedEnding(ref.player(side), ref.id(), notice, until);
  }

  /** The proof that players have ended the game by agreement, resignation or claim. */
  private static List<List<String>> evidence(
      FinishedGame over, GameSnapshot before, GameSteps.Cause cause) {
    List<List<String>> evidence = new ArrayList<>();
    Termination termination = over.termination();
    if (termination == Termination.AGREEMENT && before.proposal() != null) {
      evidence.add(before.proposal());
    }
    if (termination == Termination.AGREEMENT
        || termination == Termination.RESIGNATION
        || termination == Termination.THREEFOLD
        || termination == Termination.FIFTYMOVES) {
      cause.evidence().ifPresent(evidence::add);
    }
    return evidence;
  }

  /** The event with a state of a game, built once, when it is first needed. Any thread. */
  private static final class StateEvent implements Supplier<LazilySignedEvent> {
    private final Supplier<LazilySignedEvent> builder;
    private @Nullable LazilySignedEvent built;

    private StateEvent(Supplier<LazilySignedEvent> builder) {
      this.builder = builder;
    }

    @Override
    public synchronized LazilySignedEvent get() {
      LazilySignedEvent event = built;
      if (event == null) {
        event = builder.get();
        built = event;
      }
      return event;
    }
  }
}
