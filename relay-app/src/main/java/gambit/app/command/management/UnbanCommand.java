package gambit.app.command.management;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gambit unban}: lifts a ban, or the decision to allow something. */
@Command(
    name = "unban",
    description = {
      "Lifts a ban in the running relay, or the decision to allow something: the settings decide on"
          + " it again."
    },
    footerHeading = "%nExample:%n",
    footer = {"  gambit unban npub1..."})
public final class UnbanCommand extends ManagementCommand {
  @Mixin private DecisionOptions decision = new DecisionOptions();

  /** Called by picocli, which then sets the fields. */
  public UnbanCommand() {}

  @Override
  void run(ManagementCall relay) throws ManagementCall.Failed {
    Target lifted = decision.target(relay);
    relay.call("lift", lifted.ban(), lifted.parameter(), decision.reason());
    print("Lifted: " + decision.targetText());
  }
}
