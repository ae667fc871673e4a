package gambit.chess.session.play;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.RatedStart;
import gambit.chess.game.ChessClock;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.PlayedMoves;
import gambit.chess.game.Proposal;
import gambit.chess.game.SideHistory;
import gambit.chess.game.TimeControl;
import gambit.chess.game.TimeLimits;
import gambit.chess.rating.Category;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The rows of running games: one for each game with its terms, one with its state and last plies,
 * and one for each {@value #CHUNK_PLIES} plies before them. So a step writes some 280 bytes,
 * however long the game is. The rows are removed when the game ends. Pure.
 */
public final class GameRows {
  public static final String TABLE = "chess.games";

  private static final int CHUNK_PLIES = 8;

  /** In the key of the row with the terms, in place of the number of a row with plies. */
  private static final int TERMS = -1;

  private static final String TERMS_IN_HEX = "ffffffff";

  private static final int ID = RowCodes.ID;
  private static final int PLY = 8 + ID;

  /** An upper bound of the size of the terms without the initial position. */
  private static final int MAX_TERMS_LENGTH = 365;

  /** The size of a state without the proposal and the plies. */
  private static final int STATE_LENGTH = 63;

  /** Between the texts of a proof, none of which contains it. */
  private static final String SEPARATOR = "\0";

  private final String table;
  private final List<Dialect> dialects;

  public GameRows(List<Dialect> dialects) {
    this(TABLE, dialects);
  }

  public GameRows(String table, List<Dialect> dialects) {
    this.table = table;
    this.dialects = List.copyOf(dialects);
  }

  /**
   * A restored game.
   *
   * @param searches those of White and Black if they have led to it
   * @param note a number from 0 to 127 that the table's owner has given it
   */
  public record StoredGame(GameRef ref, GameSnapshot snapshot, List<EventId> searches, int note) {}

  /** The number of plies of a game, and the side to move. */
  public record Turn(int plies, Side turn) {}

  /** What a step does not change. */
  private record Terms(
      GameRef ref,
      TimeLimits limits,
      Position initial,
      long startedAt,
      List<EventId> searches,
      int note) {}

  /** Takes {@code searches} and {@code note} as in {@link StoredGame}. */
  public List<Row> rowsOfStart(GameRef game, GameSnapshot start, List<EventId> searches, int note) {
    List<Row> rows = new ArrayList<>(2);
    rows.add(new Row(table, key(game.id(), TERMS), terms(game, start.game(), searches, note)));
    addState(rows, game, 0, start);
    return rows;
  }

  public List<Row> rowsOfStep(GameRef game, GameSnapshot before, GameSnapshot after) {
    List<Row> rows = new ArrayList<>(2);
    addState(rows, game, chunks(before), after);
    return rows;
  }

  private void addState(List<Row> rows, GameRef game, int chunksBefore, GameSnapshot after) {
    int chunksAfter = chunks(after);
    for (int chunk = chunksAfter; chunk < chunksBefore; chunk++) {
      rows.add(new Row(table, key(game.id(), chunk), null));
    }
    for (int chunk = chunksBefore; chunk < chunksAfter; chunk++) {
      ByteBuffer plies = ByteBuffer.allocate(CHUNK_PLIES * PLY);
      writePlies(plies, after, chunk * CHUNK_PLIES, (chunk + 1) * CHUNK_PLIES);
      rows.add(new Row(table, key(game.id(), chunk), plies.array()));
    }
    rows.add(new Row(table, game.id().bytes(), state(after)));
  }

  public List<Row> rowsOfEnd(GameRef game, GameSnapshot last) {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(table, game.id().bytes(), null));
    for (int chunk = TERMS; chunk < chunks(last); chunk++) {
      rows.add(new Row(table, key(game.id(), chunk), null));
    }
    return rows;
  }

  private static int chunks(GameSnapshot snapshot) {
    return snapshot.plies().size() / CHUNK_PLIES;
  }

  private static byte[] key(EventId game, int chunk) {
    return ByteBuffer.allocate(ID + Integer.BYTES).put(game.bytes()).putInt(chunk).array();
  }

  private static byte[] terms(GameRef ref, OngoingGame game, List<EventId> searches, int note) {
    TimeLimits limits = game.clock().limits();
    String initial = game.initial() == Position.initial() ? "" : game.initial().fen();
    ByteBuffer out = ByteBuffer.allocate(MAX_TERMS_LENGTH + initial.length());
    out.put(RowCodes.FORMAT);
    for (Side side : Side.values()) {
      out.put(ref.player(side).bytes());
      RowCodes.putText(out, ref.dialect(side).name());
    }
    RowCodes.putText(out, limits.control().text());
    out.putLong(limits.firstMoveMillis()).putLong(limits.lagMillis());
    RowCodes.putText(out, initial);
    out.putLong(game.startedAt()).put((byte) searches.size());
    searches.forEach(search -> out.put(search.bytes()));
    out.put((byte) ref.white().level()).put((byte) ref.black().level());
    RatedStart rated = ref.rated();
    RowCodes.putText(out, rated == null ? "" : rated.category().word());
    if (rated != null) {
      for (Side side : Side.values()) {
        out.putInt(rated.of(side).rating()).putInt(rated.of(side).deviation());
      }
    }
    out.put((byte) note);
    return Arrays.copyOf(out.array(), out.position());
  }

  private static byte[] state(GameSnapshot snapshot) {
    OngoingGame game = snapshot.game();
    byte[] proposal = proposal(snapshot);
    int plies = snapshot.plies().size();
    int written = chunks(snapshot) * CHUNK_PLIES;
    ByteBuffer out = ByteBuffer.allocate(STATE_LENGTH + proposal.length + (plies - written) * PLY);
    out.put(RowCodes.FORMAT).putInt(plies);
    RowCodes.putSide(out, game.turn());
    out.putLong(game.changedAt());
    out.putLong(game.clock().white()).putLong(game.clock().black());
    RowCodes.putSide(out, game.clock().running());
    out.putLong(game.clock().turnSince());
    for (Side side : Side.values()) {
      out.putInt(game.history(side).illegalMoves());
      out.putInt(game.history(side).offeredAt());
      out.putInt(game.history(side).takebackAt());
    }
    out.put(proposal);
    writePlies(out, snapshot, written, plies);
    return out.array();
  }

  private static byte[] proposal(GameSnapshot snapshot) {
    Proposal proposal = snapshot.game().proposal();
    String proof =
        String.join(SEPARATOR, Objects.requireNonNullElse(snapshot.proposal(), List.of()));
    byte[] text = proof.getBytes(StandardCharsets.UTF_8);
    ByteBuffer out = ByteBuffer.allocate(proposal == null ? 1 : 6 + text.length);
    RowCodes.putSide(out, proposal == null ? null : proposal.by());
    if (proposal != null) {
      out.put((byte) (proposal.type() == Proposal.Type.DRAW ? 0 : 1));
      out.putInt(text.length).put(text);
    }
    return out.array();
  }

  private static void writePlies(ByteBuffer out, GameSnapshot snapshot, int from, int to) {
    for (int ply = from; ply < to; ply++) {
      out.putLong(snapshot.game().moves().code(ply)).put(snapshot.plies().get(ply).bytes());
    }
  }

  /** The game whose row with the state has a key, in hex; empty for the key of another row. */
  public static Optional<EventId> gameOf(String key) {
    return key.length() == 2 * ID ? Optional.of(EventId.ofHex(key)) : Optional.empty();
  }

  /** The game whose terms are in a row with a key in hex; empty if the row has something else. */
  public Optional<GameRef> gameIn(String key, byte[] value) {
    return gameOf(key).isPresent() || !key.endsWith(TERMS_IN_HEX)
        ? Optional.empty()
        : Optional.of(
            RowCodes.read(
                "game",
                key,
                value,
                in -> readTerms(EventId.ofHex(key.substring(0, 2 * ID)), in).ref()));
  }

  /** The turn in a row with a game's state; empty if the row has something else. */
  public static Optional<Turn> turnIn(String key, byte[] value) {
    return gameOf(key).map(game -> RowCodes.read("game", key, value, GameRows::readTurn));
  }

  private static Turn readTurn(ByteBuffer in) {
    return new Turn(in.getInt(), Objects.requireNonNull(RowCodes.side(in)));
  }

  /**
   * Reads a running game while it may go on.
   *
   * @param row the committed row with a key of the table
   * @return nothing if the game is not running
   * @throws UnreadableRows if its rows have changed meanwhile, or are unreadable
   */
  public Optional<StoredGame> find(EventId game, Function<byte[], Optional<byte[]>> row) {
    return row.apply(game.bytes())
        .map(state -> RowCodes.read("game", game.hex(), state, in -> read(game, in, row)));
  }

  /** Reads all games from rows by their key in hex, in the order of their last changes. */
  public List<StoredGame> read(Map<String, byte[]> rows) {
    Function<byte[], Optional<byte[]>> row =
        key -> Optional.ofNullable(rows.get(HexFormat.of().formatHex(key)));
    return rows.keySet().stream()
        .flatMap(key -> gameOf(key).flatMap(game -> find(game, row)).stream())
        .sorted(Comparator.comparingLong(stored -> stored.snapshot().game().changedAt()))
        .toList();
  }

  private StoredGame read(EventId game, ByteBuffer in, Function<byte[], Optional<byte[]>> row) {
    byte[] rowOfTerms = part(game, TERMS, row);
    Terms terms =
        RowCodes.read("game", game.hex(), rowOfTerms, content -> readTerms(game, content));
    int plies = readTurn(in).plies();
    long changedAt = in.getLong();
    ChessClock clock =
        new ChessClock(
            terms.limits(), in.getLong(), in.getLong(), RowCodes.side(in), in.getLong(), 0);
    SideHistory white = new SideHistory(in.getInt(), in.getInt(), in.getInt());
    SideHistory black = new SideHistory(in.getInt(), in.getInt(), in.getInt());
    Side by = RowCodes.side(in);
    Proposal proposal = null;
    List<String> proof = null;
    if (by != null) {
      proposal = new Proposal(in.get() == 0 ? Proposal.Type.DRAW : Proposal.Type.TAKEBACK, by);
      byte[] text = RowCodes.bytes(in, in.getInt());
      proof = List.of(new String(text, StandardCharsets.UTF_8).split(SEPARATOR));
    }
    PlayedMoves moves = PlayedMoves.NONE;
    List<EventId> events = new ArrayList<>(plies);
    ByteBuffer from = in;
    for (int ply = 0; ply < plies; ply++) {
      if (ply % CHUNK_PLIES == 0) {
        boolean isLast = ply + CHUNK_PLIES > plies;
        from = isLast ? in : ByteBuffer.wrap(part(game, ply / CHUNK_PLIES, row));
      }
      moves = moves.append(from.getLong());
      events.add(new EventId(RowCodes.bytes(from, ID)));
    }
    Position initial = terms.initial();
    Position position = initial.after(moves.toList());
    OngoingGame playing =
        new OngoingGame(
            initial, position, moves, white, black, proposal, clock, terms.startedAt(), changedAt);
    GameSnapshot snapshot = new GameSnapshot(playing, events, proof);
    return new StoredGame(terms.ref(), snapshot, terms.searches(), terms.note());
  }

  private static byte[] part(EventId game, int chunk, Function<byte[], Optional<byte[]>> row) {
    String what = chunk == TERMS ? "the terms are" : "ply " + (chunk * CHUNK_PLIES + 1) + " is";
    return row.apply(key(game, chunk))
        .orElseThrow(() -> new IllegalArgumentException(what + " missing"));
  }

  private Terms readTerms(EventId game, ByteBuffer in) {
    GameRef.Seat white = readSeat(in);
    GameRef.Seat black = readSeat(in);
    TimeControl control = TimeControl.parse(RowCodes.text(in)).orElseThrow();
    TimeLimits limits = new TimeLimits(control, in.getLong(), in.getLong());
    String fen = RowCodes.text(in);
    Position initial = fen.isEmpty() ? Position.initial() : Position.parseFen(fen).orElseThrow();
    long startedAt = in.getLong();
    boolean isPaired = in.get() == 2; // 1 in rows of earlier versions, which have no searches
    List<EventId> searches =
        isPaired
            ? List.of(new EventId(RowCodes.bytes(in, ID)), new EventId(RowCodes.bytes(in, ID)))
            : List.of();
    GameRef ref =
        new GameRef(
            game, withLevel(white, in), withLevel(black, in), control.isSlow(), readRated(in));
    int note = in.hasRemaining() ? in.get() : 0;
    return new Terms(ref, limits, initial, startedAt, searches, note);
  }

  /** Adds the level, which rows of earlier versions do not have. */
  private static GameRef.Seat withLevel(GameRef.Seat seat, ByteBuffer in) {
    return new GameRef.Seat(seat.player(), seat.dialect(), in.hasRemaining() ? in.get() : 0);
  }

  private static @Nullable RatedStart readRated(ByteBuffer in) {
    String category = in.hasRemaining() ? RowCodes.text(in) : "";
    return category.isEmpty()
        ? null
        : new RatedStart(Category.ofWord(category).orElseThrow(), strength(in), strength(in));
  }

  private static RatedStart.Strength strength(ByteBuffer in) {
    return new RatedStart.Strength(in.getInt(), in.getInt());
  }

  private GameRef.Seat readSeat(ByteBuffer in) {
    PubKey player = new PubKey(RowCodes.bytes(in, ID));
    String name = RowCodes.text(in);
    for (Dialect dialect : dialects) {
      if (dialect.name().equals(name)) {
        return new GameRef.Seat(player, dialect);
      }
    }
    throw new IllegalArgumentException("unknown dialect " + name);
  }
}
