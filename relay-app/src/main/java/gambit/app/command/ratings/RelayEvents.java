package gambit.app.command.ratings;

import gambit.chess.rating.RatedRecord;
import gambit.core.model.Event;
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
 * checked before. Guarded by itself while events are added.
 */
final class RelayEvents {
  /**
   * A signed head of the chain.
   *
   * @param createdAt in seconds of Unix time
   * @param ratings the hash of all ratings, in hex
   */
  record Head(EventId id, long createdAt, long seq, EventId record, String ratings) {}

  final RecordTable records;
  final TreeMap<Long, List<Head>> heads = new TreeMap<>();

  final LotCheck lots = new LotCheck();

  /** Games in which the relay has passed on a request to take a move back. */
  private final Set<Long> takebacks = new HashSet<>();

  private Optional<Difference> first = Optional.empty();

  RelayEvents(PubKey referee) {
    records = new RecordTable(referee);
  }

  synchronized void add(RatedRecord record, EventId game) {
    records.add(record, game);
  }

  synchronized void add(Head head) {
    List<Head> same = heads.computeIfAbsent(head.seq(), seq -> new ArrayList<>(1));
    if (!same.contains(head)) {
      same.add(head);
    }
  }

  synchronized void addTakeback(EventId game) {
    takebacks.add(game.prefix());
  }

  synchronized void addLots(Event chain) {
    lots.addChain(chain);
  }

  synchronized void addLot(Event found, List<String> tag) {
    lots.addGame(found, tag);
  }

  synchronized void add(Difference difference) {
    if (first.isEmpty() || Difference.ORDER.compare(difference, first.get()) < 0) {
      first = Optional.of(difference);
    }
  }

  /** The first difference in a record by itself. */
  Optional<Difference> first() {
    return first;
  }

  /** The first eight bytes of the ids of games in which a move was taken back. */
  Set<Long> takebacks() {
    return takebacks;
  }

  /** The number of heads. */
  int headCount() {
    return heads.values().stream().mapToInt(List::size).sum();
  }
}
