package gambit.chess.dialect;

import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Where a dialect differs from others. Immutable; made with {@link #named} and the {@code with}
 * methods.
 *
 * @param name in NIP-11 and in stored rows
 * @param entry what a player must do first over a connection, as a sentence for the player
 * @param tagsMayBeMissing the kinds whose absent {@code tags} are read as an empty list
 * @param sharesItsKinds whether other protocols use the same kinds, so that an event that asks for
 *     nothing is an ordinary event unless a player sent it
 * @param followsStates whether its players follow the game's state, as spectators do, and need no
 *     other notification of a position
 * @param countsIllegalMoves whether illegal moves are counted against the player
 * @param confirmsColours whether a further OK notifies a player of the colour
 * @param frames the numbered frames that its clients understand, or null if there are none
 */
public record DialectTraits(
    String name,
    String entry,
    IntPredicate tagsMayBeMissing,
    boolean sharesItsKinds,
    boolean followsStates,
    boolean countsIllegalMoves,
    boolean confirmsColours,
    @Nullable NumberedFrames frames) {

  /**
   * The numbers of the frames that reach clients without a subscription.
   *
   * @param start of the frame with {@code gameisfound}
   * @param move of the frame with an opponent's move
   */
  public record NumberedFrames(int start, int move) {}

  /** The traits of a dialect that has none of the optional ones. */
  public static DialectTraits named(String name, String entry) {
    return new DialectTraits(name, entry, kind -> false, false, false, false, false, null);
  }

  /** With kinds that other protocols use, too, and whose tags may be missing. */
  public DialectTraits withSharedKinds(IntPredicate kinds) {
    return new DialectTraits(
        name, entry, kinds, true, followsStates, countsIllegalMoves, confirmsColours, frames);
  }

  /** With players who follow the game's state. */
  public DialectTraits withStates() {
    return new DialectTraits(
        name,
        entry,
        tagsMayBeMissing,
        sharesItsKinds,
        true,
        countsIllegalMoves,
        confirmsColours,
        frames);
  }

  /** With illegal moves that are counted. */
  public DialectTraits withIllegalMoveCount() {
    return new DialectTraits(
        name,
        entry,
        tagsMayBeMissing,
        sharesItsKinds,
        followsStates,
        true,
        confirmsColours,
        frames);
  }

  /** With an OK that confirms the colour. */
  public DialectTraits withConfirmedColours() {
    return new DialectTraits(
        name,
        entry,
        tagsMayBeMissing,
        sharesItsKinds,
        followsStates,
        countsIllegalMoves,
        true,
        frames);
  }

  /** With numbered frames. */
  public DialectTraits withFrames(int start, int move) {
    return new DialectTraits(
        name,
        entry,
        tagsMayBeMissing,
        sharesItsKinds,
        followsStates,
        countsIllegalMoves,
        confirmsColours,
        new NumberedFrames(start, move));
  }

  /** Whether clients understand numbered frames. */
  public boolean hasNumberedFrames() {
    return frames != null;
  }

  /** The number of the frame with {@code gameisfound}, or null. */
  public @Nullable Integer numberOfStart() {
    return frames == null ? null : frames.start();
  }

  /** The number of the frame with an opponent's move, or null. */
  public @Nullable Integer numberOfMove() {
    return frames == null ? null : frames.move();
  }
}
