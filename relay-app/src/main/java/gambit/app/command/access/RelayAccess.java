package gambit.app.command.access;

import gambit.app.common.CommandFailure;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.reload.ControlFile;
import gambit.app.server.settings.DataOptions;
import gambit.app.tool.client.RelayPlace;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * The relay of a data directory, reached by a command of its operator: the running relay over its
 * port, or a stopped one, which then runs in this process for as long as the command does.
 */
public sealed interface RelayAccess extends AutoCloseable
    permits RelayAccess.RunningRelay, StoppedRelay {
  /** Reaches the relay; a directory that does not exist yet is created. */
  static RelayAccess open(DataOptions options, Map<String, String> environment)
      throws CommandFailure {
    Path path = options.dataDirectory(environment).toAbsolutePath().normalize();
    DataDirectory directory;
    try {
      directory = new DataDirectory(path);
    } catch (DataDirectory.InUse e) {
      return RunningRelay.of(path);
    }
    return new StoppedRelay(directory, options, environment);
  }

  /**
   * The relay's port for an operator's connection ({@code ClientConnection.isOperator}): it reads
   * everything, and imports what it publishes.
   */
  RelayPlace place();

  /** The same for a connection over which only events with verified signatures are sent. */
  default RelayPlace placeForVerifiedEvents() {
    Map<String, String> headers = new HashMap<>(place().headers());
    headers.put("Gambit-Signatures", "verified");
    return place().withHeaders(headers);
  }

  int maxMessageBytes();

  @Override
  void close();

  /** A relay that runs in another process. */
  record RunningRelay(RelayPlace place, int maxMessageBytes) implements RelayAccess {

    public static RunningRelay of(Path directory) throws CommandFailure {
      ControlFile control =
          ControlFile.read(directory)
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          "--data: "
                              + directory
                              + " is in use by a program that takes no commands, such as a relay"
                              + " that is starting, or another command."));
      LocalPort port =
          LocalPort.parse(control.post(ControlFile.PORT_PATH, "").success())
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          "The answer of the relay of "
                              + directory
                              + " is not understood: it is of another version of Gambit."));
      RelayPlace place =
          port.place().withHeaders(Map.of("Authorization", "Bearer " + control.token()));
      return new RunningRelay(place, port.maxMessageBytes());
    }

    @Override
    public void close() {}
  }
}
