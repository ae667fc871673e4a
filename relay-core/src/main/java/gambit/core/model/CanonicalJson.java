package gambit.core.model;

import org.jspecify.annotations.Nullable;

/**
 * The canonical form of a JSON value that is being read: a range of the input for as long as that
 * is canonical itself, else a copy. One thread; the input must not change.
 */
public final class CanonicalJson {
  private static final int MIN_COPY_BYTES = 256; // the fewest bytes for which a copy has room
  private final byte[] input;
  private final int from;
  private int to;
  private @Nullable ByteBuilder copy;

  public CanonicalJson(byte[] input, int from) {
    this.input = input;
    this.from = from;
    this.to = from;
  }

  public void add(int begin, int end) {
    if (copy == null && begin == to) {
      to = end;
    } else {
      copy().add(input, begin, end);
    }
  }

  /** The copy, to which bytes are appended that are not those of the input. */
  public ByteBuilder copy() {
    ByteBuilder known = copy;
    if (known == null) {
      known = new ByteBuilder(Math.max(MIN_COPY_BYTES, 2 * (to - from)));
      known.add(input, from, to);
      copy = known;
    }
    return known;
  }

  /** The array with the bytes from {@link #from} to {@link #to}; it must not be modified. */
  public byte[] array() {
    return copy == null ? input : copy.array();
  }

  public int from() {
    return copy == null ? from : 0;
  }

  public int to() {
    return copy == null ? to : copy.size();
  }

  public int size() {
    return to() - from();
  }

  public String decode() {
    return JsonStrings.decode(array(), from(), to());
  }
}
