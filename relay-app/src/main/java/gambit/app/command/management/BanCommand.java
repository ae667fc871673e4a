package gambit.app.command.management;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gambit ban}: bans an author, an event, a kind or an address. */
@Command(
    name = "ban",
    description = {
      "Bans an author, an event, a kind or an IP address in the running relay, at once.",
      "A banned event is removed. Stored events of a banned author stay. A client at a banned address"
          + " is disconnected."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  gambit ban npub1... --reason spam",
      "  gambit ban nevent1...",
      "  gambit ban 203.0.113.7"
    })
public final class BanCommand extends ManagementCommand {
  @Mixin private DecisionOptions decision = new DecisionOptions();

  /** Called by picocli, which then sets the fields. */
  public BanCommand() {}

  @Override
  void run(ManagementCall relay) throws ManagementCall.Failed {
    Target banned = decision.target(relay);
    relay.call(banned.ban(), banned.parameter(), decision.reason());
    print("Banned: " + decision.targetText());
  }
}
