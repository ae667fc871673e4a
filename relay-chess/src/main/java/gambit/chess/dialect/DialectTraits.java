package gambit.chess.dialect;

import java.util.Set;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The traits in which a dialect differs from others. Immutable; created with {@link #named} and the
 * {@code with} methods.
 *
 * @param name in NIP-11 and in stored rows
 * @param entry the first action that an unbound connection needs, as a text for the player
 * @param gameTag the tag in which an event names its game, as a text for the player
 * @param traits the optional traits that the dialect has
 * @param tagsMayBeMissing the kinds whose absent {@code tags} are read as an empty list
 * @param frames the numbered frames that its clients understand, or null if there are none
 */
public record DialectTraits(
    String name,
    String entry,
    String gameTag,
    Set<Trait> traits,
    IntPredicate tagsMayBeMissing,
    @Nullable NumberedFrames frames) {

  /** An optional trait of a dialect. */
  public enum Trait {
    /**
     * Other protocols use the same kinds, so a malformed event is an ordinary event unless a player
     * has sent it.
     */
    SHARES_ITS_KINDS,
    /** Players follow the game's state, as spectators do, and get no other notification of it. */
    FOLLOWS_STATES,
    /** Illegal moves are counted against the player. */
    COUNTS_ILLEGAL_MOVES,
    /** A further OK notifies a player of the colour. */
    CONFIRMS_COLOURS
  }

  /**
   * The numbers of the frames that reach clients without a subscription.
   *
   * @param start of the frame with {@code gameisfound}
   * @param move of the frame with an opponent's move
   */
  public record NumberedFrames(int start, int move) {}

  public static DialectTraits named(String name, String entry, String gameTag, Trait... traits) {
    return new DialectTraits(name, entry, gameTag, Set.of(traits), kind -> false, null);
  }

  public DialectTraits withTagsMissingIn(IntPredicate kinds) {
    return new DialectTraits(name, entry, gameTag, traits, kinds, frames);
  }

  public DialectTraits withFrames(int start, int move) {
    return new DialectTraits(
        name, entry, gameTag, traits, tagsMayBeMissing, new NumberedFrames(start, move));
  }

  public boolean has(Trait trait) {
    return traits.contains(trait);
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
