package gambit.chess.session.journal;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.game.ChessClock;
import gambit.chess.game.Conduct;
import gambit.chess.game.PlayedMoves;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.Tempo;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Rules;
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
import org.jspecify.annotations.Nullable;

/**
 * How running games are written down, as rows of the store: one for each game with how it stands
 * and its last plies, and one for each {@value #CHUNK} plies before them, so that a step writes a
 * kilobyte at most, however long the game is. Rows go when the game ends. Pure.
 */
public final class Journal {
  public static final String TABLE = "chess.games";

  private static final byte FORMAT = 1;
  private static final int CHUNK = 32;
  private static final int ID = 32;
  private static final int PLY = 8 + ID;

  /** More than everything takes that is not of variable length, short texts included. */
  private static final int FIXED = 300;

  private final List<Dialect> dialects;

  /**
   * Reads and writes games.
   *
   * @param dialects in which they may be played
   */
  public Journal(List<Dialect> dialects) {
    this.dialects = List.copyOf(dialects);
  }

  /** A game that was read. */
  public record Entry(GameRef ref, GameSnapshot snapshot) {}

  /** What to write when a game goes on. */
  public List<Row> goesOn(GameRef game, @Nullable GameSnapshot before, GameSnapshot after) {
    List<Row> rows = new ArrayList<>(2);
    int had = before == null ? 0 : chunks(before);
    int has = chunks(after);
    for (int chunk = has; chunk < had; chunk++) {
      rows.add(new Row(TABLE, key(game.id(), chunk), null));
    }
    for (int chunk = had; chunk < has; chunk++) {
      byte[] plies = plies(after, chunk * CHUNK, (chunk + 1) * CHUNK);
      rows.add(new Row(TABLE, key(game.id(), chunk), plies));
    }
    rows.add(new Row(TABLE, game.id().bytes(), state(game, after)));
    return rows;
  }

  /** What to write when a game is over. */
  public List<Row> ends(GameRef game, GameSnapshot last) {
    List<Row> rows = new ArrayList<>();
    rows.add(new Row(TABLE, game.id().bytes(), null));
    for (int chunk = 0; chunk < chunks(last); chunk++) {
      rows.add(new Row(TABLE, key(game.id(), chunk), null));
    }
    return rows;
  }

  /**
   * Reads all games, the one that has changed last at the end.
   *
   * @param rows by their key, in hex
   * @throws UnreadableRows when one cannot be read
   */
  public List<Entry> read(Map<String, byte[]> rows) {
    List<Entry> games = new ArrayList<>();
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

  private static int chunks(GameSnapshot snapshot) {
    return snapshot.plies().size() / CHUNK;
  }

  private static byte[] key(EventId game, int chunk) {
    return ByteBuffer.allocate(ID + 4).put(game.bytes()).putInt(chunk).array();
  }

  private static byte[] plies(GameSnapshot snapshot, int from, int to) {
    ByteBuffer out = ByteBuffer.allocate((to - from) * PLY);
    writePlies(out, snapshot, from, to);
    return out.array();
  }

  private static byte[] state(GameRef ref, GameSnapshot snapshot) {
    Playing game = snapshot.game();
    Tempo tempo = game.clock().tempo();
    byte[] proposal = proposal(snapshot);
    byte[] initial = ascii(game.initial() == Rules.initial() ? "" : game.initial().fen());
    int plies = snapshot.plies().size();
    int written = chunks(snapshot) * CHUNK;
    ByteBuffer out =
        ByteBuffer.allocate(FIXED + initial.length + proposal.length + (plies - written) * PLY);
    out.put(FORMAT);
    for (Side side : Side.values()) {
      out.put(ref.player(side).bytes());
      writeText(out, ascii(ref.dialect(side).name()));
    }
    writeText(out, ascii(tempo.control().text()));
    out.putLong(tempo.firstMoveMillis());
    out.putLong(tempo.lagMillis());
    writeText(out, initial);
    out.putLong(game.startedAt());
    out.putLong(game.changedAt());
    out.putLong(game.clock().white());
    out.putLong(game.clock().black());
    out.put(RowCodes.of(game.clock().running()));
    out.putLong(game.clock().turnSince());
    for (Side side : Side.values()) {
      out.putInt(game.conduct(side).illegalMoves());
      out.putInt(game.conduct(side).offeredAt());
      out.putInt(game.conduct(side).takebackAt());
    }
    out.put(proposal);
    out.putInt(plies);
    writePlies(out, snapshot, written, plies);
    return Arrays.copyOf(out.array(), out.position());
  }

  /** Who proposes what, and what proves it. */
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
    out.put(RowCodes.of(proposal.by()));
    out.put(RowCodes.of(proposal.kind()));
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

  /** A short text: up to 255 bytes. */
  private static void writeText(ByteBuffer out, byte[] text) {
    out.put((byte) text.length).put(text);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private Entry read(EventId id, byte[] value, Map<String, byte[]> rows) {
    ByteBuffer in = ByteBuffer.wrap(value);
    int format = in.get();
    if (format != FORMAT) {
      throw new IllegalArgumentException("unknown format " + format);
    }
    GameRef ref = new GameRef(id, readSeat(in), readSeat(in));
    TimeControl control = TimeControl.parse(readText(in)).orElseThrow();
    Tempo tempo = new Tempo(control, in.getLong(), in.getLong());
    String fen = readText(in);
    Position initial = fen.isEmpty() ? Rules.initial() : Rules.parseFen(fen).orElseThrow();
    long startedAt = in.getLong();
    long changedAt = in.getLong();
    ChessClock clock =
        new ChessClock(tempo, in.getLong(), in.getLong(), RowCodes.side(in.get()), in.getLong(), 0);
    Conduct white = new Conduct(in.getInt(), in.getInt(), in.getInt());
    Conduct black = new Conduct(in.getInt(), in.getInt(), in.getInt());
    Side by = RowCodes.side(in.get());
    Proposal proposal = null;
    List<String> evidence = null;
    if (by != null) {
      proposal = new Proposal(RowCodes.proposal(in.get()), by);
      evidence = readEvidence(in);
    }
    int plies = in.getInt();
    PlayedMoves moves = PlayedMoves.NONE;
    PlyEvents events = PlyEvents.NONE;
    for (int ply = 0; ply < plies; ply++) {
      ByteBuffer from = ply < plies / CHUNK * CHUNK ? chunk(rows, id, ply) : in;
      moves = moves.append(from.getLong());
      events = events.append(new EventId(bytes(from, ID)));
    }
    Playing game =
        Playing.restored(initial, moves, white, black, proposal, clock, startedAt, changedAt);
    return new Entry(ref, new GameSnapshot(game, events, evidence));
  }

  /** The row with a ply, at that ply. */
  private static ByteBuffer chunk(Map<String, byte[]> rows, EventId game, int ply) {
    byte[] row = rows.get(HexFormat.of().formatHex(key(game, ply / CHUNK)));
    if (row == null) {
      throw new IllegalArgumentException("ply " + (ply + 1) + " is missing");
    }
    return ByteBuffer.wrap(row).position(ply % CHUNK * PLY);
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
