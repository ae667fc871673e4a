package gambit.app.command.access;

import gambit.app.common.CommandFailure;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.settings.DataOptions;
import java.nio.file.Path;
import java.util.Map;

/**
 * The events of a data directory for a command that only reads them: the running relay, or the
 * store of a stopped one, which is not started for that.
 */
public sealed interface ReadAccess extends AutoCloseable permits RunningRelay, StoppedStore {

  /** Reaches the events; a directory that does not exist yet is created. */
  static ReadAccess open(DataOptions options, Map<String, String> environment)
      throws CommandFailure {
    Path path = options.dataDirectory(environment).toAbsolutePath().normalize();
    try {
      return StoppedStore.open(new DataDirectory(path));
    } catch (DataDirectory.InUse e) {
      return RunningRelay.of(path);
    }
  }

  @Override
  void close();
}
