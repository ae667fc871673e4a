package gambit.app.command.ratings;

import gambit.app.command.ratings.RelayEvents.Head;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.RatedRecord.Change;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Follows the chain of a relay's rated records from its beginning, and computes all ratings again.
 * One thread.
 */
final class ChainCheck {
  private static final int RECORDS_OF_A_HEAD = 100;
  private static final long SECONDS_OF_A_HEAD = 86_400;

  /** The head's age is measured in whole seconds, at the commit. */
  private static final long TOLERANCE_SECONDS = 60;

  private static final int CATEGORIES = Category.values().length;

  private final RelayEvents events;
  private final RecordTable records;
  private final RecordTable.Places places;
  private final Optional<List<RatedRecord>> countedTwice;
  private final Rating[] ratings;

  /** The games of two players on the current day, by the players' numbers. */
  private final Map<Long, Integer> gamesOfPairs = new HashMap<>();

  private long day;
  private RatingChain chain = RatingChain.START;
  private Optional<Head> lastHead = Optional.empty();

  /** The chain time up to which the last head covers everything. */
  private long headTime;

  ChainCheck(RelayEvents events) {
    this.events = events;
    records = events.records;
    places = records.places();
    countedTwice = records.gameCountedTwice(places);
    ratings = new Rating[records.players() * CATEGORIES];
    Arrays.fill(ratings, Rating.INITIAL);
  }

  /** The chain up to the first difference. */
  RatingChain chain() {
    return chain;
  }

  Optional<Head> lastHead() {
    return lastHead;
  }

  /** The first difference; empty if everything holds. */
  Optional<Difference> first() {
    while (true) {
      long seq = chain.length() + 1;
      Optional<Difference> found = events.first().filter(it -> it.seq() <= seq);
      if (found.isPresent()) {
        return found;
      }
      int row = seq < places.rows().length ? places.rows()[(int) seq] - 1 : -1;
      if (row < 0) {
        return missing(seq).or(() -> events.first());
      }
      found = step(records.get(row), row);
      if (found.isPresent()) {
        return found;
      }
    }
  }

  /** A gap, if there are later records or heads. */
  private Optional<Difference> missing(long seq) {
    Long head = events.heads.ceilingKey(seq);
    return records
        .after(seq)
        .map(next -> "the next one is " + next.seq() + ", " + next.id())
        .or(() -> Optional.ofNullable(head).map(it -> "there is a head of record " + it))
        .map(next -> new Difference(seq, "Record " + seq + " is missing: " + next));
  }

  private Optional<Difference> step(RatedRecord record, int row) {
    Optional<List<RatedRecord>> doubled =
        places.doubled().filter(it -> it.get(0).seq() == record.seq());
    if (doubled.isPresent()) {
      String other = doubled.get().stream().map(it -> "" + it.id()).reduce("", (a, b) -> b);
      return Optional.of(
          Difference.in(
              doubled.get().get(0), "the relay has signed another record with this seq, " + other));
    } else if (!record.prev().equals(chain.last())) {
      return Optional.of(Difference.in(record, "prev", chain.last(), record.prev()));
    }
    Optional<RatedRecord> twice =
        countedTwice.filter(it -> it.get(1).equals(record)).map(it -> it.get(0));
    if (twice.isPresent()) {
      return Optional.of(
          Difference.in(record, "its game counts already, in record " + twice.get().seq()));
    } else if (events.takebacks().contains(records.game(row))) {
      return Optional.of(Difference.in(record, "a move was taken back in its game"));
    }
    int white = records.number(record.white());
    int black = records.number(record.black());
    if (gamesToday(record, white, black) > RatingChain.MAX_GAMES_OF_A_PAIR) {
      return Optional.of(
          Difference.in(
              record,
              "the rated games of its two players on one day",
              "at most " + RatingChain.MAX_GAMES_OF_A_PAIR,
              RatingChain.MAX_GAMES_OF_A_PAIR + 1));
    }
    int category = record.category().code();
    int whites = white * CATEGORIES + category;
    int blacks = black * CATEGORIES + category;
    RatingChain.Link link =
        chain.next(
            record.category(),
            record.white(),
            record.black(),
            new RatingChain.Pair(ratings[whites], ratings[blacks]),
            record.result(),
            record.createdAt());
    Optional<Difference> found =
        difference(record, "White", link.before().white(), link.after().white(), record.whites())
            .or(
                () ->
                    difference(
                        record,
                        "Black",
                        link.before().black(),
                        link.after().black(),
                        record.blacks()));
    if (found.isEmpty()) {
      ratings[whites] = link.after().white();
      ratings[blacks] = link.after().black();
      chain = link.with(record.id());
      found = headDifference(record);
    }
    return found;
  }

  private int gamesToday(RatedRecord record, int white, int black) {
    long today = chain.dayOf(record.createdAt());
    if (today != day) {
      day = today;
      gamesOfPairs.clear();
    }
    long pair = (long) Math.min(white, black) << 32 | Math.max(white, black);
    return gamesOfPairs.merge(pair, 1, Integer::sum);
  }

  private static Optional<Difference> difference(
      RatedRecord record, String side, Rating before, Rating after, Change found) {
    String what = null;
    int expected = 0;
    int actual = 0;
    int digits = 2;
    if (found.before() != before.rating()) {
      what = "rating before the game";
      expected = before.rating();
      actual = found.before();
    } else if (found.after() != after.rating()) {
      what = "rating after the game";
      expected = after.rating();
      actual = found.after();
    } else if (found.deviation() != after.deviation()) {
      what = "deviation after the game";
      expected = after.deviation();
      actual = found.deviation();
    } else if (found.volatility() != after.volatility()) {
      what = "volatility after the game";
      expected = after.volatility();
      actual = found.volatility();
      digits = 6;
    }
    return what == null
        ? Optional.empty()
        : Optional.of(
            Difference.in(
                record,
                side + "'s " + what,
                RatedRecord.decimal(expected, digits),
                RatedRecord.decimal(actual, digits)));
  }

  /** Compares the heads of the record that was added last with the chain. */
  private Optional<Difference> headDifference(RatedRecord record) {
    List<Head> heads = events.heads.getOrDefault(record.seq(), List.of());
    if (heads.size() > 1) {
      return Optional.of(
          Difference.in(
              record,
              "the relay has signed two heads of it, "
                  + heads.get(0).id()
                  + " and "
                  + heads.get(1).id()));
    } else if (heads.isEmpty()) {
      boolean isDue =
          record.seq() == 1
              || record.seq() % RECORDS_OF_A_HEAD == 0
              || chain.time() - headTime >= SECONDS_OF_A_HEAD + TOLERANCE_SECONDS;
      return isDue
          ? Optional.of(
              Difference.in(
                  record,
                  "it has no head, and the last one is of "
                      + lastHead
                          .map(
                              it ->
                                  "record " + it.seq() + " and " + Instant.ofEpochSecond(headTime))
                          .orElse("no record")))
          : Optional.empty();
    }
    Head head = heads.get(0);
    String what = "its head " + head.id() + " has the ";
    if (!head.record().equals(record.id())) {
      return Optional.of(Difference.in(record, what + "id", record.id(), head.record()));
    }
    String hash = HexFormat.of().formatHex(chain.ratings());
    if (!head.ratings().equals(hash)) {
      return Optional.of(Difference.in(record, what + "ratings", hash, head.ratings()));
    }
    lastHead = Optional.of(head);
    headTime = Math.max(chain.time(), head.createdAt());
    return Optional.empty();
  }
}
