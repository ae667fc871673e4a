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
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rated records of one relay in the order in which they were added, each in {@link #ROW_BYTES}
 * bytes, so that a million fit into a small heap. Players are numbered. One thread at a time.
 */
final class RecordTable {
  /** Two ids, the start of a third, two numbers, two players, two changes, category and result. */
  private static final int ROW_BYTES = 2 * 32 + 3 * 8 + 2 * 4 + 2 * 16 + 2;

  private static final int ROWS_OF_A_CHUNK = 1 << 12;
  private static final List<Result> RESULTS = List.of(Result.values());

  private final PubKey referee;
  private final List<ByteBuffer> chunks = new ArrayList<>();
  private final Map<PubKey, Integer> numbers = new HashMap<>();
  private final List<PubKey> players = new ArrayList<>();
  private int size;

  /**
   * The rows by the place of their records in the chain.
   *
   * @param rows the number of a row and 1, or 0 where there is none; at the index seq
   * @param doubled two rows with the same place and different records, the first such place
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Places(int[] rows, Optional<List<RatedRecord>> doubled) {}

  RecordTable(PubKey referee) {
    this.referee = referee;
  }

  PubKey referee() {
    return referee;
  }

  int size() {
    return size;
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

  /** Adds a record of a game. */
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
    return row(index).getLong(2 * 32);
  }

  /**
   * The records by their place. A place beyond the number of records is passed over: there is a gap
   * before it.
   */
  Places places() {
    int[] rows = new int[size + 2];
    Optional<List<RatedRecord>> doubled = Optional.empty();
    for (int i = 0; i < size; i++) {
      long seq = seq(i);
      if (seq > size) {
        continue;
      }
      int known = rows[(int) seq] - 1;
      if (known < 0) {
        rows[(int) seq] = i + 1;
      } else if (!get(known).id().equals(get(i).id())
          && doubled.map(it -> seq < it.get(0).seq()).orElse(true)) {
        doubled = Optional.of(List.of(get(known), get(i)));
      }
    }
    return new Places(rows, doubled);
  }

  /** The first record after a place, in the order of the chain. */
  Optional<RatedRecord> after(long seq) {
    Optional<RatedRecord> next = Optional.empty();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < size; i++) {
      long here = seq(i);
      if (here > seq && here < least) {
        least = here;
        next = Optional.of(get(i));
      }
    }
    return next;
  }

  private long seq(int index) {
    return row(index).getLong(2 * 32 + 8);
  }

  /** Two records of the same game, the second of which has the first such place; or none. */
  Optional<List<RatedRecord>> gameCountedTwice(Places places) {
    long[] games = new long[size];
    for (int i = 0; i < size; i++) {
      games[i] = game(i);
    }
    Arrays.sort(games);
    Map<Long, Integer> seen = new HashMap<>();
    for (int i = 1; i < size; i++) {
      if (games[i] == games[i - 1]) {
        seen.put(games[i], -1);
      }
    }
    for (int seq = 1; seq < places.rows().length && !seen.isEmpty(); seq++) {
      int index = places.rows()[seq] - 1;
      Integer earlier = index < 0 ? null : seen.get(game(index));
      if (earlier != null && earlier >= 0) {
        return Optional.of(List.of(get(earlier), get(index)));
      } else if (earlier != null) {
        seen.put(game(index), index);
      }
    }
    return Optional.empty();
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
