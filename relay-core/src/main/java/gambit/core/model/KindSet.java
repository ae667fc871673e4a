package gambit.core.model;

import java.util.BitSet;
import java.util.Collection;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A set of event kinds, such as an operator lists as numbers and ranges. {@link #contains} takes
 * constant time, and a set has at most 8 KB, however many kinds its ranges have. Immutable.
 */
public final class KindSet {
  private static final int MAX_TEXT_LENGTH = 10_000;
  private static final Pattern RANGE = Pattern.compile("([0-9]{1,5})(?:-([0-9]{1,5}))?");

  public static final KindSet NONE = new KindSet(new BitSet());
  public static final KindSet ALL = parse("*");

  private final BitSet kinds;
  private final boolean isAll;

  private KindSet(BitSet kinds) {
    this.kinds = kinds;
    this.isAll = kinds.cardinality() == Kind.MAX + 1;
  }

  /** The set of these kinds; another number is an {@link IllegalArgumentException}. */
  public static KindSet of(int... kinds) {
    BitSet bits = new BitSet();
    for (int kind : kinds) {
      if (kind < 0 || kind > Kind.MAX) {
        throw new IllegalArgumentException(kind + " is not a kind: a number from 0 to " + Kind.MAX);
      }
      bits.set(kind);
    }
    return new KindSet(bits);
  }

  /**
   * Reads {@code *} (all kinds), or kinds and ranges joined by {@code +}: {@code 7+1000-1999}. An
   * {@link IllegalArgumentException} names the wrong part and the form.
   */
  public static KindSet parse(String text) {
    BitSet bits = new BitSet();
    if (text.strip().equals("*")) {
      bits.set(0, Kind.MAX + 1);
      return new KindSet(bits);
    }
    if (text.length() > MAX_TEXT_LENGTH) {
      throw new IllegalArgumentException(
          "a set of kinds has more than " + MAX_TEXT_LENGTH + " characters");
    }
    for (String part : text.split("\\+", -1)) {
      Matcher range = RANGE.matcher(part.strip());
      int first = range.matches() ? Integer.parseInt(range.group(1)) : Integer.MAX_VALUE;
      int last =
          range.matches() && range.group(2) != null ? Integer.parseInt(range.group(2)) : first;
      if (first > last || last > Kind.MAX) {
        throw new IllegalArgumentException(
            "\""
                + part.strip()
                + "\" is not a kind (0 to "
                + Kind.MAX
                + "), or a range as in 1000-1999");
      }
      bits.set(first, last + 1);
    }
    return new KindSet(bits);
  }

  public static KindSet union(Collection<KindSet> sets) {
    BitSet bits = new BitSet();
    sets.forEach(set -> bits.or(set.kinds));
    return new KindSet(bits);
  }

  public boolean contains(int kind) {
    return kind >= 0 && kinds.get(kind);
  }

  public boolean isEmpty() {
    return kinds.isEmpty();
  }

  public boolean isAll() {
    return isAll;
  }

  public boolean intersects(KindSet other) {
    return kinds.intersects(other.kinds);
  }

  public boolean containsAll(KindSet other) {
    BitSet missing = (BitSet) other.kinds.clone();
    missing.andNot(kinds);
    return missing.isEmpty();
  }

  public IntStream stream() {
    return kinds.stream();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KindSet that && kinds.equals(that.kinds);
  }

  @Override
  public int hashCode() {
    return kinds.hashCode();
  }

  /** The shortest text that {@link #parse(String)} reads as this set; empty for the empty set. */
  @Override
  public String toString() {
    if (isAll) {
      return "*";
    }
    StringJoiner text = new StringJoiner("+");
    for (int first = kinds.nextSetBit(0); first >= 0; ) {
      int end = kinds.nextClearBit(first);
      text.add(end - first == 1 ? "" + first : first + "-" + (end - 1));
      first = kinds.nextSetBit(end);
    }
    return text.toString();
  }
}
