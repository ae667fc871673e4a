package gambit.app.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** The versions of Java that are installed on this machine. */
final class InstalledJava {
  private static final Path ALL = Path.of("/usr/lib/jvm");

  private InstalledJava() {}

  /** The directory of a JDK of that version. */
  static Optional<Path> of(int version) throws IOException {
    if (!Files.isDirectory(ALL)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(ALL)) {
      for (Path each : all.sorted().toList()) {
        Path release = each.resolve("release");
        if (Files.isReadable(release)
            && Files.isExecutable(each.resolve("bin/jlink"))
            && Files.readString(release).contains("JAVA_VERSION=\"" + version + ".")) {
          return Optional.of(each);
        }
      }
    }
    return Optional.empty();
  }
}
