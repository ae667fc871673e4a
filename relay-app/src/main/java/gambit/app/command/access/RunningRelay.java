package gambit.app.command.access;

import gambit.app.common.CommandFailure;
import gambit.app.server.reload.ControlFile;
import gambit.app.tool.client.RelayPlace;
import java.nio.file.Path;
import java.util.Map;

/** A relay that runs in another process. */
public record RunningRelay(RelayPlace place, int maxMessageBytes) implements RelayAccess {

  public static RunningRelay of(Path directory) throws CommandFailure {
    ControlFile control =
        ControlFile.read(directory)
            .orElseThrow(
                () ->
                    new CommandFailure(
                        "--data: "
                            + directory
                            + " is in use by a program that takes no commands, such as a relay that"
                            + " is starting, or another command."));
    ControlFile.Answer answer = control.post(ControlFile.PORT_PATH, "");
    if (!answer.isSuccess()) {
      throw new CommandFailure(answer.text());
    }
    LocalPort port =
        LocalPort.parse(answer.text())
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
