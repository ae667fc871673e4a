package gambit.app.packaging;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The Debian packages that are installed on this machine, by dpkg's records. */
final class InstalledPackages {
  private static final Path RECORDS = Path.of("/var/lib/dpkg");

  /** Not needed to run anything. */
  private static final Set<String> DOCUMENTATION =
      Set.of("doc", "man", "locale", "info", "lintian", "bug");

  private final Map<String, Map<String, String>> packages = new TreeMap<>();
  private final Map<String, String> records = new HashMap<>();
  private final Map<String, String> providers = new HashMap<>();

  private InstalledPackages() {}

  static boolean areKnown() {
    return Files.isReadable(RECORDS.resolve("status"));
  }

  static InstalledPackages read() throws IOException {
    InstalledPackages installed = new InstalledPackages();
    for (String paragraph : Files.readString(RECORDS.resolve("status")).split("\n\n")) {
      Map<String, String> fields = new LinkedHashMap<>();
      for (String line : paragraph.split("\n(?! )")) {
        int colon = line.indexOf(':');
        fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
      }
      if (fields.get("Status").endsWith(" installed")) {
        installed.add(fields.get("Package"), fields);
        installed.records.put(fields.get("Package"), paragraph.strip() + "\n\n");
      }
    }
    return installed;
  }

  private void add(String name, Map<String, String> fields) {
    packages.put(name, fields);
    for (String provided : fields.getOrDefault("Provides", "").split(",")) {
      providers.putIfAbsent(withoutVersion(provided), name);
    }
  }

  boolean contains(String name) {
    return packages.containsKey(name);
  }

  /** The essential packages, the given ones, and all on which they depend. */
  Set<String> withDependencies(Collection<String> names) {
    Deque<String> open = new ArrayDeque<>(names);
    packages.forEach(
        (name, fields) -> {
          if (fields.getOrDefault("Essential", "").equals("yes")) {
            open.add(name);
          }
        });
    Set<String> found = new TreeSet<>();
    while (!open.isEmpty()) {
      String name = open.remove();
      if (found.add(name)) {
        Map<String, String> fields = packages.get(name);
        Stream.of("Depends", "Pre-Depends")
            .flatMap(field -> Stream.of(fields.getOrDefault(field, "").split(",")))
            .flatMap(alternatives -> installed(alternatives).stream())
            .forEach(open::add);
      }
    }
    return found;
  }

  /** The first of some alternatives that is installed, or a package that provides it. */
  private List<String> installed(String alternatives) {
    return Stream.of(alternatives.split("\\|"))
        .map(InstalledPackages::withoutVersion)
        .map(name -> packages.containsKey(name) ? name : providers.getOrDefault(name, ""))
        .filter(name -> !name.isEmpty())
        .limit(1)
        .toList();
  }

  private static String withoutVersion(String dependency) {
    return dependency.strip().replaceFirst("[ :(].*", "");
  }

  /**
   * The paths of all files of these packages, of dpkg's records about them, and of links to them.
   */
  Set<Path> files(Set<String> names) throws IOException {
    Set<Path> files = new TreeSet<>();
    for (String link : List.of("/bin", "/sbin", "/lib", "/lib64", "/etc/ld.so.cache")) {
      files.add(Path.of(link));
    }
    try (Stream<Path> records = Files.list(RECORDS.resolve("info"))) {
      for (Path record : records.sorted().toList()) {
        String name = record.getFileName().toString().replaceFirst("(:[^.]*)?\\.[^.]*$", "");
        if (names.contains(name)) {
          files.add(record);
          if (record.toString().endsWith(".list")) {
            files.addAll(listedIn(record));
          }
        }
      }
    }
    files.addAll(alternatives());
    return files;
  }

  private static Set<Path> listedIn(Path list) throws IOException {
    Set<Path> files = new TreeSet<>();
    for (String line : Files.readAllLines(list)) {
      Path path = Path.of(line);
      boolean isDocumentation =
          path.startsWith("/usr/share")
              && path.getNameCount() > 3
              && DOCUMENTATION.contains(path.getName(2).toString());
      if (!line.equals("/.") && !isDocumentation && Files.exists(path.getParent())) {
        // Packages name files in /bin and /lib, which are links to directories.
        Path real = path.getParent().toRealPath().resolve(path.getFileName());
        if (Files.isReadable(real) || Files.isSymbolicLink(real)) {
          files.add(real);
        }
      }
    }
    return files;
  }

  /** Links such as {@code /usr/bin/java}, which belong to no package. */
  private static Set<Path> alternatives() throws IOException {
    Set<Path> links = new TreeSet<>();
    try (Stream<Path> all = Files.list(Path.of("/etc/alternatives"))) {
      for (Path link : all.toList()) {
        links.add(link);
        Path command = Path.of("/usr/bin").resolve(link.getFileName());
        if (Files.isSymbolicLink(command)) {
          links.add(command);
        }
      }
    }
    return links;
  }

  /** dpkg's list of installed packages, with only these. */
  String status(Set<String> names) {
    return names.stream().map(records::get).collect(Collectors.joining());
  }
}
