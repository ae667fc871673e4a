package gambit.core.negentropy;

import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A set of items in memory: 40 bytes for each, and a sum for each 64th, so that a range's sum costs
 * two searches and at most 128 additions. Immutable.
 */
public final class ListItemSet implements ItemSet {
  private static final int WORDS = 5;
  private static final int ITEMS_OF_A_SUM = 64;

  private final long[] words;
  private final int size;
  private final List<IdSum> sums;

  private ListItemSet(long[] words, int size) {
    this.words = words;
    this.size = size;
    this.sums = new ArrayList<>(size / ITEMS_OF_A_SUM + 1);
    IdSum sum = IdSum.ZERO;
    for (int i = 0; i < size; i++) {
      if (i % ITEMS_OF_A_SUM == 0) {
        sums.add(sum);
      }
      sum = sum.plus(idAt(i));
    }
    if (size % ITEMS_OF_A_SUM == 0) {
      sums.add(sum);
    }
  }

  /** A set of these items, in any order; one that occurs twice counts once. */
  public static ListItemSet of(Iterable<Position> items) {
    Builder builder = new Builder();
    items.forEach(builder::add);
    return builder.build();
  }

  public int size() {
    return size;
  }

  @Override
  public IdSum sum(Position from, Position to) {
    return sum(indexOf(from), indexOf(to));
  }

  @Override
  public List<Position> items(Position from, Position to, int max) {
    int first = indexOf(from);
    int end = indexOf(to);
    List<Position> items = new ArrayList<>(Math.max(0, Math.min(max, end - first)));
    for (int i = first; i < end && items.size() < max; i++) {
      items.add(itemAt(i));
    }
    return items;
  }

  @Override
  public List<Part> split(Position from, Position to, int parts) {
    int first = indexOf(from);
    int count = indexOf(to) - first;
    List<Part> result = new ArrayList<>(parts);
    int lower = first;
    for (int part = 0; part < parts; part++) {
      int upper = lower + count / parts + (part < count % parts ? 1 : 0);
      if (upper > lower) {
        Position bound =
            upper == first + count ? to : Position.between(itemAt(upper - 1), itemAt(upper));
        result.add(new Part(bound, sum(lower, upper)));
      }
      lower = upper;
    }
    return result;
  }

  private IdSum sum(int from, int to) {
    return from >= to ? IdSum.ZERO : sumBefore(to).minus(sumBefore(from));
  }

  private IdSum sumBefore(int index) {
    IdSum sum = sums.get(index / ITEMS_OF_A_SUM);
    for (int i = index - index % ITEMS_OF_A_SUM; i < index; i++) {
      sum = sum.plus(idAt(i));
    }
    return sum;
  }

  private int indexOf(Position bound) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bound.compareTo(itemAt(middle)) > 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private Position itemAt(int index) {
    return new Position(words[index * WORDS], idAt(index));
  }

  private EventId idAt(int index) {
    int at = index * WORDS;
    return new EventId(words[at + 1], words[at + 2], words[at + 3], words[at + 4]);
  }

  /** Collects the items of a set, in any order. One thread. */
  public static final class Builder {
    private long[] words = new long[WORDS * 16];
    private int size;

    public void add(Position item) {
      if ((size + 1) * WORDS > words.length) {
        words = Arrays.copyOf(words, words.length + words.length / 2 / WORDS * WORDS);
      }
      int at = size++ * WORDS;
      words[at] = item.createdAt();
      for (int i = 0; i < 4; i++) {
        words[at + 1 + i] = item.id().word(i);
      }
    }

    public int size() {
      return size;
    }

    /**
     * The set of the items. The builder must not be used again. Up to 125 bytes an item are in use
     * meanwhile, those of the builder included.
     */
    public ListItemSet build() {
      Integer[] order = new Integer[size];
      Arrays.setAll(order, i -> i);
      Arrays.sort(order, this::compare);
      long[] sorted = new long[size * WORDS];
      int count = 0;
      for (int i = 0; i < size; i++) {
        if (i == 0 || compare(order[i - 1], order[i]) != 0) {
          System.arraycopy(words, order[i] * WORDS, sorted, count++ * WORDS, WORDS);
        }
      }
      return new ListItemSet(sorted, count);
    }

    private int compare(Integer first, Integer second) {
      int a = first * WORDS;
      int b = second * WORDS;
      for (int i = 0; i < WORDS; i++) {
        int order = Long.compareUnsigned(words[a + i], words[b + i]);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    }
  }
}
