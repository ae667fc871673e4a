package gambit.app.tool.client;

import java.net.URI;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The {@code --relay} option of the commands that ask one relay. */
public final class RelayOption {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--relay",
      paramLabel = "URL",
      defaultValue = "ws://localhost:7447",
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create("");

  /** The URL, which is checked here: another one is wrong usage. */
  public URI url() {
    if (!RelayPlace.isRelayUrl(url)) {
      throw new ParameterException(
          command.commandLine(), "--relay " + url + ": expected a ws:// or wss:// URL.");
    }
    return url;
  }
}
