package gambit.app.common;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The pipes for the standard output and error of a program that was started. A descendant that has
 * left the program's group can keep them open, and whoever reads them then waits for its end. Only
 * where {@code /proc} shows open files (Linux); elsewhere such descendants are not found.
 * Immutable.
 */
public final class OutputPipes {
  private static final Path PROCESSES = Path.of("/proc");
  private static final String PIPE = "pipe:"; // pipe:[4711]: Linux's name for a pipe

  private final Set<String> names;

  private OutputPipes(Set<String> names) {
    this.names = Set.copyOf(names);
  }

  /** The pipes of a program that was started just now, and has not redirected its output. */
  public static OutputPipes of(Process started) {
    Path files = openFiles(started.pid());
    Set<String> names = new HashSet<>();
    for (String stream : new String[] {"1", "2"}) {
      String name = target(files.resolve(stream));
      if (name.startsWith(PIPE)) {
        names.add(name);
      }
    }
    return new OutputPipes(names);
  }

  private static Path openFiles(long pid) {
    return PROCESSES.resolve(Long.toString(pid)).resolve("fd");
  }

  /** What an open file is; empty if it is closed by now, or belongs to another user. */
  private static String target(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return "";
    }
  }

  public void killHolders() {
    if (!names.isEmpty()) {
      ProcessHandle.allProcesses()
          .filter(each -> each.pid() != ProcessHandle.current().pid() && holds(each.pid()))
          .forEach(ProcessHandle::destroyForcibly);
    }
  }

  private boolean holds(long pid) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(openFiles(pid))) {
      for (Path file : files) {
        if (names.contains(target(file))) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // It has ended, or belongs to another user.
    }
    return false;
  }
}
