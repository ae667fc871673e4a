package gambit.app.tool.play;

import gambit.app.tool.client.ReceivedInvite;
import gambit.chess.game.TimeControl;
import java.util.concurrent.CompletableFuture;

/** Asks the player about invites, one at a time, and sends the answers. On the screen's thread. */
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

  /** Answers the invite that the player is asked about; false if there is none. */
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
        accept ? session.client().accept(invite.id()) : session.client().reject(invite);
    session.report(answer);
    answer.whenComplete(
        (ok, failure) -> {
          if (!accept || failure != null) { // an accepted invite begins a game
            session.post(this::askAboutNext);
          }
        });
    return true;
  }

  /** Forgets all invites: a game begins. */
  void clear() {
    invites.clear();
  }

  private void askAboutNext() {
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
}
