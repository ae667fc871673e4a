package gambit.app.tool.play;

import gambit.app.tool.client.ReceivedInvite;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The invites that wait for the player's answer. One of them is asked about; it is answered by the
 * next {@code accept} or {@code decline}, and no other invite takes its place before that: the
 * player could not see that in time. The others wait behind it, oldest first. Owned by the screen's
 * thread. Times are seconds of Unix time.
 */
final class InviteQueue {
  /** Further invites are dropped. */
  static final int MAX_WAITING = 20;

  /** The lifetime of a direct invite that names none. */
  private static final long DEFAULT_LIFETIME_SECONDS = 24 * 60 * 60;

  /** An answer that comes a little late must not go to the next invite: the relay refuses it. */
  private static final long LATE_ANSWER_SECONDS = 10;

  private record Pending(ReceivedInvite invite, long expiration) {
    boolean isExpired(long now) {
      return now > expiration + LATE_ANSWER_SECONDS;
    }
  }

  private final Deque<Pending> waiting = new ArrayDeque<>();
  private @Nullable Pending asked;

  /** Adds an invite; false if too many wait. */
  boolean add(ReceivedInvite invite, long now) {
    waiting.removeIf(each -> each.isExpired(now));
    if (waiting.size() >= MAX_WAITING) {
      return false;
    }
    long expiration =
        invite.expiration() > 0 ? invite.expiration() : now + DEFAULT_LIFETIME_SECONDS;
    waiting.add(new Pending(invite, expiration));
    return true;
  }

  /** The invite that the player is asked about, or null. */
  @Nullable ReceivedInvite asked(long now) {
    Pending current = asked;
    if (current != null && current.isExpired(now)) {
      asked = null;
      return null;
    }
    return current == null ? null : current.invite();
  }

  /** The next invite to ask about, or null if there is none or the last one is unanswered. */
  @Nullable ReceivedInvite askNext(long now) {
    if (asked(now) != null) {
      return null;
    }
    waiting.removeIf(each -> each.isExpired(now));
    asked = waiting.poll();
    return asked(now);
  }

  void answered() {
    asked = null;
  }

  void clear() {
    asked = null;
    waiting.clear();
  }
}
