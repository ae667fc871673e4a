package gambit.chess.simulation;

import gambit.chess.dialect.RatedStart;
import gambit.chess.rating.Category;
import gambit.chess.rating.Glicko2;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.chess.session.ManualSession;
import gambit.chess.session.play.StoredRatings.ChainRow;
import gambit.chess.session.play.StoredRatings.PlayerRatings;
import gambit.core.feature.Commit;
import gambit.core.feature.Row;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Computes the ratings from the committed records of rated games, and compares them with the tags
 * of the records, with the heads of their chain, with the committed rows, and with the
 * leaderboards.
 */
final class RatingsChecker {
  private static final int HEAD = 30064;
  private static final int RECORDS_OF_A_HEAD = 100;
  private static final long SECONDS_OF_A_HEAD = 86_400;
  private static final String CHAIN_KEY =
      HexFormat.of().formatHex("chain".getBytes(StandardCharsets.US_ASCII));
  private static final int LEADERS = 100;

  private record RatingOf(PubKey player, Category category) {}

  private record PairOnDay(Set<PubKey> players, long day) {}

  private final Map<RatingOf, Rating> ratings = new HashMap<>();
  private final Map<PairOnDay, Integer> games = new HashMap<>();
  private RatingChain chain = RatingChain.START;
  private long lastHead;
  private long lastHeadTime;

  /** The players whose ratings the current commit changes. */
  private Set<PubKey> changed = Set.of();

  /** Whether the relay has noticed all committed games. */
  private boolean isSettled;

  /** A player has played before. */
  void knows(PubKey player, PlayerRatings before) {
    before
        .ratings()
        .forEach((category, rating) -> ratings.put(new RatingOf(player, category), rating));
  }

  /** A player's rating after the committed games. */
  Rating of(PubKey player, Category category) {
    return ratings.getOrDefault(new RatingOf(player, category), Rating.INITIAL);
  }

  /** The number of rated games that count. */
  long games() {
    return chain.length();
  }

  /** The record of a game is committed. */
  void ended(InvariantChecker.KnownGame game, Event record) {
    boolean isCounted = record.tags().has("seq");
    if (game.ref.rated() == null) {
      require(!isCounted, "a casual game is counted", record);
      return;
    }
    PubKey white = game.ref.white().player();
    PubKey black = game.ref.black().player();
    PairOnDay pair = new PairOnDay(Set.of(white, black), chain.dayOf(record.createdAt()));
    int before = games.getOrDefault(pair, 0);
    List<String> plies = record.tags().named("plies").findFirst().orElseThrow();
    require(
        isCounted == (plies.size() > 2 && before < RatingChain.MAX_GAMES_OF_A_PAIR),
        "wrongly counted or not",
        record);
    if (!isCounted) {
      return;
    }
    Category category = game.ref.rated().category();
    RatingChain.Link link =
        chain.next(
            category,
            white,
            black,
            new RatingChain.Pair(of(white, category), of(black, category)),
            Objects.requireNonNull(game.ending.result()),
            record.createdAt());
    require(new HashSet<>(record.tags().list()).containsAll(link.tags()), "other ratings", record);
    chain = link.with(record.id());
    ratings.put(new RatingOf(white, category), link.after().white());
    ratings.put(new RatingOf(black, category), link.after().black());
    games.put(pair, before + 1);
    changed = Set.of(white, black);
  }

  /** A commit is complete, whose record was checked before. */
  void committed(Commit commit) {
    List<Event> heads = commit.events().stream().filter(it -> it.kind() == HEAD).toList();
    Set<String> due = new HashSet<>();
    changed.forEach(player -> due.add(player.hex()));
    if (!changed.isEmpty() || !heads.isEmpty()) {
      heads(heads, commit);
      due.add(CHAIN_KEY);
      isSettled = false;
    }
    for (Row row : commit.rows()) {
      if (row.table().equals(ManualSession.RATINGS)) {
        require(due.remove(HexFormat.of().formatHex(row.key())), row);
        require(row.key().length == 32 ? isPlayers(row) : isChain(row), row);
      }
    }
    require(due.isEmpty(), "rows of " + due + " are missing", commit);
    changed = Set.of();
  }

  private void heads(List<Event> heads, Commit commit) {
    long time = heads.isEmpty() ? chain.time() : chain.timeOf(heads.get(0).createdAt());
    boolean isDue =
        chain.length() > lastHead
            && (lastHead == 0
                || chain.length() % RECORDS_OF_A_HEAD == 0
                || time - lastHeadTime >= SECONDS_OF_A_HEAD);
    require(heads.size() == (isDue ? 1 : 0), heads.size() + " heads", commit);
    for (Event head : heads) {
      List<List<String>> stated =
          List.of(
              List.of("d", "" + chain.length()),
              List.of("e", chain.last().hex()),
              List.of("ratings", HexFormat.of().formatHex(chain.ratings())));
      require(head.tags().list().containsAll(stated), "another state of the chain", head);
      lastHead = chain.length();
      lastHeadTime = time;
    }
  }

  private boolean isPlayers(Row row) {
    PubKey player = new PubKey(row.key());
    PlayerRatings is = PlayerRatings.read(player.hex(), Objects.requireNonNull(row.value()));
    return Arrays.stream(Category.values())
        .allMatch(category -> is.in(category).equals(of(player, category)));
  }

  private boolean isChain(Row row) {
    ChainRow is = ChainRow.of((table, key) -> Optional.ofNullable(row.value()));
    return is.chain().length() == chain.length()
        && is.chain().last().equals(chain.last())
        && Arrays.equals(is.chain().ratings(), chain.ratings())
        && is.chain().time() == chain.time()
        && is.headLength() == lastHead
        && is.headTime() == lastHeadTime;
  }

  /** The relay has noticed everything that is committed, or has read it. */
  void settled() {
    isSettled = true;
  }

  /** A leaderboard is published. That of a relay that has not noticed all games may lag. */
  void published(Event board, boolean isResumed) {
    if (isSettled || isResumed) {
      List<List<String>> due = board(board.tags().first("d").orElseThrow(), board.createdAt());
      require(board.tags().list().equals(due), "the leaderboard should be " + due, board);
    }
  }

  private List<List<String>> board(String category, long now) {
    List<List<String>> board = new ArrayList<>();
    board.add(List.of("d", category));
    ratings.entrySet().stream()
        .filter(it -> it.getKey().category().word().equals(category))
        .filter(it -> Glicko2.deviationAt(it.getValue(), now) <= Rating.MAX_LEADER_DEVIATION)
        .sorted(
            Comparator.<Map.Entry<RatingOf, Rating>>comparingInt(it -> -it.getValue().rating())
                .thenComparing(it -> it.getKey().player()))
        .limit(LEADERS)
        .forEach(it -> board.add(leader(it.getKey().player(), it.getValue(), now)));
    return board;
  }

  private static List<String> leader(PubKey player, Rating rating, long now) {
    RatedStart.Strength strength =
        RatedStart.Strength.of(rating.rating(), Glicko2.deviationAt(rating, now));
    return List.of(
        "rating",
        player.hex(),
        "" + strength.rating(),
        "" + strength.deviation(),
        "" + rating.games());
  }

  /** All games are over, and their last head was due. */
  void over() {
    InvariantChecker.check(
        chain.length() == lastHead,
        Invariant.RATINGS_FOLLOW_FROM_RECORDS,
        "the last head is of record " + lastHead + " of " + chain.length());
  }

  private static void require(boolean holds, String fault, Commit commit) {
    InvariantChecker.check(
        holds, Invariant.RATINGS_FOLLOW_FROM_RECORDS, () -> fault + ": " + commit.events());
  }

  private static void require(boolean holds, String fault, Event event) {
    InvariantChecker.check(
        holds, Invariant.RATINGS_FOLLOW_FROM_RECORDS, () -> fault + ": " + event);
  }

  private static void require(boolean holds, Row row) {
    InvariantChecker.check(
        holds, Invariant.RATINGS_FOLLOW_FROM_RECORDS, () -> "other ratings in " + row);
  }
}
