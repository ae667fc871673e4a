package gambit.chess.session.journal;

import gambit.chess.game.Proposal;
import gambit.chess.rules.Side;
import gambit.core.wire.Reason;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the values of an enum in stored rows: their places in a list, at whose end new
 * values are added. So the number of a value never changes and is never reused. Pure.
 */
final class RowCodes<E extends Enum<E>> {
  /** The number of an absent value. */
  static final byte NONE = -1;

  static final RowCodes<Side> SIDES = new RowCodes<>("side", List.of(Side.WHITE, Side.BLACK));

  static final RowCodes<Proposal.Type> PROPOSALS =
      new RowCodes<>("proposal", List.of(Proposal.Type.DRAW, Proposal.Type.TAKEBACK));

  static final RowCodes<SeenRows.Effect> EFFECTS =
      new RowCodes<>(
          "effect", List.of(SeenRows.Effect.COMMAND, SeenRows.Effect.SEARCH, SeenRows.Effect.NONE));

  static final RowCodes<Reason.Prefix> PREFIXES =
      new RowCodes<>(
          "prefix",
          List.of(
              Reason.Prefix.DUPLICATE,
              Reason.Prefix.POW,
              Reason.Prefix.BLOCKED,
              Reason.Prefix.RATE_LIMITED,
              Reason.Prefix.INVALID,
              Reason.Prefix.RESTRICTED,
              Reason.Prefix.MUTE,
              Reason.Prefix.ERROR,
              Reason.Prefix.AUTH_REQUIRED,
              Reason.Prefix.UNSUPPORTED,
              Reason.Prefix.CLOSED));

  private final String what;
  private final List<E> values;

  private RowCodes(String what, List<E> values) {
    if (values.size() != values.get(0).getDeclaringClass().getEnumConstants().length) {
      throw new IllegalArgumentException("a " + what + " has no number");
    }
    this.what = what;
    this.values = values;
  }

  byte of(@Nullable E value) {
    return value == null ? NONE : (byte) values.indexOf(value);
  }

  /**
   * The value with a number.
   *
   * @throws IllegalArgumentException if the number is unknown
   */
  E get(byte code) {
    if (code < 0 || code >= values.size()) {
      throw new IllegalArgumentException("unknown " + what + " " + code);
    }
    return values.get(code);
  }

  /** As {@link #get}; null for {@link #NONE}. */
  @Nullable E orNull(byte code) {
    return code == NONE ? null : get(code);
  }

  /** Checks the format of a row or of a note. */
  static void requireFormat(byte format, byte known) {
    if (format != known) {
      throw new IllegalArgumentException("unknown format " + format);
    }
  }
}
