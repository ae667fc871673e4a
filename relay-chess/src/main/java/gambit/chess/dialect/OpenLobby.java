package gambit.chess.dialect;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The current lobby as everybody may see it (kind 20305): the players in each queue as numbers, and
 * the open invites. Immutable.
 *
 * @param waiting the queues, in the order of the tags
 * @param invites newest first
 * @param unlisted the ids of open invites for whoever has their link, newest first
 * @param starts the open starts of kind 30, newest first
 */
public record OpenLobby(
    List<Waiting> waiting,
    List<OpenInvite> invites,
    List<EventId> unlisted,
    List<Start> starts,
    int games) {
  /** The {@code d} tag of the one lobby. */
  public static final String NAME = "lobby";

  private static final String RATED = "rated";

  /** The number of players who search for a casual or rated game with a time control. */
  public record Waiting(TimeControl time, boolean isRated, int players) {
    private List<String> tag() {
      return isRated
          ? List.of("waiting", time.text(), "" + players, RATED)
          : List.of("waiting", time.text(), "" + players);
    }
  }

  /**
   * An invite that anybody may accept.
   *
   * @param strength the author's in the category of the time control; null if it is to a casual
   *     game
   */
  public record OpenInvite(
      EventId id, PubKey author, InviteTerms terms, RatedStart.@Nullable Strength strength) {
    private List<String> tag() {
      List<String> tag = new ArrayList<>(10);
      tag.add("invite");
      tag.add(id.hex());
      tag.add(author.hex());
      tag.add(terms.time().text());
      tag.add(terms.inviter() == null ? "random" : RefereeEvents.colour(terms.inviter()));
      tag.add("" + terms.expiresAt());
      String fen = terms.initial().fen();
      if (strength != null) {
        tag.addAll(List.of("", RATED, "" + strength.rating(), "" + strength.deviation()));
      } else if (!fen.equals(Position.initial().fen())) {
        tag.add(fen);
      }
      return tag;
    }
  }

  /** The start of a game of kind 30 whose other seat anybody may take. */
  public record Start(EventId id, PubKey author, Side side) {
    private List<String> tag() {
      return List.of("start", id.hex(), author.hex(), RefereeEvents.colour(side), "jester");
    }
  }

  public OpenLobby {
    waiting = List.copyOf(waiting);
    invites = List.copyOf(invites);
    unlisted = List.copyOf(unlisted);
    starts = List.copyOf(starts);
  }

  public int entries() {
    return waiting.size() + invites.size() + unlisted.size() + starts.size();
  }

  public List<List<String>> tags() {
    List<List<String>> tags = new ArrayList<>(2 + entries());
    tags.add(List.of("d", NAME));
    waiting.forEach(queue -> tags.add(queue.tag()));
    invites.forEach(invite -> tags.add(invite.tag()));
    unlisted.forEach(id -> tags.add(List.of("unlisted", id.hex())));
    starts.forEach(start -> tags.add(start.tag()));
    tags.add(List.of("playing", "" + games));
    return tags;
  }
}
