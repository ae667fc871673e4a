package gambit.app.tool.play;

import gambit.app.common.SafeText;
import gambit.app.tool.client.InviteOptions;
import gambit.app.tool.client.RelayInfo;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the user wants to do first: search, invite or accept, play the house player, or watch. On
 * the screen's thread.
 */
final class FirstAction {
  private static final String IDLE = "Type search to find an opponent, or quit.";

  private final PlaySession session;
  private final PlayOptions options;
  private @Nullable RelayInfo relay;

  FirstAction(PlaySession session, PlayOptions options) {
    this.session = session;
    this.options = options;
  }

  void begin(RelayInfo found) {
    relay = found;
    boolean isSearch =
        options.botLevel() == null && options.invited() == null && options.accepted() == null;
    if (session.isPlayingLive() || (session.isPlaying() && isSearch && options.watched() == null)) {
      session.say("Your running game is resumed.");
      return;
    }
    PubKey house = found.house();
    if (options.watched() != null) {
      watch(options.watched());
    } else if (options.accepted() != null) {
      session.doing("Accepting the invite.");
      InviteLink link = options.accepted();
      report(session.client().accept(link.invite(), link.secret()));
    } else if (options.invited() != null) {
      invite(options.invited(), 0);
    } else if (options.botLevel() == null) {
      search();
    } else if (house == null) {
      session.doing("This relay has no house player. Type search to find an opponent, or quit.");
    } else {
      invite(house, options.botLevel());
    }
  }

  void search() {
    TimeControl time = options.time();
    String text = time == null && relay != null ? relay.defaultTime() : "";
    session.doing(
        "Searching for an opponent ("
            + (time == null ? SafeText.of(text) : Wording.time(time))
            + ").");
    report(session.client().search(time));
  }

  private void invite(PubKey player, int level) {
    session.doing("Inviting " + Wording.player(player) + ".");
    InviteOptions invite = new InviteOptions(player, options.time(), options.side(), level);
    report(
        session
            .client()
            .invite(invite)
            .thenAccept(
                id ->
                    session.post(
                        () -> {
                          if (session.game() == null) {
                            session.doing(
                                "Waiting for "
                                    + Wording.player(player)
                                    + " to accept your invite.");
                          }
                        })));
  }

  private void watch(EventId id) {
    session.doing("Looking for the game.");
    report(session.client().follow(id).thenAccept(view -> session.post(() -> session.show(view))));
  }

  private void report(CompletableFuture<?> answer) {
    session.report(
        answer.whenComplete(
            (ok, failure) -> {
              if (failure != null) {
                session.post(() -> session.doing(IDLE));
              }
            }));
  }

  /**
   * What the user wants to do first. Immutable. At most one of the first four is chosen; otherwise
   * the player searches for an opponent.
   *
   * @param botLevel the strength of the relay's house player, 0 for its default, or null
   * @param time the time control, or null for the relay's default
   * @param side the side to play in an invite, or null for a random one
   */
  record PlayOptions(
      @Nullable Integer botLevel,
      @Nullable PubKey invited,
      @Nullable InviteLink accepted,
      @Nullable EventId watched,
      @Nullable TimeControl time,
      @Nullable Side side) {}

  /**
   * An invite as its author passes it on: its id, or the link of the relay's page. Immutable.
   *
   * @param secret what an unlisted invite requires of whoever accepts it, or empty
   */
  record InviteLink(EventId invite, String secret) {
    private static final Pattern FORM =
        Pattern.compile("(?:.*#/challenge/)?([0-9a-f]{64})(?:/([!-~]{1,64}))?");

    static Optional<InviteLink> parse(String text) {
      Matcher link = FORM.matcher(text);
      if (!link.matches()) {
        return Optional.empty();
      }
      String secret = link.group(2);
      return Optional.of(
          new InviteLink(EventId.ofHex(link.group(1)), secret == null ? "" : secret));
    }
  }
}
