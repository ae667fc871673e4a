package gambit.chess.session.preview;

import gambit.chess.rules.Move;
import gambit.chess.rules.Piece;
import gambit.chess.rules.PieceKind;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Draws a position as a PNG image with a palette, White below, with the last move marked; some 10
 * KB. The pieces are those of {@code clients/web/scripts/make-picture-pieces.mjs}; so nothing of
 * the module java.desktop is needed. Thread-safe.
 */
final class BoardPicture {
  static final int WIDTH = 1200;
  static final int HEIGHT = 630;

  private static final List<PieceKind> KINDS = List.of(PieceKind.values());

  private static final int SQUARE = 78;
  private static final int LEFT = (WIDTH - 8 * SQUARE) / 2;
  private static final int TOP = (HEIGHT - 8 * SQUARE) / 2;

  private static final int AROUND = 0x1c7254;

  /** Light and dark squares, then those of the last move. */
  private static final int[] SQUARES = {0xe9e8dc, 0x7fa08d, 0xe4d987, 0xaab15b};

  /** The edge, the body and the lines on it, for each side. */
  private static final int[][] PIECES = {
    {0x343a37, 0xffffff, 0x343a37}, {0x161a18, 0x3d4441, 0xe4e6df},
  };

  /** What a byte of a piece means, from 0. */
  private static final int MEANINGS = 9;

  private static final byte[] SIGNATURE = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  private static final byte BITS = 8;
  private static final byte WITH_PALETTE = 3;

  private final byte[] pieces = pieces();
  private final byte[] palette = palette();

  private static byte[] pieces() {
    try (InputStream in = BoardPicture.class.getResourceAsStream("pieces.z")) {
      if (in == null) {
        throw new IllegalStateException("the pieces are missing");
      }
      byte[] pieces = new InflaterInputStream(in).readAllBytes();
      if (pieces.length != PieceKind.values().length * SQUARE * SQUARE) {
        throw new IllegalStateException("the pieces have another size");
      }
      return pieces;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The colours by square, side and meaning; at last what is around the board. */
  private static byte[] palette() {
    ByteBuffer out = ByteBuffer.allocate(3 * (colour(SQUARES.length, 0, 0) + 1));
    for (int square : SQUARES) {
      for (int[] piece : PIECES) {
        for (int meaning = 0; meaning < MEANINGS; meaning++) {
          put(out, mixed(square, piece[0], piece[1], piece[2], meaning));
        }
      }
    }
    put(out, AROUND);
    return out.array();
  }

  private static int mixed(int square, int edge, int body, int line, int meaning) {
    return switch (meaning) {
      case 0 -> square;
      case 1, 2 -> mix(square, edge, meaning / 3.0);
      case 3, 4, 5, 6 -> mix(edge, body, (meaning - 3) / 3.0);
      case 7 -> line;
      default -> mix(line, body, 0.5);
    };
  }

  private static int mix(int from, int to, double share) {
    int mixed = 0;
    for (int shift = 16; shift >= 0; shift -= 8) {
      int a = from >> shift & 0xff;
      int b = to >> shift & 0xff;
      mixed |= (int) Math.round(a + (b - a) * share) << shift;
    }
    return mixed;
  }

  private static void put(ByteBuffer out, int colour) {
    out.put((byte) (colour >> 16)).put((byte) (colour >> 8)).put((byte) colour);
  }

  private static int colour(int square, int side, int meaning) {
    return (square * PIECES.length + side) * MEANINGS + meaning;
  }

  byte[] draw(Position position, @Nullable Move last) {
    byte[][] rows = new byte[HEIGHT][WIDTH + 1]; // each begins with its filter: none
    for (byte[] row : rows) {
      Arrays.fill(row, 1, row.length, (byte) colour(SQUARES.length, 0, 0));
    }
    for (int square = 0; square < 64; square++) {
      boolean isMarked = last != null && (last.from() == square || last.to() == square);
      boolean isDark = (square / 8 + square % 8) % 2 == 0;
      drawSquare(rows, square, (isMarked ? 2 : 0) + (isDark ? 1 : 0), position.at(square));
    }
    return png(rows);
  }

  private void drawSquare(byte[][] rows, int square, int ground, Optional<Piece> piece) {
    int x = LEFT + square % 8 * SQUARE + 1;
    int y = TOP + (7 - square / 8) * SQUARE;
    int side = piece.map(it -> it.side() == Side.WHITE ? 0 : 1).orElse(0);
    int from = piece.map(it -> KINDS.indexOf(it.kind()) * SQUARE * SQUARE).orElse(-1);
    for (int i = 0; i < SQUARE * SQUARE; i++) {
      int meaning = from < 0 ? 0 : pieces[from + i];
      rows[y + i / SQUARE][x + i % SQUARE] = (byte) colour(ground, side, meaning);
    }
  }

  private byte[] png(byte[][] rows) {
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    Deflater deflater = new Deflater();
    try (DeflaterOutputStream out = new DeflaterOutputStream(compressed, deflater)) {
      for (byte[] row : rows) {
        out.write(row);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      deflater.end();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(SIGNATURE);
    ByteBuffer header = ByteBuffer.allocate(13).putInt(WIDTH).putInt(HEIGHT);
    chunk(out, "IHDR", header.put(BITS).put(WITH_PALETTE).array());
    chunk(out, "PLTE", palette);
    chunk(out, "IDAT", compressed.toByteArray());
    chunk(out, "IEND", new byte[0]);
    return out.toByteArray();
  }

  private static void chunk(ByteArrayOutputStream out, String type, byte[] content) {
    byte[] name = type.getBytes(StandardCharsets.US_ASCII);
    CRC32 checksum = new CRC32();
    checksum.update(name);
    checksum.update(content);
    out.writeBytes(ByteBuffer.allocate(4).putInt(content.length).array());
    out.writeBytes(name);
    out.writeBytes(content);
    out.writeBytes(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
  }
}
