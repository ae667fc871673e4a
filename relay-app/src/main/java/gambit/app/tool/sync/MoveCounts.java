package gambit.app.tool.sync;

import gambit.app.common.SafeText;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What became of the events that one relay lacked. Confined to one thread. */
public final class MoveCounts {
  public interface MoveObserver {
    MoveObserver NONE = (isHere, isStored) -> {};

    /** An event was stored or refused, by this relay or by the peer. */
    void moved(boolean isHere, boolean isStored);
  }

  private static final int MAX_REASONS = 20;
  private static final int MAX_REASON_CHARS = 120;
  private static final String OTHERS = "other reasons";

  /** What became of events; {@code LACKED} is all that the comparison has found. */
  public enum Fate {
    LACKED,
    STORED,
    KNOWN,
    REFUSED,
    /** Refused, since they are not what an author signed, or otherwise invalid. */
    INVALID,
    /** The other relay claims to have them, and does not serve them. */
    UNDELIVERED
  }

  private final MoveObserver observer;
  private final boolean isHere;
  private final Map<Fate, Long> counts = new EnumMap<>(Fate.class);
  private long oldestLeft = Long.MAX_VALUE;
  private final Map<String, Long> reasons = new LinkedHashMap<>();

  MoveCounts(MoveObserver observer, boolean isHere) {
    this.observer = observer;
    this.isHere = isHere;
  }

  public long get(Fate fate) {
    return counts.getOrDefault(fate, 0L);
  }

  /** The number of the events that were lacked of which it is known what became of them. */
  long done() {
    return get(Fate.STORED) + get(Fate.KNOWN) + get(Fate.REFUSED) + get(Fate.UNDELIVERED);
  }

  void add(Fate fate, long events) {
    counts.merge(fate, events, Long::sum);
    if (fate == Fate.STORED || fate == Fate.REFUSED) {
      observer.moved(isHere, fate == Fate.STORED);
    }
  }

  /** An event was refused, or is not sent, for a reason that a relay may have written. */
  void refuse(String reason) {
    refuse(reason, reason.startsWith("invalid:"));
  }

  /** The same; {@code isFaulty} if the source should not have had the event. */
  void refuse(String reason, boolean isFaulty) {
    add(Fate.REFUSED, 1);
    add(Fate.INVALID, isFaulty ? 1 : 0);
    String text = SafeText.of(reason, MAX_REASON_CHARS);
    String counted = reasons.containsKey(text) || reasons.size() < MAX_REASONS ? text : OTHERS;
    reasons.merge(counted, 1L, Long::sum);
  }

  /** An event was refused that a later comparison moves again. */
  void leave(long createdAt) {
    oldestLeft = Math.min(oldestLeft, createdAt);
  }

  /** The {@code created_at} of the oldest event to be moved again; the maximum if there is none. */
  long oldestLeft() {
    return oldestLeft;
  }

  public Map<String, Long> reasons() {
    return Collections.unmodifiableMap(reasons);
  }
}
