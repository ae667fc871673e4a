package gambit.app.tool.sync;

import gambit.app.common.SafeText;
import java.util.Collections;
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

  private final MoveObserver observer;
  private final boolean isHere;
  private long lacking;
  private long stored;
  private long known;
  private long refused;
  private long invalid;
  private long undelivered;
  private long oldestLeft = Long.MAX_VALUE;
  private final Map<String, Long> reasons = new LinkedHashMap<>();

  MoveCounts(MoveObserver observer, boolean isHere) {
    this.observer = observer;
    this.isHere = isHere;
  }

  void lack() {
    lacking++;
  }

  void store() {
    stored++;
    observer.moved(isHere, true);
  }

  void know() {
    known++;
  }

  /** An event was refused, or is not sent, for a reason that a relay may have written. */
  void refuse(String reason) {
    refuse(reason, reason.startsWith("invalid:"));
  }

  /** The same; {@code isFaulty} if the source should not have had the event. */
  void refuse(String reason, boolean isFaulty) {
    refused++;
    observer.moved(isHere, false);
    invalid += isFaulty ? 1 : 0;
    String text = SafeText.of(reason, MAX_REASON_CHARS);
    String counted = reasons.containsKey(text) || reasons.size() < MAX_REASONS ? text : OTHERS;
    reasons.merge(counted, 1L, Long::sum);
  }

  /** An event was refused that a later comparison moves again. */
  void leave(long createdAt) {
    oldestLeft = Math.min(oldestLeft, createdAt);
  }

  void undelivered(long events) {
    undelivered += events;
  }

  /** The {@code created_at} of the oldest event to be moved again; the maximum if there is none. */
  long oldestLeft() {
    return oldestLeft;
  }

  /** The number of events that the comparison has found. */
  public long lacked() {
    return lacking;
  }

  /** The number of those of which it is known what became of them. */
  long done() {
    return stored + known + refused + undelivered;
  }

  public long stored() {
    return stored;
  }

  public long known() {
    return known;
  }

  public long refused() {
    return refused;
  }

  /** Refused events that are not what an author signed, or otherwise invalid. */
  long invalid() {
    return invalid;
  }

  /** Events that the other relay claims to have, and does not serve. */
  public long undelivered() {
    return undelivered;
  }

  /** Refused events by reason, in the order of their first occurrence. */
  public Map<String, Long> reasons() {
    return Collections.unmodifiableMap(reasons);
  }
}
