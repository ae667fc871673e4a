package gambit.core.negentropy;

import gambit.core.model.ByteBuilder;

/** Unsigned numbers as digits of seven bits, the most significant one first. */
final class Varints {
  private Varints() {}

  static void write(ByteBuilder out, long number) {
    int digits = Math.max(1, (70 - Long.numberOfLeadingZeros(number)) / 7);
    for (int digit = digits - 1; digit >= 0; digit--) {
      int bits = (int) (number >>> 7 * digit) & 0x7f;
      out.add(digit == 0 ? bits : bits | 0x80);
    }
  }
}
