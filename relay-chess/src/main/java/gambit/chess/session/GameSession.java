package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.Playing;
import gambit.chess.rules.Side;
import gambit.core.crypto.Draft;
import gambit.core.feature.Submission;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * One running game in the relay: who plays, how it stands, and what the relay waits for. The chess
 * lane's only.
 */
final class GameSession {
  static final long NEVER = Long.MAX_VALUE;

  private final GameRef ref;
  private final Connects[] connects;
  private final long[] graceEnds = {NEVER, NEVER};
  private final List<Supplier<Draft>> states = new ArrayList<>(1);
  private List<Submission> late = List.of();
  private final boolean paired;
  private Standing standing;
  private long alarmAt = NEVER;
  private boolean judging;

  /**
   * A game that runs from now on.
   *
   * @param paired whether the lobby has brought the two together, and not an invite or a restart
   */
  GameSession(GameRef ref, Standing standing, Connects white, Connects black, boolean paired) {
    this.ref = ref;
    this.standing = standing;
    this.paired = paired;
    this.connects = new Connects[] {white, black};
  }

  GameRef ref() {
    return ref;
  }

  EventId id() {
    return ref.id();
  }

  Standing standing() {
    return standing;
  }

  Playing game() {
    return standing.game();
  }

  Connects connects(Side side) {
    return connects[side.index()];
  }

  /** Whether a player may take the search back that has led to it. */
  boolean isPaired() {
    return paired;
  }

  Side sideOf(PubKey player) {
    return ref.sideOf(player);
  }

  PubKey opponentOf(PubKey player) {
    return ref.player(sideOf(player).opponent());
  }

  List<PubKey> players() {
    return List.of(ref.white().player(), ref.black().player());
  }

  /** A step has become the game. */
  void advance(Standing next) {
    if (next.game().plies() != game().plies()) {
      states.clear();
    }
    standing = next;
  }

  /** A state of the game as it stands now may be given out. */
  void givesOut(Supplier<Draft> state) {
    states.add(state);
  }

  /** Whether a state of that id, in hex, may have been given out since the last ply. */
  boolean isCurrent(String state) {
    return states.stream().anyMatch(it -> it.get().id().hex().equals(state));
  }

  /** A side has nobody connected; its grace ends then (epoch milliseconds). */
  void leave(Side side, long graceEnds) {
    this.graceEnds[side.index()] = graceEnds;
  }

  /** A side is there again. */
  void comeBack(Side side) {
    graceEnds[side.index()] = NEVER;
  }

  boolean isGone(Side side) {
    return graceEnds[side.index()] != NEVER;
  }

  long graceEnds(Side side) {
    return graceEnds[side.index()];
  }

  /** When the alarm for the game's deadline rings, or {@link #NEVER}. */
  long alarmAt() {
    return alarmAt;
  }

  void alarmAt(long time) {
    alarmAt = time;
  }

  /** Whether it is being found out if somebody's time is up. */
  boolean isJudging() {
    return judging;
  }

  void beginJudging() {
    judging = true;
  }

  /** Lets an event wait that has arrived when somebody's time may have been up. */
  void awaitJudgement(Submission submission) {
    if (late.isEmpty()) {
      late = new ArrayList<>(2);
    }
    late.add(submission);
  }

  /** It is found out; what has waited for it is given back. */
  List<Submission> endJudging() {
    List<Submission> waited = late;
    late = List.of();
    judging = false;
    return waited;
  }
}
