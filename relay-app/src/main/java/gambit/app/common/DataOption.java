package gambit.app.common;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The {@code --data} flag of the commands that use the data directory of a relay. */
public final class DataOption {
  @Option(
      names = "--data",
      paramLabel = "DIR",
      defaultValue = "${env:GAMBIT_DATA:-./gambit-data}",
      description = "The relay's data directory (default: $$GAMBIT_DATA, or ./gambit-data).")
  private Path data = Path.of("");

  public Path directory() {
    return data.toAbsolutePath().normalize();
  }
}
