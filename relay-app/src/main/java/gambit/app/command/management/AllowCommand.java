package gambit.app.command.management;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gambit allow}: allows an author, an event or a kind. */
@Command(
    name = "allow",
    description = {
      "Allows an author, an event or a kind in the running relay, and takes it from the queue of"
          + " reports.",
      "It is accepted where only listed ones are, and a ban of it is lifted. Where everything is"
          + " accepted, nothing else changes."
    },
    footerHeading = "%nExample:%n",
    footer = {"  gambit allow note1..."})
public final class AllowCommand extends ManagementCommand {
  @Mixin private DecisionOptions decision = new DecisionOptions();

  /** Called by picocli, which then sets the fields. */
  public AllowCommand() {}

  @Override
  void run(ManagementCall relay) throws ManagementCall.Failed {
    Target allowed = decision.target(relay);
    if (allowed.allow().isEmpty()) {
      throw new ManagementCall.Failed("An address can only be banned; gambit unban lifts its ban.");
    }
    relay.call(allowed.allow(), allowed.parameter(), decision.reason());
    print("Allowed: " + decision.targetText());
  }
}
