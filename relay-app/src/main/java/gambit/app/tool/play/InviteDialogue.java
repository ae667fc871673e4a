package gambit.app.tool.play;

import gambit.app.tool.client.ReceivedInvite;
import gambit.chess.game.TimeControl;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Asks the player about invites, one at a time, and sends the answers. On the client's thread. */
final class InviteDialogue {
  private final PlaySession session;
  private final InviteQueue invites = new InviteQueue();

  InviteDialogue(PlaySession session) {
    this.session = session;
  }

  void received(ReceivedInvite invite) {
    long now = unixTime();
    ReceivedInvite first = invites.asked(now);
    if (!invites.add(invite, now)) {
      return;
    }
    if (first == null) {
      askAboutNext();
    } else {
      session.say(
          wording(invite)
              + ". First accept or decline the one of "
              + Wording.player(first.author())
              + ".");
    }
  }

  boolean answer(boolean accept) {
    ReceivedInvite invite = invites.asked(unixTime());
    if (invite == null) {
      return false;
    }
    invites.answered();
    String what = invite.rematchOf() == null ? " the invite of " : " the rematch with ";
    session.say(
        (accept ? "You accept" : "You decline") + what + Wording.player(invite.author()) + ".");
    CompletableFuture<String> answer =
        accept ? session.client().accept(invite.id(), "") : session.client().reject(invite);
    session.report(answer);
    answer.whenComplete(
        (ok, failure) -> {
          if (!accept || failure != null) { // an accepted invite begins a game
            askAboutNext();
          }
        });
    return true;
  }

  void clear() {
    invites.clear();
  }

  void askAboutNext() {
    ReceivedInvite invite = invites.askNext(unixTime());
    if (invite != null) {
      session.say(wording(invite) + ": accept or decline.");
    }
  }

  private static String wording(ReceivedInvite invite) {
    String what = invite.rematchOf() != null ? " asks for a rematch" : " invites you to a game";
    TimeControl time = invite.time();
    return Wording.player(invite.author()) + what + (time == null ? "" : ", " + Wording.time(time));
  }

  private static long unixTime() {
    return System.currentTimeMillis() / 1000;
  }

  /**
   * The invites that wait for the player's answer. One of them is asked about; it is answered by
   * the next {@code accept} or {@code decline}, and no other invite takes its place before that:
   * the player could not see that in time. The others wait behind it, oldest first. Owned by the
   * client's thread. Times are seconds of Unix time.
   */
  static final class InviteQueue {
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
}
