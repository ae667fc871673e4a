package gambit.app.command.ratings;

import gambit.app.command.ratings.EventCollector.RelayEvents;
import gambit.app.command.ratings.EventCollector.RelayEvents.Difference;
import gambit.app.command.ratings.EventCollector.RelayEvents.Head;
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
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

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
  private final Set<Long> repeatedGames;

  /** The places of records whose games are repeated. */
  private final Map<Long, Long> placesOfGames = new HashMap<>();

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
    repeatedGames = records.repeatedGames();
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
    int[] rows = records.inOrder();
    for (int at = 0; ; at++) {
      long seq = chain.length() + 1;
      Optional<Difference> found = events.first.filter(it -> it.seq() <= seq);
      if (found.isPresent()) {
        return found;
      }
      RatedRecord record = at < rows.length ? records.get(rows[at]) : null;
      if (record == null || record.seq() > seq) {
        return missing(seq, record).or(() -> events.first);
      }
      RatedRecord next = at + 1 < rows.length ? records.get(rows[at + 1]) : null;
      found =
          next != null && next.seq() == seq
              ? Optional.of(
                  Difference.in(
                      record, "the relay has signed another record with this seq, " + next.id()))
              : step(record, records.game(rows[at]));
      if (found.isPresent()) {
        return found;
      }
    }
  }

  /** A gap, if there is a later record or head. */
  private Optional<Difference> missing(long seq, @Nullable RatedRecord later) {
    Long head = events.heads.ceilingKey(seq);
    return Optional.ofNullable(later)
        .map(next -> "the next one is " + next.seq() + ", " + next.id())
        .or(() -> Optional.ofNullable(head).map(it -> "there is a head of record " + it))
        .map(next -> new Difference(seq, "Record " + seq + " is missing: " + next));
  }

  private Optional<Difference> step(RatedRecord record, long game) {
    if (!record.prev().equals(chain.last())) {
      return Optional.of(Difference.in(record, "prev", chain.last(), record.prev()));
    }
    Long earlier =
        repeatedGames.contains(game) ? placesOfGames.putIfAbsent(game, record.seq()) : null;
    if (earlier != null) {
      return Optional.of(Difference.in(record, "its game counts already, in record " + earlier));
    } else if (events.takebacks.contains(game)) {
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
        difference(record, "White", link.before().white(), link.after().white(), record.whites());
    if (found.isEmpty()) {
      found =
          difference(record, "Black", link.before().black(), link.after().black(), record.blacks());
    }
    if (found.isEmpty()) {
      ratings[whites] = link.after().white();
      ratings[blacks] = link.after().black();
      chain = link.with(record.id());
      found = headDifference(record);
    }
    return found;
  }

  /** A number in a record, with its decimal digits. */
  private record Fact(String what, int expected, int found, int digits) {}

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
    return Stream.of(
            new Fact("rating before the game", before.rating(), found.before(), 2),
            new Fact("rating after the game", after.rating(), found.after(), 2),
            new Fact("deviation after the game", after.deviation(), found.deviation(), 2),
            new Fact("volatility after the game", after.volatility(), found.volatility(), 6))
        .filter(fact -> fact.expected != fact.found)
        .findFirst()
        .map(
            fact ->
                Difference.in(
                    record,
                    side + "'s " + fact.what,
                    RatedRecord.decimal(fact.expected, fact.digits),
                    RatedRecord.decimal(fact.found, fact.digits)));
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
