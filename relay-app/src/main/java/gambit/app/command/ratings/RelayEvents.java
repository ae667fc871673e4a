package gambit.app.command.ratings;

import gambit.chess.rating.RatedRecord;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The events of one relay about its rated games, in any order. What each states by itself is
 * checked before. One thread.
 */
final class RelayEvents {
  /**
   * A signed head of the chain.
   *
   * @param createdAt in seconds of Unix time
   * @param ratings the hash of all ratings, in hex
   */
  record Head(EventId id, long createdAt, long seq, EventId record, String ratings) {}

  /**
   * A fact of a chain of rated records that is not as the others require.
   *
   * @param seq the place of the record to which it belongs; 0 if it has none
   * @param sentence without its end
   */
  record Difference(long seq, String sentence) {
    static Difference in(RatedRecord record, String sentence) {
      return new Difference(
          record.seq(), "Record " + record.seq() + ", " + record.id() + ": " + sentence);
    }

    static Difference in(RatedRecord record, String what, Object expected, Object found) {
      return in(record, what + ": expected " + expected + ", found " + found);
    }
  }

  final RecordTable records;
  final TreeMap<Long, List<Head>> heads = new TreeMap<>();
  final LotCheck lots = new LotCheck();

  /** The first eight bytes of the ids of games in which a move was taken back. */
  final Set<Long> takebacks = new HashSet<>();

  /** The first difference in an event by itself. */
  Optional<Difference> first = Optional.empty();

  RelayEvents(PubKey referee) {
    records = new RecordTable(referee);
  }

  void add(Head head) {
    List<Head> same = heads.computeIfAbsent(head.seq(), seq -> new ArrayList<>(1));
    if (!same.contains(head)) {
      same.add(head);
    }
  }

  void add(Difference difference) {
    if (first.isEmpty() || difference.seq() < first.get().seq()) {
      first = Optional.of(difference);
    }
  }
}
