package gambit.app.command.access;

import gambit.app.common.ErrorMessages;
import gambit.app.common.PrivateFile;
import gambit.app.server.data.StartFailure;
import gambit.app.server.reload.ControlFile;
import gambit.app.server.reload.ControlRequest;
import gambit.app.tool.client.RelayPlace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A relay that runs in another process. */
public record RunningRelay(RelayPlace place, int maxMessageBytes)
    implements RelayAccess, ReadAccess {

  /** Asks the relay of a directory for its port. */
  static RunningRelay of(Path directory) throws StartFailure {
    try {
      Optional<ControlFile> control = ControlFile.read(directory);
      if (control.isEmpty()) {
        throw new StartFailure(
            "--data: "
                + directory
                + " is in use by a program that takes no commands, such as a relay that is"
                + " starting, or another command.");
      }
      return reach(control.get(), directory);
    } catch (PrivateFile.Unusable e) {
      throw new StartFailure("--data: " + e.getMessage());
    } catch (IOException e) {
      throw new StartFailure("--data: cannot read " + directory + ": " + ErrorMessages.of(e) + ".");
    }
  }

  private static RunningRelay reach(ControlFile control, Path directory) throws StartFailure {
    ControlRequest.Answer answer;
    try {
      answer = ControlRequest.post(control, ControlFile.PORT_PATH, "");
    } catch (IOException e) {
      throw new StartFailure(control.unanswered(directory, e));
    }
    if (!answer.isSuccess()) {
      throw new StartFailure(answer.text());
    }
    LocalPort port =
        LocalPort.parse(answer.text())
            .orElseThrow(
                () ->
                    new StartFailure(
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
