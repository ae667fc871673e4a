package gambit.chess.session.play;

import gambit.chess.dialect.DialectTraits.Trait;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Notice;
import gambit.chess.game.GameEvent;
import gambit.chess.game.GameEventVisitor;
import gambit.chess.game.Over;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.Step;
import gambit.chess.game.Termination;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MissedEnding;
import gambit.chess.session.runtime.Announcements;
import gambit.chess.session.runtime.SessionContext;
import gambit.core.crypto.Draft;
import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Announces the steps of games to their players and to everybody. The chess lane's only. */
final class StepAnnouncer {
  private final SessionContext context;

  StepAnnouncer(SessionContext context) {
    this.context = context;
  }

  /** Announces a step; returns the state of the game that it leads to, if that is a new one. */
  Optional<Supplier<Draft>> announce(
      Announcements told, GameSession game, Step step, GameSnapshot next, StepCause cause) {
    GameRef ref = game.ref();
    GameEvent first = step.events().get(0);
    cause.published().ifPresent(event -> publish(told, game, event, first));
    boolean isPublished = cause.published().isPresent();
    Notifications notifications = new Notifications(told, ref, next.game(), isPublished);
    step.events().forEach(event -> event.accept(notifications));
    if (step.next() instanceof Over over) {
      told.state(ref, CachedDraft.of(() -> context.relay().state(ref, over)), true);
      announceEnd(told, ref, over, cause);
      if (over.result() != Result.NONE) {
        List<List<String>> evidence = evidence(over, game.snapshot(), cause);
        told.publish(context.relay().record(ref, over, next.plies().toHex(), evidence));
      }
      return Optional.empty();
    }
    if (first instanceof GameEvent.IllegalMove) {
      return Optional.empty();
    }
    Supplier<Draft> state = state(ref, next.game());
    told.state(ref, state, false);
    return Optional.of(state);
  }

  /** The state of a game, which is made and signed only if somebody follows it. */
  Supplier<Draft> state(GameRef ref, Playing playing) {
    return CachedDraft.of(() -> context.relay().state(ref, playing));
  }

  private static void publish(
      Announcements told, GameSession game, Event event, GameEvent happened) {
    GameRef ref = game.ref();
    if (happened instanceof GameEvent.Moved moved) {
      Side opponent = moved.by().opponent();
      told.moved(event, ref.player(opponent), ref.dialect(opponent));
    } else {
      told.publish(event);
    }
  }

  /** The notifications of one player that follow from an event of a game. */
  private final class Notifications implements GameEventVisitor<Announcements> {
    private final Announcements told;
    private final GameRef ref;
    private final Playing next;
    private final boolean isPublished;

    private Notifications(Announcements told, GameRef ref, Playing next, boolean isPublished) {
      this.told = told;
      this.ref = ref;
      this.next = next;
      this.isPublished = isPublished;
    }

    @Override
    public Announcements drawOffered(GameEvent.DrawOffered event) {
      return propose(event.by().opponent(), Proposal.Kind.DRAW);
    }

    @Override
    public Announcements takebackAsked(GameEvent.TakebackAsked event) {
      return propose(event.by().opponent(), Proposal.Kind.TAKEBACK);
    }

    private Announcements propose(Side asked, Proposal.Kind kind) {
      told.tell(
          ref.player(asked),
          ref.dialect(asked).writer().proposed(ref, kind, isPublished, context.now()));
      return told;
    }

    @Override
    public Announcements takenBack(GameEvent.TakenBack event) {
      for (Side side : Side.values()) {
        if (!ref.dialect(side).traits().has(Trait.FOLLOWS_STATES)) {
          Notice shown = ref.dialect(side).writer().shown(ref, next, side, context.now());
          told.tell(ref.player(side), List.of(shown));
        }
      }
      return told;
    }

    @Override
    public Announcements moved(GameEvent.Moved event) {
      return told;
    }

    @Override
    public Announcements illegalMove(GameEvent.IllegalMove event) {
      return told;
    }

    @Override
    public Announcements drawDeclined(GameEvent.DrawDeclined event) {
      return told;
    }

    @Override
    public Announcements takebackDeclined(GameEvent.TakebackDeclined event) {
      return told;
    }

    @Override
    public Announcements ended(GameEvent.Ended event) {
      return told;
    }
  }

  /** Notifies both players of the end, but no connection that knows it by its answer. */
  private void announceEnd(Announcements told, GameRef ref, Over over, StepCause cause) {
    Side first = over.result() == Result.BLACK_WINS ? Side.BLACK : Side.WHITE;
    Set<ClientConnection> informed = new LinkedHashSet<>();
    List<Notice> notices = ref.dialect(first).writer().ended(ref, over, first);
    told.tell(ref.player(first), notices);
    Side second = first.opponent();
    List<Notice> others = ref.dialect(second).writer().ended(ref, over, second);
    if (ids(others).equals(ids(notices))) {
      informed.addAll(context.bindings().of(ref.player(first))); // one connection for both players
    }
    if (over.termination() == Termination.RESIGNATION) {
      cause.connection().ifPresent(informed::add);
    }
    told.tell(ref.player(second), others, informed);
    for (Side side : Side.values()) {
      if (!context.bindings().isPresent(ref.player(side))) {
        Notice notice = ref.dialect(side).writer().missedEnd(ref, over, side);
        long until = context.now() + WaitingEndings.KEPT.toMillis();
        told.leave(new MissedEnding(ref.player(side), ref.id(), notice, until));
      }
    }
  }

  private static List<EventId> ids(List<Notice> notices) {
    return notices.stream().map(notice -> notice.event().id()).toList();
  }

  /** What proves that the players ended it themselves. */
  private static List<List<String>> evidence(Over over, GameSnapshot before, StepCause cause) {
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
}
