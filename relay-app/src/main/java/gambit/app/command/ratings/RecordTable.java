package gambit.app.command.ratings;

import gambit.chess.game.Result;
import gambit.chess.rating.Category;
import gambit.chess.rating.RatedRecord;
import gambit.chess.rating.RatedRecord.Change;
import gambit.core.model.Bytes32;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rated records of one relay in the order in which they were added, each in {@link #ROW_BYTES}
 * bytes, so that a million fit into a small heap. Players are numbered. One thread at a time.
 */
final class RecordTable {
  /** Two ids, the start of a third, two numbers, two players, two changes, category and result. */
  private static final int ROW_BYTES = 2 * 32 + 3 * 8 + 2 * 4 + 2 * 16 + 2;

  private static final int GAME_AT = 2 * 32;
  private static final int SEQ_AT = GAME_AT + 8;
  private static final int ROWS_OF_A_CHUNK = 1 << 12;
  private static final List<Result> RESULTS = List.of(Result.values());

  private final PubKey referee;
  private final List<ByteBuffer> chunks = new ArrayList<>();
  private final Map<PubKey, Integer> numbers = new HashMap<>();
  private final List<PubKey> players = new ArrayList<>();
  private int size;

  RecordTable(PubKey referee) {
    this.referee = referee;
  }

  int players() {
    return players.size();
  }

  int number(PubKey player) {
    return numbers.computeIfAbsent(
        player,
        added -> {
          players.add(added);
          return players.size() - 1;
        });
  }

  void add(RatedRecord record, EventId game) {
    if (size % ROWS_OF_A_CHUNK == 0) {
      chunks.add(ByteBuffer.allocate(ROWS_OF_A_CHUNK * ROW_BYTES));
    }
    ByteBuffer row = row(size++);
    put(row, record.id());
    put(row, record.prev());
    row.putLong(game.prefix()).putLong(record.seq()).putLong(record.createdAt());
    row.putInt(number(record.white())).putInt(number(record.black()));
    put(row, record.whites());
    put(row, record.blacks());
    row.put(record.category().code()).put((byte) RESULTS.indexOf(record.result()));
  }

  RatedRecord get(int index) {
    ByteBuffer row = row(index);
    EventId id = id(row);
    EventId prev = id(row);
    row.getLong();
    long seq = row.getLong();
    long createdAt = row.getLong();
    PubKey white = players.get(row.getInt());
    PubKey black = players.get(row.getInt());
    Change whites = change(row);
    Change blacks = change(row);
    Category category = Category.ofCode(row.get());
    Result result = RESULTS.get(row.get());
    return new RatedRecord(
        id, referee, seq, prev, category, white, black, result, createdAt, whites, blacks);
  }

  /** The first eight bytes of the id of a row's game. */
  long game(int index) {
    return row(index).getLong(GAME_AT);
  }

  long seq(int index) {
    return row(index).getLong(SEQ_AT);
  }

  /** The rows in the order of the chain, each record once; of one place, as they were added. */
  int[] inOrder() {
    long[] places = IntStream.range(0, size).mapToLong(this::seq).toArray();
    int[] rows =
        IntStream.range(0, size)
            .boxed()
            .sorted(Comparator.comparingLong(row -> places[row]))
            .mapToInt(Integer::intValue)
            .toArray();
    return IntStream.range(0, size)
        .filter(i -> i == 0 || !id(row(rows[i])).equals(id(row(rows[i - 1]))))
        .map(i -> rows[i])
        .toArray();
  }

  /** The games, as {@link #game} names them, of which there are several rows. */
  Set<Long> repeatedGames() {
    long[] games = IntStream.range(0, size).mapToLong(this::game).sorted().toArray();
    return IntStream.range(1, size)
        .filter(i -> games[i] == games[i - 1])
        .mapToObj(i -> games[i])
        .collect(Collectors.toSet());
  }

  private ByteBuffer row(int index) {
    ByteBuffer chunk = chunks.get(index / ROWS_OF_A_CHUNK);
    return chunk.duplicate().position(index % ROWS_OF_A_CHUNK * ROW_BYTES).slice();
  }

  private static void put(ByteBuffer row, Bytes32 id) {
    for (int i = 0; i < 4; i++) {
      row.putLong(id.word(i));
    }
  }

  private static EventId id(ByteBuffer row) {
    return EventId.ofWords(row.getLong(), row.getLong(), row.getLong(), row.getLong());
  }

  private static void put(ByteBuffer row, Change change) {
    row.putInt(change.before()).putInt(change.after());
    row.putInt(change.deviation()).putInt(change.volatility());
  }

  private static Change change(ByteBuffer row) {
    return new Change(row.getInt(), row.getInt(), row.getInt(), row.getInt());
  }
}
