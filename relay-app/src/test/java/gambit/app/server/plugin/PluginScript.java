package gambit.app.server.plugin;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A plugin in the language of the shell, in a file that tests may replace. */
public final class PluginScript {
  /** Decides by the content: accepts, unless it begins with bad or shadow. */
  public static final String BY_CONTENT =
      loop(
          """
          case $line in
            *'"content":"bad'*) answer reject "$reason" ;;
            *'"content":"shadow'*) answer shadowReject ;;
            *) answer accept ;;
          esac
          """);

  private final Path file;

  /** Writes the script into a directory. */
  public PluginScript(Path directory, String script) {
    file = directory.resolve("plugin.sh");
    write(script);
  }

  /** A script that runs commands for each request, whose event has the id {@code $id}. */
  static String loop(String commands) {
    return """
        reason='blocked: a bad word'
        answer() { echo "{\\"id\\":\\"$id\\",\\"action\\":\\"$1\\",\\"msg\\":\\"$2\\"}"; }
        while read -r line; do
          id=${line#*\\"id\\":\\"}
          id=${id%%\\"*}
        """
        + commands
        + "\ndone\n";
  }

  /** Replaces the file, as an editor does. */
  void write(String script) {
    try {
      Path written = file.resolveSibling("written");
      Files.writeString(written, "#!/bin/sh\n" + script);
      Files.setPosixFilePermissions(written, PosixFilePermissions.fromString("rwx------"));
      Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A file beside the script. */
  Path beside(String name) {
    return file.resolveSibling(name);
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
