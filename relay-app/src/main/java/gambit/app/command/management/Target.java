package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.core.model.Bytes32;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.util.Optional;

/**
 * What a command decides on: the methods of NIP-86 for it, and their first parameter.
 *
 * @param allow empty for an address, which can only be banned
 */
record Target(String ban, String allow, Object parameter) {
  static final String DESCRIPTION =
      "An author (npub, nprofile), an event (note, nevent), hex digits of either, a kind (a number),"
          + " or an IP address.";

  /**
   * Reads an argument. The relay finds out whether hex digits are those of an event or an author.
   *
   * @throws ManagementCall.Failed when the argument is nothing of this
   */
  static Target read(String text, ManagementCall relay) throws ManagementCall.Failed {
    Optional<Bytes32> named = Nip19.parse(text);
    if (named.isPresent()) {
      return named.get() instanceof PubKey ? author(named.get().hex()) : event(named.get().hex());
    } else if (Hex.isLowerCase(text, 64)) {
      JsonNode type = relay.call("identify", text);
      if (type.isNull()) {
        throw new ManagementCall.Failed(
            text
                + ": no event here has this id or author; write it as npub or note, since these"
                + " digits can be either.");
      }
      return type.asText().equals("event") ? event(text) : author(text);
    } else if (text.matches("[0-9]{1,5}") && Integer.parseInt(text) <= Kind.MAX) {
      return new Target("disallowkind", "allowkind", Integer.valueOf(text));
    } else if (ClientAddress.parse(text).isPresent()) {
      return new Target("blockip", "", text);
    }
    throw new ManagementCall.Failed(
        text
            + ": expected npub, nprofile, note, nevent, 64 hex digits, a kind (0 to 65535) or an"
            + " IP address.");
  }

  private static Target author(String hex) {
    return new Target("banpubkey", "allowpubkey", hex);
  }

  private static Target event(String hex) {
    return new Target("banevent", "allowevent", hex);
  }
}
