package gambit.chess.session.journal;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.game.ChessClock;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.PlayedMoves;
import gambit.chess.game.Proposal;
import gambit.chess.game.SideHistory;
import gambit.chess.game.TimeControl;
import gambit.chess.game.TimeLimits;
import gambit.chess.rules.Position;
import gambit.chess.rules.Positions;
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
import java.util.OptionalInt;

/**
 * The rows of running games: one for each game with its terms, one with its state and last plies,
 * and one for each {@value #CHUNK_PLIES} plies before them. So a step writes some 280 bytes,
 * however long the game is. The rows are removed when the game ends. Pure.
 */
public final class GameRows {
  public static final String TABLE = "chess.games";

  private static final byte FORMAT = 1;
  private static final int CHUNK_PLIES = 8;

  /** In the key of the row with the terms, in place of the number of a row with plies. */
  private static final int TERMS = -1;

  private static final String TERMS_IN_HEX = "ffffffff";

  private static final int ID = 32;
  private static final int PLY = 8 + ID;

  /** An upper bound of the size of the terms without the initial position. */
  private static final int MAX_TERMS_LENGTH = 300;

  /** The size of a state without the proposal and the plies. */
  private static final int STATE_LENGTH = 62;

  /** The size of what precedes the proposal in a state. */
  private static final int BEFORE_PROPOSAL = STATE_LENGTH - 4;

  private final List<Dialect> dialects;

  /**
   * Reads and writes games.
   *
   * @param dialects the dialects of their seats
   */
  public GameRows(List<Dialect> dialects) {
    this.dialects = List.copyOf(dialects);
  }

  /**
   * A restored game.
   *
   * @param isPaired whether two searches have led to it
   */
  public record StoredGame(GameRef ref, GameSnapshot snapshot, boolean isPaired) {}

  /**
   * The rows to commit with the beginning of a game.
   *
   * @param isPaired whether two searches have led to it
   */
  public List<Row> rowsOfStart(GameRef game, GameSnapshot start, boolean isPaired) {
    List<Row> rows = new ArrayList<>(2);
    rows.add(new Row(TABLE, key(game.id(), TERMS), terms(game, start.game(), isPaired)));
    addState(rows, game, 0, start);
    return rows;
  }

  /** The rows to commit with a step. */
  public List<Row> rowsOfStep(GameRef game, GameSnapshot before, GameSnapshot after) {
    List<Row> rows = new ArrayList<>(2);
    addState(rows, game, chunks(before), after);
    return rows;
  }

  private static void addState(List<Row> rows, GameRef game, int chunksBefore, GameSnapshot after) {
    int chunksAfter = chunks(after);
    for (int chunk = chunksAfter; chunk < chunksBefore; chunk++) {
      rows.add(new Row(TABLE, key(game.id(), chunk), null));
    }
    for (int chunk = chunksBefore; chunk < chunksAfter; chunk++) {
      byte[] plies = plies(after, chunk * CHUNK_PLIES, (chunk + 1) * CHUNK_PLIES);
      rows.add(new Row(TABLE, key(game.id(), chunk), plies));
    }
    rows.add(new Row(TABLE, game.id().bytes(), state(after)));
  }

  /** The removals to commit with the end of a game. */
  public List<Row> rowsOfEnd(GameRef game, GameSnapshot last) {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(TABLE, game.id().bytes(), null));
    rows.add(new Row(TABLE, key(game.id(), TERMS), null));
    for (int chunk = 0; chunk < chunks(last); chunk++) {
      rows.add(new Row(TABLE, key(game.id(), chunk), null));
    }
    return rows;
  }

  /**
   * Reads all games, in the order of their last changes.
   *
   * @param rows by their key, in hex
   * @throws UnreadableRows if one cannot be read
   */
  public List<StoredGame> read(Map<String, byte[]> rows) {
    List<StoredGame> games = new ArrayList<>();
    rows.forEach(
        (key, value) -> {
          if (key.length() == 2 * ID) {
            try {
              games.add(read(EventId.ofHex(key), value, rows));
            } catch (RuntimeException e) {
              throw new UnreadableRows("The journal of game " + key + " is unreadable", e);
            }
          }
        });
    games.sort(Comparator.comparingLong(entry -> entry.snapshot().game().changedAt()));
    return games;
  }

  /**
   * A game as its first row has it.
   *
   * @param first the side that makes the first move
   */
  public record Terms(GameRef ref, Side first) {}

  /** The game whose row with the state has a key, in hex; empty for the key of another row. */
  public static Optional<EventId> gameOf(String key) {
    return key.length() == 2 * ID ? Optional.of(EventId.ofHex(key)) : Optional.empty();
  }

  /**
   * The game whose terms are in a row; empty if the row has something else of a game.
   *
   * @param key in hex
   * @throws UnreadableRows if it cannot be read
   */
  public Optional<Terms> termsIn(String key, byte[] value) {
    if (gameOf(key).isPresent() || !key.endsWith(TERMS_IN_HEX)) {
      return Optional.empty();
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(value);
      RowCodes.requireFormat(in.get(), FORMAT);
      StoredTerms terms = readTerms(EventId.ofHex(key.substring(0, 2 * ID)), in);
      return Optional.of(new Terms(terms.ref(), terms.initial().turn()));
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of game " + key + " is unreadable", e);
    }
  }

  /**
   * The number of plies in a row with the state of a game; empty if the row has something else.
   *
   * @param key in hex
   * @throws UnreadableRows if it cannot be read
   */
  public static OptionalInt pliesIn(String key, byte[] value) {
    if (gameOf(key).isEmpty()) {
      return OptionalInt.empty();
    }
    try {
      ByteBuffer in = ByteBuffer.wrap(value).position(BEFORE_PROPOSAL);
      if (RowCodes.SIDES.orNull(in.get()) != null) {
        in.get(); // the type of the proposal
        readEvidence(in);
      }
      return OptionalInt.of(in.getInt());
    } catch (RuntimeException e) {
      throw new UnreadableRows("The journal of game " + key + " is unreadable", e);
    }
  }

  private static int chunks(GameSnapshot snapshot) {
    return snapshot.plies().size() / CHUNK_PLIES;
  }

  private static byte[] key(EventId game, int chunk) {
    return ByteBuffer.allocate(ID + 4).put(game.bytes()).putInt(chunk).array();
  }

  private static byte[] plies(GameSnapshot snapshot, int from, int to) {
    ByteBuffer out = ByteBuffer.allocate((to - from) * PLY);
    writePlies(out, snapshot, from, to);
    return out.array();
  }

  /** What a step does not change. */
  private static byte[] terms(GameRef ref, OngoingGame game, boolean isPaired) {
    TimeLimits limits = game.clock().limits();
    byte[] initial = ascii(game.initial() == Positions.initial() ? "" : game.initial().fen());
    ByteBuffer out = ByteBuffer.allocate(MAX_TERMS_LENGTH + initial.length);
    out.put(FORMAT);
    for (Side side : Side.values()) {
      out.put(ref.player(side).bytes());
      writeText(out, ascii(ref.dialect(side).name()));
    }
    writeText(out, ascii(limits.control().text()));
    out.putLong(limits.firstMoveMillis());
    out.putLong(limits.lagMillis());
    writeText(out, initial);
    out.putLong(game.startedAt());
    out.put((byte) (isPaired ? 1 : 0));
    return Arrays.copyOf(out.array(), out.position());
  }

  private static byte[] state(GameSnapshot snapshot) {
    OngoingGame game = snapshot.game();
    byte[] proposal = proposal(snapshot);
    int plies = snapshot.plies().size();
    int written = chunks(snapshot) * CHUNK_PLIES;
    ByteBuffer out = ByteBuffer.allocate(STATE_LENGTH + proposal.length + (plies - written) * PLY);
    out.put(FORMAT);
    out.putLong(game.changedAt());
    out.putLong(game.clock().white());
    out.putLong(game.clock().black());
    out.put(RowCodes.SIDES.of(game.clock().running()));
    out.putLong(game.clock().turnSince());
    for (Side side : Side.values()) {
      out.putInt(game.history(side).illegalMoves());
      out.putInt(game.history(side).offeredAt());
      out.putInt(game.history(side).takebackAt());
    }
    out.put(proposal);
    out.putInt(plies);
    writePlies(out, snapshot, written, plies);
    return out.array();
  }

  /** The open proposal and its proof. */
  private static byte[] proposal(GameSnapshot snapshot) {
    Proposal proposal = snapshot.game().proposal();
    if (proposal == null) {
      return new byte[] {RowCodes.NONE};
    }
    List<byte[]> evidence =
        Objects.requireNonNullElse(snapshot.proposal(), List.<String>of()).stream()
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toList();
    ByteBuffer out =
        ByteBuffer.allocate(3 + evidence.stream().mapToInt(text -> text.length + 4).sum());
    out.put(RowCodes.SIDES.of(proposal.by()));
    out.put(RowCodes.PROPOSALS.of(proposal.type()));
    out.put((byte) evidence.size());
    evidence.forEach(text -> out.putInt(text.length).put(text));
    return out.array();
  }

  private static void writePlies(ByteBuffer out, GameSnapshot snapshot, int from, int to) {
    byte[] ids = snapshot.plies().bytes(from, to);
    for (int ply = from; ply < to; ply++) {
      out.putLong(snapshot.game().moves().code(ply));
      out.put(ids, (ply - from) * ID, ID);
    }
  }

  /** Writes a text of at most 255 bytes. */
  private static void writeText(ByteBuffer out, byte[] text) {
    out.put((byte) text.length).put(text);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private StoredGame read(EventId id, byte[] value, Map<String, byte[]> rows) {
    ByteBuffer in = ByteBuffer.wrap(value);
    RowCodes.requireFormat(in.get(), FORMAT);
    ByteBuffer rowOfTerms = termsRow(rows, id);
    StoredTerms terms = readTerms(id, rowOfTerms);
    boolean isPaired = rowOfTerms.get() != 0;
    long changedAt = in.getLong();
    ChessClock clock =
        new ChessClock(
            terms.limits(),
            in.getLong(),
            in.getLong(),
            RowCodes.SIDES.orNull(in.get()),
            in.getLong(),
            0);
    SideHistory white = new SideHistory(in.getInt(), in.getInt(), in.getInt());
    SideHistory black = new SideHistory(in.getInt(), in.getInt(), in.getInt());
    Side by = RowCodes.SIDES.orNull(in.get());
    Proposal proposal = null;
    List<String> evidence = null;
    if (by != null) {
      proposal = new Proposal(RowCodes.PROPOSALS.get(in.get()), by);
      evidence = readEvidence(in);
    }
    int plies = in.getInt();
    PlayedMoves moves = PlayedMoves.NONE;
    MoveEventIds events = MoveEventIds.NONE;
    for (int ply = 0; ply < plies; ply++) {
      ByteBuffer from = ply < plies / CHUNK_PLIES * CHUNK_PLIES ? chunk(rows, id, ply) : in;
      moves = moves.append(from.getLong());
      events = events.append(new EventId(bytes(from, ID)));
    }
    OngoingGame game =
        OngoingGame.restored(
            terms.initial(), moves, white, black, proposal, clock, terms.startedAt(), changedAt);
    return new StoredGame(terms.ref(), new GameSnapshot(game, events, evidence), isPaired);
  }

  private static ByteBuffer termsRow(Map<String, byte[]> rows, EventId game) {
    byte[] row = rows.get(HexFormat.of().formatHex(key(game, TERMS)));
    if (row == null) {
      throw new IllegalArgumentException("the terms are missing");
    }
    ByteBuffer in = ByteBuffer.wrap(row);
    RowCodes.requireFormat(in.get(), FORMAT);
    return in;
  }

  private record StoredTerms(GameRef ref, TimeLimits limits, Position initial, long startedAt) {}

  private StoredTerms readTerms(EventId id, ByteBuffer in) {
    GameRef ref = new GameRef(id, readSeat(in), readSeat(in));
    TimeControl control = TimeControl.parse(readText(in)).orElseThrow();
    TimeLimits limits = new TimeLimits(control, in.getLong(), in.getLong());
    String fen = readText(in);
    Position initial = fen.isEmpty() ? Positions.initial() : Positions.parseFen(fen).orElseThrow();
    return new StoredTerms(ref, limits, initial, in.getLong());
  }

  /** The row that contains a ply, positioned at the ply. */
  private static ByteBuffer chunk(Map<String, byte[]> rows, EventId game, int ply) {
    byte[] row = rows.get(HexFormat.of().formatHex(key(game, ply / CHUNK_PLIES)));
    if (row == null) {
      throw new IllegalArgumentException("ply " + (ply + 1) + " is missing");
    }
    return ByteBuffer.wrap(row).position(ply % CHUNK_PLIES * PLY);
  }

  private GameRef.Seat readSeat(ByteBuffer in) {
    PubKey player = new PubKey(bytes(in, ID));
    String name = readText(in);
    for (Dialect dialect : dialects) {
      if (dialect.name().equals(name)) {
        return new GameRef.Seat(player, dialect);
      }
    }
    throw new IllegalArgumentException("unknown dialect " + name);
  }

  private static List<String> readEvidence(ByteBuffer in) {
    int count = in.get();
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(new String(bytes(in, in.getInt()), StandardCharsets.UTF_8));
    }
    return texts;
  }

  private static String readText(ByteBuffer in) {
    return new String(bytes(in, in.get() & 0xff), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(ByteBuffer in, int length) {
    byte[] bytes = new byte[length];
    in.get(bytes);
    return bytes;
  }
}
