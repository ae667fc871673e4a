package gambit.app.command.ratings;

import gambit.chess.rating.RatedRecord;
import java.util.Comparator;

/**
 * A fact of a chain of rated records that is not as the others require.
 *
 * @param seq the place of the record to which it belongs; 0 if it has none
 * @param sentence without its end
 */
record Difference(long seq, String sentence) {
  static final Comparator<Difference> ORDER = Comparator.comparingLong(Difference::seq);

  static Difference in(RatedRecord record, String sentence) {
    return new Difference(
        record.seq(), "Record " + record.seq() + ", " + record.id() + ": " + sentence);
  }

  static Difference in(RatedRecord record, String what, Object expected, Object found) {
    return in(record, what + ": expected " + expected + ", found " + found);
  }
}
