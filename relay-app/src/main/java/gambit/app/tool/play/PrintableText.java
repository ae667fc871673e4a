package gambit.app.tool.play;

import gambit.app.common.SafeText;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;

/** Makes text of the network safe to print in a terminal. Pure. */
final class PrintableText {

  private PrintableText() {}

  /** The text in one line, without characters that a terminal could obey. */
  static String of(String text) {
    return SafeText.of(text);
  }

  /** A short form of a player's npub. */
  static String of(PubKey player) {
    String npub = Npub.of(player);
    return npub.substring(0, 10) + ".." + npub.substring(npub.length() - 4);
  }
}
