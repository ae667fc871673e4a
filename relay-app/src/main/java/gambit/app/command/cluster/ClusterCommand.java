package gambit.app.command.cluster;

import gambit.app.common.CommandFailure;
import gambit.app.server.nats.ClusterSettings;
import gambit.app.server.settings.ConfigOptions;
import gambit.app.server.settings.Settings;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code gambit cluster}: the state of a cluster, and its repair after a disaster. */
@Command(
    name = "cluster",
    description = "Shows the state of a cluster of relays, or repairs it after a loss of NATS.",
    mixinStandardHelpOptions = true,
    subcommands = {StatusCommand.class, SeedCommand.class},
    footerHeading = "%nExamples:%n",
    footer = {
      "  gambit cluster status --config /etc/gambit.conf",
      "  gambit cluster seed --data /var/lib/gambit"
    })
public final class ClusterCommand {

  static ClusterSettings settings(ConfigOptions options, Map<String, String> environment)
      throws CommandFailure {
    ClusterSettings settings = Settings.read(options.sources(environment).load()).cluster();
    if (!settings.isOn()) {
      throw new CommandFailure(
          "cluster.servers: it is not set, so this relay is not in a cluster.");
    }
    return settings;
  }
}
