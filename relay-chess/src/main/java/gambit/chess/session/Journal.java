package gambit.chess.session;

import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.GameRef;
import gambit.chess.game.ChessClock;
import gambit.chess.game.Conduct;
import gambit.chess.game.PlayedMoves;
import gambit.chess.game.Playing;
import gambit.chess.game.Proposal;
import gambit.chess.game.Tempo;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Rules;
import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How running games are written down, as rows of the store: one for each game with how it stands
 * and its last plies, and one for each {@value #CHUNK} plies before them, so that a step writes a
 * kilobyte at most, however long the game is. Rows go when the game ends. Pure.
 */
final class Journal {
  static final String TABLE = "chess.games";

  private static final int FORMAT = 1;
  private static final int CHUNK = 32;
  private static final int ID = 32;
  private static final PieceKind[] KINDS = PieceKind.values();

  private final List<Dialect> dialects;

  /**
   * Reads and writes games.
   *
   * @param dialects in which they may be played
   */
  Journal(List<Dialect> dialects) {
    this.dialects = List.copyOf(dialects);
  }

  /** A game that was read. */
  record Entry(GameRef ref, Standing standing) {}

  /** What to write when a game goes on. */
  List<Row> goesOn(GameRef game, @Nullable Standing before, Standing after) {
    List<Row> rows = new ArrayList<>(2);
    int had = before == null ? 0 : chunks(before);
    int has = chunks(after);
    for (int chunk = has; chunk < had; chunk++) {
      rows.add(new Row(TABLE, key(game.id(), chunk), null));
    }
    for (int chunk = had; chunk < has; chunk++) {
      int from = chunk * CHUNK;
      byte[] plies = written(out -> writePlies(out, after, from, from + CHUNK));
      rows.add(new Row(TABLE, key(game.id(), chunk), plies));
    }
    rows.add(new Row(TABLE, game.id().bytes(), written(out -> write(out, game, after))));
    return rows;
  }

  /** What to write when a game is over. */
  List<Row> ends(GameRef game, Standing last) {
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
   * @throws IllegalStateException when one cannot be read
   */
  List<Entry> read(Map<String, byte[]> rows) {
    List<Entry> games = new ArrayList<>();
    rows.forEach(
        (key, value) -> {
          if (key.length() == 2 * ID) {
            try {
              games.add(read(EventId.ofHex(key), value, rows));
            } catch (IOException | IllegalArgumentException e) {
              throw new IllegalStateException("The journal of game " + key + " is unreadable", e);
            }
          }
        });
    games.sort(Comparator.comparingLong(entry -> entry.standing().game().changedAt()));
    return games;
  }

  private static int chunks(Standing standing) {
    return standing.plies().size() / CHUNK;
  }

  private static byte[] key(EventId game, int chunk) {
    return ByteBuffer.allocate(ID + 4).put(game.bytes()).putInt(chunk).array();
  }

  private interface Writing {
    void to(DataOutputStream out) throws IOException;
  }

  private static byte[] written(Writing what) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try {
      what.to(new DataOutputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("memory", e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutputStream out, GameRef ref, Standing standing)
      throws IOException {
    Playing game = standing.game();
    Tempo tempo = game.clock().tempo();
    out.writeByte(FORMAT);
    for (Side side : Side.values()) {
      out.write(ref.player(side).bytes());
      out.writeUTF(ref.dialect(side).name());
    }
    out.writeUTF(tempo.control().text());
    out.writeLong(tempo.firstMoveMillis());
    out.writeLong(tempo.lagMillis());
    out.writeUTF(game.initial().fen());
    out.writeLong(game.startedAt());
    out.writeLong(game.changedAt());
    out.writeLong(game.clock().white());
    out.writeLong(game.clock().black());
    writeSide(out, game.clock().running());
    out.writeLong(game.clock().turnSince());
    for (Side side : Side.values()) {
      out.writeInt(game.conduct(side).illegalMoves());
      out.writeInt(game.conduct(side).offeredAt());
      out.writeInt(game.conduct(side).takebackAt());
    }
    Proposal proposal = game.proposal();
    writeSide(out, proposal == null ? null : proposal.by());
    if (proposal != null) {
      out.writeByte(proposal.kind().ordinal());
      List<String> evidence = standing.proposal() == null ? List.of() : standing.proposal();
      out.writeInt(evidence.size());
      for (String item : evidence) {
        byte[] utf8 = item.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
      }
    }
    int plies = standing.plies().size();
    out.writeInt(plies);
    writePlies(out, standing, chunks(standing) * CHUNK, plies);
  }

  private static void writePlies(DataOutputStream out, Standing standing, int from, int to)
      throws IOException {
    List<Move> moves = standing.game().moves().toList();
    int[] clocks = standing.game().moves().clocks();
    byte[] ids = standing.plies().bytes(from, to);
    for (int ply = from; ply < to; ply++) {
      Move move = moves.get(ply);
      out.writeByte(move.from());
      out.writeByte(move.to());
      out.writeByte(move.promotion() == null ? -1 : move.promotion().ordinal());
      out.writeInt(clocks[ply]);
      out.write(ids, (ply - from) * ID, ID);
    }
  }

  private static void writeSide(DataOutputStream out, @Nullable Side side) throws IOException {
    out.writeByte(side == null ? -1 : side.ordinal());
  }

  private Entry read(EventId id, byte[] value, Map<String, byte[]> rows) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(value));
    int format = in.readByte();
    if (format != FORMAT) {
      throw new IOException("unknown format " + format);
    }
    GameRef ref = new GameRef(id, readSeat(in), readSeat(in));
    TimeControl control =
        TimeControl.parse(in.readUTF()).orElseThrow(() -> new IOException("no time control"));
    Tempo tempo = new Tempo(control, in.readLong(), in.readLong());
    String fen = in.readUTF();
    long startedAt = in.readLong();
    long changedAt = in.readLong();
    ChessClock clock =
        new ChessClock(tempo, in.readLong(), in.readLong(), readSide(in), in.readLong(), 0);
    Conduct white = new Conduct(in.readInt(), in.readInt(), in.readInt());
    Conduct black = new Conduct(in.readInt(), in.readInt(), in.readInt());
    Side by = readSide(in);
    Proposal proposal = null;
    List<String> evidence = null;
    if (by != null) {
      proposal = new Proposal(Proposal.Kind.values()[in.readByte()], by);
      evidence = readStrings(in);
    }
    int plies = in.readInt();
    Plies read = new Plies();
    for (int chunk = 0; chunk < plies / CHUNK; chunk++) {
      byte[] row = rows.get(HexFormat.of().formatHex(key(id, chunk)));
      if (row == null) {
        throw new IOException("its plies from " + chunk * CHUNK + " on are missing");
      }
      read.next(new DataInputStream(new ByteArrayInputStream(row)), CHUNK);
    }
    read.next(in, plies % CHUNK);
    Playing game =
        Playing.restored(
            Rules.parseFen(fen).orElseThrow(() -> new IOException("no position: " + fen)),
            read.moves,
            white,
            black,
            proposal,
            clock,
            startedAt,
            changedAt);
    return new Entry(ref, new Standing(game, PlyEvents.of(read.ids.toByteArray()), evidence));
  }

  /** The plies of a game as they are read. */
  private static final class Plies {
    private PlayedMoves moves = PlayedMoves.NONE;
    private final ByteArrayOutputStream ids = new ByteArrayOutputStream();

    void next(DataInputStream in, int plies) throws IOException {
      for (int i = 0; i < plies; i++) {
        int from = in.readByte();
        int to = in.readByte();
        int promotion = in.readByte();
        Move move = new Move(from, to, promotion < 0 ? null : KINDS[promotion]);
        moves = moves.append(move, in.readInt());
        ids.write(in.readNBytes(ID));
      }
    }
  }

  private GameRef.Seat readSeat(DataInputStream in) throws IOException {
    PubKey player = new PubKey(in.readNBytes(ID));
    String name = in.readUTF();
    for (Dialect dialect : dialects) {
      if (dialect.name().equals(name)) {
        return new GameRef.Seat(player, dialect);
      }
    }
    throw new IOException("unknown dialect " + name);
  }

  private static @Nullable Side readSide(DataInputStream in) throws IOException {
    int side = in.readByte();
    return side < 0 ? null : Side.values()[side];
  }

  private static List<String> readStrings(DataInputStream in) throws IOException {
    List<String> strings = new ArrayList<>();
    int count = in.readInt();
    for (int i = 0; i < count; i++) {
      strings.add(new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8));
    }
    return strings;
  }
}
