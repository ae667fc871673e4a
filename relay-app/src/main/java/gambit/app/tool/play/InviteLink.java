package gambit.app.tool.play;

import gambit.core.model.EventId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    return Optional.of(new InviteLink(EventId.ofHex(link.group(1)), secret == null ? "" : secret));
  }
}
