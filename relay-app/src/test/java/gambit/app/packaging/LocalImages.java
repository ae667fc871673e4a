package gambit.app.packaging;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.exception.NotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Base images made from the Debian packages of this machine, and from directories of it, under the
 * names of the images that they stand for: tests download none. Images of these names that are
 * there already are used as they are; those made are removed at the end.
 */
final class LocalImages implements AutoCloseable {
  private final DockerClient engine;
  private final Path directory;
  private final List<String> made = new ArrayList<>();

  /**
   * @param directory for temporary files
   */
  LocalImages(DockerClient engine, Path directory) {
    this.engine = engine;
    this.directory = directory;
  }

  /**
   * Makes an image of the essential packages and the given ones, with their dependencies.
   *
   * @param instructions of the image's Dockerfile, such as its command
   */
  String make(String name, List<String> packages, String... instructions)
      throws IOException, InterruptedException {
    return make(name, packages, List.of(), instructions);
  }

  /**
   * The same, with directories of this machine.
   *
   * @param directories absolute; with all that is below, and files instead of symbolic links to
   *     them
   */
  String make(String name, List<String> packages, List<Path> directories, String... instructions)
      throws IOException, InterruptedException {
    if (exists(name)) {
      return name;
    }
    InstalledPackages installed = InstalledPackages.read();
    Set<String> all = installed.withDependencies(packages);
    Path root = Files.createTempDirectory(directory, "root");
    write(root.resolve("var/lib/dpkg/status"), installed.status(all));
    Files.createDirectories(root.resolve("var/lib/dpkg/updates"));
    Files.createDirectories(root.resolve("var/lib/dpkg/triggers"));
    Files.createDirectories(root.resolve("var/lib/dpkg/alternatives"));
    for (String each : List.of("passwd", "group")) {
      write(
          root.resolve("etc/" + each),
          Files.readString(Path.of("/usr/share/base-passwd/" + each + ".master")));
    }
    Path files = directory.resolve("files.txt");
    write(
        files,
        installed.files(all).stream()
            .map(path -> path.toString().substring(1))
            .collect(Collectors.joining("\n", "", "\n")));
    Path archive = directory.resolve("files.tar");
    tar("-cf", "" + archive, "--no-recursion", "-C", "/", "-T", "" + files);
    for (Path each : directories) {
      tar("-rhf", "" + archive, "-C", "/", each.toString().substring(1));
    }
    tar("-rf", "" + archive, "--owner=0", "--group=0", "-C", "" + root, "etc", "var");
    write(
        directory.resolve("Dockerfile"),
        "FROM scratch\nADD files.tar /\n" + String.join("\n", instructions));
    build(name, List.of("Dockerfile", "files.tar"));
    Files.delete(archive);
    return name;
  }

  /** The library would compress files that it is only told of, which takes longer than all else. */
  private void build(String name, List<String> files) throws IOException, InterruptedException {
    Path context = directory.resolve("context.tar");
    List<String> arguments = new ArrayList<>(List.of("-cf", "" + context, "-C", "" + directory));
    arguments.addAll(files);
    tar(arguments.toArray(String[]::new));
    try (InputStream in = Files.newInputStream(context)) {
      engine.buildImageCmd(in).withTags(Set.of(name)).start().awaitImageId();
    }
    made.add(name);
    Files.delete(context);
  }

  private boolean exists(String name) {
    try {
      engine.inspectImageCmd(name).exec();
      return true;
    } catch (NotFoundException e) {
      return false;
    }
  }

  private static void write(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private static void tar(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("tar"));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    // Status 1: a directory such as /tmp has changed meanwhile.
    if (status != 0 && status != 1) {
      throw new AssertionError(String.join(" ", command) + ": " + output);
    }
  }

  @Override
  public void close() {
    for (String name : made) {
      engine.removeImageCmd(name).withForce(true).exec();
    }
  }
}
