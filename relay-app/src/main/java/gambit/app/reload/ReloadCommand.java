package gambit.app.reload;

import gambit.app.operator.CommandOutput;
import gambit.app.operator.DataOption;
import gambit.app.operator.ErrorMessages;
import gambit.app.operator.PrivateFile;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * {@code gambit reload}: has the running relay read its configuration again, and prints what has
 * changed. Exit status 0: reloaded; 1: refused, and nothing has changed, or no relay answers.
 */
@Command(
    name = "reload",
    description = "Has the running relay read its configuration again, and prints what changed.",
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit status:%n",
    exitCodeList = {
      "0:reloaded; the output names the settings that changed, and those that need a restart",
      "1:the configuration was refused and nothing has changed, or no relay answers",
      "2:wrong usage"
    },
    footerHeading = "%nExample:%n",
    footer = "  gambit reload --data /var/lib/gambit")
public final class ReloadCommand implements Callable<Integer> {
  private static final int TIMEOUT_MILLIS = 30_000;

  @Mixin private DataOption data = new DataOption();

  @Spec private CommandSpec spec;

  /** Called by picocli, which then sets the fields. */
  public ReloadCommand() {
    spec = CommandSpec.create();
  }

  @Override
  public Integer call() {
    Path directory = data.directory();
    try {
      Optional<ControlFile> control = ControlFile.read(directory);
      return control.isPresent()
          ? request(control.get(), directory)
          : CommandOutput.failed(
              spec,
              1,
              "--data: no relay is running with "
                  + directory
                  + ": there is no "
                  + ControlFile.in(directory)
                  + ".");
    } catch (PrivateFile.Unusable e) {
      return CommandOutput.failed(spec, 1, "--data: " + e.getMessage());
    } catch (IOException e) {
      return CommandOutput.failed(
          spec, 1, "--data: cannot read " + directory + ": " + ErrorMessages.of(e) + ".");
    }
  }

  private int request(ControlFile control, Path directory) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              control.url().resolve(ControlFile.RELOAD_PATH).toURL().openConnection(Proxy.NO_PROXY);
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Authorization", "Bearer " + control.token());
      connection.setConnectTimeout(TIMEOUT_MILLIS);
      connection.setReadTimeout(TIMEOUT_MILLIS);
      int status = connection.getResponseCode();
      boolean reloaded = status == HttpURLConnection.HTTP_OK;
      InputStream body = reloaded ? connection.getInputStream() : connection.getErrorStream();
      String text =
          body == null ? "" : new String(body.readAllBytes(), StandardCharsets.UTF_8).strip();
      if (!reloaded) {
        return CommandOutput.failed(
            spec, 1, text.isEmpty() ? "The relay answered with status " + status + "." : text);
      }
      CommandOutput.print(spec, text);
      return 0;
    } catch (IOException e) {
      return CommandOutput.failed(
          spec,
          1,
          "--data: the relay of "
              + directory
              + " does not answer at "
              + control.url()
              + ": "
              + ErrorMessages.of(e)
              + ".");
    }
  }
}
