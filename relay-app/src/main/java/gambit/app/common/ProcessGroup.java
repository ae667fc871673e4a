package gambit.app.common;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Starts a process in a group of its own, and ends one together with its children. Any thread. */
public final class ProcessGroup {
  /** Starts a program as the leader of a new session and group; absent on some systems. */
  private static final List<Path> SETSID =
      Stream.of("/usr/bin/setsid", "/bin/setsid")
          .map(Path::of)
          .filter(Files::isExecutable)
          .toList();

  private ProcessGroup() {}

  /** The command that runs a command as the leader of a group, or the same where none can be. */
  public static List<String> leading(List<String> command) {
    if (SETSID.isEmpty()) {
      return command;
    }
    List<String> leading = new ArrayList<>(List.of(SETSID.get(0).toString()));
    leading.addAll(command);
    return leading;
  }

  /**
   * Ends a process and its descendants at once. The streams are left to their threads: closing one
   * waits for a write that a full pipe blocks.
   */
  public static void kill(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.toHandle().destroyForcibly();
  }
}
