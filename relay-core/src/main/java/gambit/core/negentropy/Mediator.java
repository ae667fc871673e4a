package gambit.core.negentropy;

import gambit.core.model.EventId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Learns the difference of two sets that both answer by the protocol: each side's answer becomes
 * the next message to the other side. Where one side has listed its ids of a range, the other side
 * is asked for its own, and the two lists are compared. So neither set need be here: kept are only
 * the lists of the last message, which its length bounds. One thread.
 *
 * <p>A side that lies can only make the result wrong for itself, or never end; the caller bounds
 * the number of messages without a difference, and of differences.
 */
public final class Mediator {
  /** The smallest allowed limit: enough for several ranges, so that each message splits some. */
  public static final int MIN_MESSAGE_BYTES = 1024;

  /**
   * Receives the differences, in no order. An id may be reported more than once, because a
   * fingerprint of all that did not fit into an answer also covers ranges already compared. A side
   * that lies can cause any id.
   */
  public interface Differences {
    void onlyAtFirst(EventId id);

    void onlyAtSecond(EventId id);
  }

  private record Place(Position lower, Position upper) {}

  private final Differences differences;
  private final int maxBytes;

  /** The lists of the message that was passed on last, by their ranges. */
  private Map<Place, List<EventId>> listed = new HashMap<>();

  /** Passes on messages of at most that length. */
  public Mediator(int maxBytes, Differences differences) {
    if (maxBytes < MIN_MESSAGE_BYTES) {
      throw new IllegalArgumentException("messages of " + maxBytes + " bytes are too short");
    }
    this.maxBytes = maxBytes - MessageWriter.MAX_RANGE_BYTES;
    this.differences = differences;
  }

  public byte[] start() {
    MessageWriter out = new MessageWriter();
    out.unknown(Position.INFINITY);
    return out.message();
  }

  /** The message to the second side after the first's answer; empty when all is compared. */
  public Optional<byte[]> toSecond(byte[] answerOfFirst) throws NegentropyException {
    return pass(answerOfFirst, true);
  }

  /** The message to the first side after an answer of the second, likewise. */
  public Optional<byte[]> toFirst(byte[] answerOfSecond) throws NegentropyException {
    return pass(answerOfSecond, false);
  }

  private Optional<byte[]> pass(byte[] answer, boolean ofFirst) throws NegentropyException {
    RangeReader in = new RangeReader(answer);
    if (!in.isVersion1()) {
      throw new NegentropyException("the peer does not know version 1 of the protocol");
    }
    Map<Place, List<EventId>> asked = listed;
    listed = new HashMap<>();
    MessageWriter out = new MessageWriter();
    while (in.hasNext()) {
      Position lower = in.lower();
      Range range = in.next();
      if (out.size() + 2 * MessageWriter.MAX_RANGE_BYTES > maxBytes) {
        out.unknown(Position.INFINITY);
        break;
      }
      if (range instanceof Range.Skip) {
        out.skip(range.upper());
      } else if (range instanceof Range.WithFingerprint theirs) {
        out.fingerprint(range.upper(), theirs.fingerprint());
      } else if (range instanceof Range.WithIds list) {
        Place place = new Place(lower, range.upper());
        List<EventId> others = asked.get(place);
        if (others == null) {
          ask(out, place, list.ids());
        } else {
          compare(ofFirst ? list.ids() : others, ofFirst ? others : list.ids());
          out.skip(range.upper());
        }
      }
    }
    return out.isEmpty() ? Optional.empty() : Optional.of(out.message());
  }

  /**
   * Passes a list on. The receiver answers with its own ids of the range whatever the list has, so
   * one that is too long for a message is passed on as an empty one.
   */
  private void ask(MessageWriter out, Place place, List<EventId> ids) {
    boolean fits = out.size() + 2 * MessageWriter.MAX_RANGE_BYTES + 32L * ids.size() <= maxBytes;
    out.ids(place.upper(), fits ? ids : List.of());
    listed.put(place, ids);
  }

  private void compare(List<EventId> first, List<EventId> second) {
    without(first, second).forEach(differences::onlyAtFirst);
    without(second, first).forEach(differences::onlyAtSecond);
  }

  private static Set<EventId> without(List<EventId> all, List<EventId> removed) {
    Set<EventId> left = new HashSet<>(all);
    removed.forEach(left::remove);
    return left;
  }
}
