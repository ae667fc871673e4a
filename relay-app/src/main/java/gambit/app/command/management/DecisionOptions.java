package gambit.app.command.management;

import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of the commands that decide on something. */
final class DecisionOptions {
  @Parameters(paramLabel = "TARGET", description = Target.DESCRIPTION)
  private String target = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "A reason for the audit log and the list of bans.")
  private String reason = "";

  /** Called by the commands; picocli then sets the fields. */
  DecisionOptions() {}

  /**
   * What is decided on. The relay finds out whether hex digits are those of an event or an author.
   *
   * @throws ManagementCall.Failed when the argument is nothing on which a relay decides
   */
  Target target(ManagementCall relay) throws ManagementCall.Failed {
    return Target.read(target, relay);
  }

  /** The target as it was typed. */
  String targetText() {
    return target;
  }

  String reason() {
    return reason;
  }
}
