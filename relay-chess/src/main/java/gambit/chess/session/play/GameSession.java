package gambit.chess.session.play;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.Playing;
import gambit.chess.rules.Side;
import gambit.chess.session.journal.GameSnapshot;
import gambit.chess.session.runtime.ColourAnswers;
import gambit.chess.session.runtime.PlayerRequest;
import gambit.core.crypto.Draft;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One running game in the relay: who plays, how it stands, and what the relay waits for. The chess
 * lane's only.
 */
public final class GameSession {
  public static final long NEVER = Long.MAX_VALUE;

  private final GameRef ref;
  private final ColourAnswers[] colourAnswers;
  private final long[] graceEnds = {NEVER, NEVER};
  private final List<Supplier<Draft>> states = new ArrayList<>(1);
  private List<PlayerRequest> late = List.of();
  private final boolean paired;
  private GameSnapshot snapshot;
  private long alarmAt = NEVER;
  private boolean judging;

  /**
   * A game that runs from now on.
   *
   * @param paired whether the lobby has brought the two together, and not an invite or a restart
   */
  public GameSession(
      GameRef ref,
      GameSnapshot snapshot,
      ColourAnswers white,
      ColourAnswers black,
      boolean paired) {
    this.ref = ref;
    this.snapshot = snapshot;
    this.paired = paired;
    this.colourAnswers = new ColourAnswers[] {white, black};
  }

  public GameRef ref() {
    return ref;
  }

  public EventId id() {
    return ref.id();
  }

  public GameSnapshot snapshot() {
    return snapshot;
  }

  public Playing game() {
    return snapshot.game();
  }

  public ColourAnswers colourAnswers(Side side) {
    return colourAnswers[side.index()];
  }

  /** Whether a player may take the search back that has led to it. */
  public boolean isPaired() {
    return paired;
  }

  public Side sideOf(PubKey player) {
    return ref.sideOf(player);
  }

  public PubKey opponentOf(PubKey player) {
    return ref.player(sideOf(player).opponent());
  }

  public List<PubKey> players() {
    return List.of(ref.white().player(), ref.black().player());
  }

  /** A step has become the game. */
  public void advance(GameSnapshot next) {
    if (next.game().plies() != game().plies()) {
      states.clear();
    }
    snapshot = next;
  }

  /** A state of the game as it stands now may be given out. */
  public void givesOut(Supplier<Draft> state) {
    states.add(state);
  }

  /** Whether a state of that id, in hex, may have been given out since the last ply. */
  public boolean isCurrent(String state) {
    return states.stream().anyMatch(it -> it.get().id().hex().equals(state));
  }

  /** A side has nobody connected; its grace ends then (epoch milliseconds). */
  public void leave(Side side, long graceEnds) {
    this.graceEnds[side.index()] = graceEnds;
  }

  /** A side is there again. */
  public void comeBack(Side side) {
    graceEnds[side.index()] = NEVER;
  }

  public boolean isGone(Side side) {
    return graceEnds[side.index()] != NEVER;
  }

  public long graceEnds(Side side) {
    return graceEnds[side.index()];
  }

  /** When the alarm for the game's deadline rings, or {@link #NEVER}. */
  public long alarmAt() {
    return alarmAt;
  }

  public void alarmAt(long time) {
    alarmAt = time;
  }

  /** Whether it is being found out if somebody's time is up. */
  public boolean isJudging() {
    return judging;
  }

  public void beginJudging() {
    judging = true;
  }

  /** Lets a request wait that has arrived when somebody's time may have been up. */
  public void awaitJudgement(PlayerRequest request) {
    if (late.isEmpty()) {
      late = new ArrayList<>(2);
    }
    late.add(request);
  }

  /** Ends the judgement; returns the requests that have waited for it. */
  public List<PlayerRequest> endJudging() {
    List<PlayerRequest> waited = late;
    late = List.of();
    judging = false;
    return waited;
  }
}
