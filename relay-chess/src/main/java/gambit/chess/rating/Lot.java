package gambit.chess.rating;

import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Sha256;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The lot that has decided the colours of a game. Immutable.
 *
 * @param chain the number of the chain, from 1
 * @param position the position in the chain, from 1
 * @param value the revealed value, in hex
 * @param white the event by which White came to the game
 */
public record Lot(int chain, int position, String value, EventId white, EventId black) {
  public static final String TAG = "lot";

  /** Draws the colours of the authors of two events with a value. */
  public static Lot draw(int chain, int position, byte[] value, EventId first, EventId second) {
    String hex = HexFormat.of().formatHex(value);
    return isWhite(value, first, second)
        ? new Lot(chain, position, hex, first, second)
        : new Lot(chain, position, hex, second, first);
  }

  /** Whether a value gives White to the author of the first event. */
  public static boolean isWhite(byte[] value, EventId first, EventId second) {
    boolean isFirstSmaller = first.compareTo(second) < 0;
    MessageDigest sha256 = Sha256.digest();
    sha256.update(value);
    sha256.update((isFirstSmaller ? first : second).bytes());
    sha256.update((isFirstSmaller ? second : first).bytes());
    boolean isSmallerWhite = sha256.digest()[0] >= 0;
    return isFirstSmaller == isSmallerWhite;
  }

  public List<String> tag() {
    return List.of(TAG, "" + chain, "" + position, value, white.hex(), black.hex());
  }

  public static Optional<Lot> parse(List<String> tag) {
    boolean isWellFormed =
        tag.size() == 6
            && tag.subList(1, 3).stream().allMatch(number -> number.matches("[1-9][0-9]{0,8}"))
            && tag.subList(3, 6).stream().allMatch(hash -> Hex.isLowerCase(hash, 64));
    return isWellFormed
        ? Optional.of(
            new Lot(
                Integer.parseInt(tag.get(1)),
                Integer.parseInt(tag.get(2)),
                tag.get(3),
                EventId.ofHex(tag.get(4)),
                EventId.ofHex(tag.get(5))))
        : Optional.empty();
  }

  /** Whether the value gives White to the author of White's event. */
  public boolean isFollowed() {
    return isWhite(HexFormat.of().parseHex(value), white, black);
  }

  /** Whether the value is the one at its position of the chain with a published value, in hex. */
  public boolean isOfChain(String end) {
    return LotChain.hashed(HexFormat.of().parseHex(value), position).equals(end);
  }
}
