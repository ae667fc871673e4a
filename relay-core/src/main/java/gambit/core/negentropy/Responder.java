package gambit.core.negentropy;

import gambit.core.model.EventId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer of one set to one message: every range that the message does not skip is compared, and
 * where the sets differ, the answer has this set's ids, or fingerprints of its parts. What does not
 * fit is answered with one fingerprint of all the rest, about which the peer asks again. The work
 * is done in turns, since a message may have thousands of ranges. One thread.
 */
public final class Responder {
  public static final int MIN_ANSWER_BYTES = 4096;

  private static final int PARTS = 16;

  /** A range with fewer items is answered with its ids. */
  private static final int MIN_SPLIT_ITEMS = 2 * PARTS;

  /** The most bytes of a range's answer as parts, or as fewer ids than are split. */
  private static final int MAX_SPLIT_BYTES =
      Math.max(
          PARTS * MessageWriter.MAX_RANGE_BYTES,
          MessageWriter.MAX_RANGE_BYTES + MIN_SPLIT_ITEMS * 32);

  /** Few enough that it does not take long to find them, scattered among many others. */
  private static final int MAX_ITEMS_OF_A_STEP = 32;

  /** The ids of a range, of which a part may have been read by earlier steps. */
  private static final class IdListing {
    private final Position lower;
    private final Position upper;
    private final List<EventId> ids = new ArrayList<>();
    private @Nullable Position last;

    private IdListing(Position lower, Position upper) {
      this.lower = lower;
      this.upper = upper;
    }

    private void add(Position item) {
      ids.add(item.id());
      last = item;
    }

    /** The items after the ones read; the last of these may have been removed meanwhile. */
    private List<Position> next(ItemSet items, int max) {
      Position before = last;
      if (before == null) {
        return items.items(lower, upper, max);
      }
      List<Position> found = items.items(before, upper, max + 1);
      boolean isThere = !found.isEmpty() && found.get(0).equals(before);
      return found.subList(isThere ? 1 : 0, Math.min(found.size(), isThere ? max + 1 : max));
    }
  }

  private final ItemSet items;
  private final RangeReader query;
  private final int maxBytes;
  private final MessageWriter answer = new MessageWriter();
  private @Nullable IdListing listing;
  private boolean complete;

  /** An answer of at most that length, not begun yet; refuses a message of no version. */
  public Responder(ItemSet items, byte[] message, int maxBytes) throws NegentropyException {
    if (maxBytes < MIN_ANSWER_BYTES) {
      throw new IllegalArgumentException("an answer of " + maxBytes + " bytes is too short");
    }
    this.items = items;
    this.query = new RangeReader(message);
    this.maxBytes = maxBytes - MessageWriter.MAX_RANGE_BYTES;
    // The answer to another version is the byte of this one, without ranges.
    this.complete = !query.isVersion1() || !query.hasNext();
  }

  /**
   * Takes the next steps, at most that many; returns whether the answer is complete. Each handles a
   * range of the message: an equal one costs a sum, another one a split into 16, or the reading of
   * the ids that fit, which takes a step for each {@value #MAX_ITEMS_OF_A_STEP} of them.
   */
  public boolean advance(int steps) throws NegentropyException {
    for (int i = 0; i < steps && !complete; i++) {
      if (listing == null) {
        handleNextRange();
      } else {
        readIds(listing);
      }
      complete |= listing == null && !query.hasNext();
    }
    return complete;
  }

  private void handleNextRange() throws NegentropyException {
    Position lower = query.lower();
    Range range = query.next();
    if (range instanceof Range.Skip) {
      answer.skip(range.upper());
    } else if (answer.size() + MAX_SPLIT_BYTES > maxBytes) {
      closeWithFingerprint();
    } else if (range instanceof Range.WithFingerprint theirs) {
      compare(lower, theirs);
    } else {
      readIds(new IdListing(lower, range.upper()));
    }
  }

  public byte[] answer() {
    if (!complete) {
      throw new IllegalStateException("the answer is not complete");
    }
    return answer.message();
  }

  private void compare(Position lower, Range.WithFingerprint theirs) {
    IdSum ours = items.sum(lower, theirs.upper());
    if (ours.fingerprint().equals(theirs.fingerprint())) {
      answer.skip(theirs.upper());
    } else if (ours.count() < MIN_SPLIT_ITEMS) {
      readIds(new IdListing(lower, theirs.upper()));
    } else {
      for (ItemSet.Part part : items.split(lower, theirs.upper(), PARTS)) {
        answer.fingerprint(part.upper(), part.sum().fingerprint());
      }
    }
  }

  /** Reads the next ids of a range; answers when there are no more, or no more fit. */
  private void readIds(IdListing current) {
    int maxBytesOfIds = maxBytes - answer.size() - MessageWriter.MAX_RANGE_BYTES;
    int room = maxBytesOfIds / 32 - current.ids.size();
    int wanted = Math.min(room + 1, MAX_ITEMS_OF_A_STEP);
    List<Position> found = current.next(items, wanted);
    found.subList(0, Math.min(room, found.size())).forEach(current::add);
    Position last = current.last;
    if (found.size() > room && last != null) {
      listing = null;
      answer.ids(Position.between(last, found.get(room)), current.ids);
      closeWithFingerprint();
    } else if (found.size() < wanted) {
      listing = null;
      answer.ids(current.upper, current.ids);
    } else {
      listing = current;
    }
  }

  private void closeWithFingerprint() {
    answer.fingerprint(
        Position.INFINITY, items.sum(answer.covered(), Position.INFINITY).fingerprint());
    complete = true;
  }
}
