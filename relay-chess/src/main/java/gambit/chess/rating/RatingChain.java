package gambit.chess.rating;

import gambit.chess.game.Result;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The chain of a relay's rated records up to one of them. Immutable; its array must not be
 * modified.
 *
 * @param ratings the hash of all ratings after it: of the hash before and the ratings that it
 *     changes, as text
 * @param time the chain time, in seconds of Unix time: the latest {@code created_at} so far
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record RatingChain(long length, EventId last, byte[] ratings, long time) {
  /** The id before the first record. */
  public static final EventId NOTHING = new EventId(new byte[32]);

  public static final RatingChain START = new RatingChain(0, NOTHING, new byte[32], 0);

  /** The most rated games of the same two keys on one day (UTC) of chain time. */
  public static final int MAX_GAMES_OF_A_PAIR = 10;

  private static final long SECONDS_OF_A_DAY = 86_400;

  public record Pair(Rating white, Rating black) {}

  /** A game's place in the chain, before its record is signed, and what it changes. */
  public record Link(
      long seq,
      EventId prev,
      Category category,
      Pair before,
      Pair after,
      byte[] ratings,
      long time) {

    public List<List<String>> tags() {
      return List.of(
          List.of("rated", category.word()),
          List.of("seq", "" + seq),
          List.of("prev", prev.hex()),
          RatedRecord.Change.of(before.white(), after.white()).tag("white"),
          RatedRecord.Change.of(before.black(), after.black()).tag("black"),
          List.of("t", category.topic()));
    }

    public boolean isStatedBy(RatedRecord record) {
      return record.seq() == seq
          && record.prev().equals(prev)
          && record.whites().equals(RatedRecord.Change.of(before.white(), after.white()))
          && record.blacks().equals(RatedRecord.Change.of(before.black(), after.black()));
    }

    public RatingChain with(EventId record) {
      return new RatingChain(seq, record, ratings, time);
    }
  }

  /** The chain time of a record that follows. */
  public long timeOf(long createdAt) {
    return Math.max(time, createdAt);
  }

  /** The day (UTC) of a record that follows, counted from 1970. */
  public long dayOf(long createdAt) {
    return timeOf(createdAt) / SECONDS_OF_A_DAY;
  }

  /** Adds a game to the chain, whose players have these ratings before it. */
  public Link next(
      Category category, PubKey white, PubKey black, Pair before, Result result, long createdAt) {
    long at = timeOf(createdAt);
    int points = result == Result.WHITE_WINS ? 2 : result == Result.DRAW ? 1 : 0;
    Pair after =
        new Pair(
            Glicko2.after(before.white(), before.black(), points, at),
            Glicko2.after(before.black(), before.white(), 2 - points, at));
    String text =
        category.word() + "|" + text(white, after.white()) + "|" + text(black, after.black());
    return new Link(length + 1, last, category, before, after, hash(text), at);
  }

  private static String text(PubKey player, Rating rating) {
    return String.join(
        "|", player.hex(), "" + rating.rating(), "" + rating.deviation(), "" + rating.volatility());
  }

  private byte[] hash(String text) {
    byte[] added = text.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(ratings, ratings.length + added.length);
    System.arraycopy(added, 0, all, ratings.length, added.length);
    return Sha256.digest().digest(all);
  }
}
