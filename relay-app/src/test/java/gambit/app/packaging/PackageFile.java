package gambit.app.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** The packages that {@code mvn -Pbundle package} makes. */
final class PackageFile {
  static final Path DIRECTORY = Path.of("target");

  private PackageFile() {}

  /** The package with such a name; skips the test, with the reason, if none was made. */
  static Path require(String pattern) throws IOException {
    try (Stream<Path> files = Files.list(DIRECTORY)) {
      Optional<Path> file =
          files.filter(each -> each.getFileName().toString().matches(pattern)).findFirst();
      return file.orElseGet(() -> Assumptions.abort("no " + pattern + " is built (-Pbundle)"));
    }
  }
}
