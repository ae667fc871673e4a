package gambit.chess.session.journal;

import gambit.chess.game.ProposalType;
import gambit.chess.rules.Side;
import gambit.core.wire.Reason;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of enum values in stored rows. The number of a value never changes and is never
 * reused for another one. Pure.
 */
final class RowCodes {
  /** The number of an absent value. */
  static final byte NONE = -1;

  private RowCodes() {}

  static byte of(@Nullable Side side) {
    if (side == null) {
      return NONE;
    }
    return switch (side) {
      case WHITE -> 0;
      case BLACK -> 1;
    };
  }

  /**
   * The side with a number; null for {@link #NONE}.
   *
   * @throws IllegalArgumentException if the number is unknown
   */
  static @Nullable Side side(byte code) {
    return switch (code) {
      case NONE -> null;
      case 0 -> Side.WHITE;
      case 1 -> Side.BLACK;
      default -> throw unknown("side", code);
    };
  }

  static byte of(ProposalType type) {
    return switch (type) {
      case DRAW -> 0;
      case TAKEBACK -> 1;
    };
  }

  /**
   * The proposal with a number.
   *
   * @throws IllegalArgumentException if the number is unknown
   */
  static ProposalType proposal(byte code) {
    return switch (code) {
      case 0 -> ProposalType.DRAW;
      case 1 -> ProposalType.TAKEBACK;
      default -> throw unknown("proposal", code);
    };
  }

  static byte of(Reason.Prefix prefix) {
    return switch (prefix) {
      case DUPLICATE -> 0;
      case POW -> 1;
      case BLOCKED -> 2;
      case RATE_LIMITED -> 3;
      case INVALID -> 4;
      case RESTRICTED -> 5;
      case MUTE -> 6;
      case ERROR -> 7;
      case AUTH_REQUIRED -> 8;
      case UNSUPPORTED -> 9;
      case CLOSED -> 10;
    };
  }

  /**
   * The prefix with a number.
   *
   * @throws IllegalArgumentException if the number is unknown
   */
  static Reason.Prefix prefix(byte code) {
    return switch (code) {
      case 0 -> Reason.Prefix.DUPLICATE;
      case 1 -> Reason.Prefix.POW;
      case 2 -> Reason.Prefix.BLOCKED;
      case 3 -> Reason.Prefix.RATE_LIMITED;
      case 4 -> Reason.Prefix.INVALID;
      case 5 -> Reason.Prefix.RESTRICTED;
      case 6 -> Reason.Prefix.MUTE;
      case 7 -> Reason.Prefix.ERROR;
      case 8 -> Reason.Prefix.AUTH_REQUIRED;
      case 9 -> Reason.Prefix.UNSUPPORTED;
      case 10 -> Reason.Prefix.CLOSED;
      default -> throw unknown("prefix", code);
    };
  }

  static byte of(SeenRows.Effect effect) {
    return switch (effect) {
      case COMMAND -> 0;
      case SEARCH -> 1;
      case NONE -> 2;
    };
  }

  /**
   * The effect with a number.
   *
   * @throws IllegalArgumentException if the number is unknown
   */
  static SeenRows.Effect effect(byte code) {
    return switch (code) {
      case 0 -> SeenRows.Effect.COMMAND;
      case 1 -> SeenRows.Effect.SEARCH;
      case 2 -> SeenRows.Effect.NONE;
      default -> throw unknown("effect", code);
    };
  }

  private static IllegalArgumentException unknown(String what, byte code) {
    return new IllegalArgumentException("unknown " + what + " " + code);
  }
}
