package gambit.app.server.web;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The operator's chess engine for browsers: a script of a worker that speaks UCI, such as a
 * single-threaded build of Stockfish, and the files beside it that it may load.
 */
public final class OperatorEngine {
  /** They are held in memory. */
  static final long MAX_BYTES = 128 << 20;

  private static final String PATH = "/engine/";

  private static final String SERVED = "[A-Za-z0-9][A-Za-z0-9._-]*\\.(js|wasm|nnue|data|txt)";

  private OperatorEngine() {}

  /**
   * Finds the files of an engine, its script first.
   *
   * @param place the script, or a directory with one script
   * @throws IllegalArgumentException if there is none, with what is expected
   */
  public static List<Path> files(Path place) {
    List<Path> found = new ArrayList<>();
    long bytes = 0;
    Path directory = Files.isDirectory(place) ? place : place.toAbsolutePath().resolveSibling("");
    try (Stream<Path> entries = Files.list(directory)) {
      for (Path file : entries.sorted().toList()) {
        if (file.getFileName().toString().matches(SERVED) && Files.isReadable(file)) {
          bytes += Files.size(file);
          found.add(file);
        }
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("expected a file, or a directory, that can be read");
    }
    List<Path> scripts =
        found.stream()
            .filter(it -> directory.equals(place) ? isScript(it) : it.endsWith(place.getFileName()))
            .toList();
    if (scripts.size() != 1 || !isScript(scripts.get(0))) {
      throw new IllegalArgumentException("expected a file *.js, or a directory with one");
    }
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "expected at most %d MiB of files beside the script".formatted(MAX_BYTES >> 20));
    }
    found.remove(scripts.get(0));
    found.add(0, scripts.get(0));
    return List.copyOf(found);
  }

  private static boolean isScript(Path file) {
    return file.toString().endsWith(".js");
  }

  public static String path(Path file) {
    return PATH + file.getFileName();
  }
}
