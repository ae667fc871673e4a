package gambit.app.tool.play;

import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
    @Nullable Side side) {

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
