package gambit.chess.session.play;

import gambit.chess.game.FinishedGame;
import gambit.chess.game.GameEvent;
import gambit.chess.game.GameEventVisitor;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Step;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.journal.MoveEventIds;

/** Computes the snapshot of a game after an event. Pure. */
record NextSnapshot(GameSnapshot before, StepCause cause)
    implements GameEventVisitor<GameSnapshot> {

  /** The snapshot after all events of a step. */
  static GameSnapshot of(GameSnapshot before, Step step, StepCause cause) {
    OngoingGame game =
        step.next() instanceof FinishedGame over ? over.last() : (OngoingGame) step.next();
    GameSnapshot snapshot =
        new GameSnapshot(game, before.plies(), game.proposal() == null ? null : before.proposal());
    for (GameEvent event : step.events()) {
      snapshot = event.accept(new NextSnapshot(snapshot, cause));
    }
    return snapshot;
  }

  @Override
  public GameSnapshot moved(GameEvent.Moved event) {
    return cause.published().map(it -> withPlies(before.plies().append(it.id()))).orElse(before);
  }

  @Override
  public GameSnapshot takenBack(GameEvent.TakenBack event) {
    return withPlies(before.plies().first(before.plies().size() - event.plies()));
  }

  private GameSnapshot withPlies(MoveEventIds plies) {
    return new GameSnapshot(before.game(), plies, before.proposal());
  }

  @Override
  public GameSnapshot drawOffered(GameEvent.DrawOffered event) {
    return withEvidence();
  }

  @Override
  public GameSnapshot takebackAsked(GameEvent.TakebackAsked event) {
    return withEvidence();
  }

  private GameSnapshot withEvidence() {
    return cause
        .evidence()
        .map(it -> new GameSnapshot(before.game(), before.plies(), it))
        .orElse(before);
  }

  @Override
  public GameSnapshot illegalMove(GameEvent.IllegalMove event) {
    return before;
  }

  @Override
  public GameSnapshot drawDeclined(GameEvent.DrawDeclined event) {
    return before;
  }

  @Override
  public GameSnapshot takebackDeclined(GameEvent.TakebackDeclined event) {
    return before;
  }

  @Override
  public GameSnapshot ended(GameEvent.Ended event) {
    return before;
  }
}
