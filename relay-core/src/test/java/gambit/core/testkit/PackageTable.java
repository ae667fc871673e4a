package gambit.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The packages of a module, sub-packages included, and what each of them may use. A package is
 * listed after those that it uses, so the table has no cycle.
 */
public final class PackageTable {
  private static final String OURS = "gambit.";

  /** What every package may use. */
  private static final Set<String> EVERYWHERE =
      Set.of("java", "org.jspecify", "org.slf4j", "com.google.errorprone.annotations");

  /**
   * One package.
   *
   * @param uses packages of this module by their names in the table, packages of other modules by
   *     their full names
   * @param libraries beginnings of the names of packages that are not ours
   */
  public record Row(String name, Set<String> uses, Set<String> libraries) {}

  private final String root;
  private final List<Row> rows;

  /** A table of the packages whose names begin with that of the root. */
  public PackageTable(String root, List<Row> rows) {
    this.root = root;
    this.rows = List.copyOf(rows);
  }

  /** A package that uses no library but those that every package may use. */
  public static Row row(String name, String uses) {
    return row(name, uses, "");
  }

  /**
   * One package.
   *
   * @param name its name without the root's; empty for the root itself
   * @param uses packages, separated by spaces
   * @param libraries likewise
   */
  public static Row row(String name, String uses, String libraries) {
    return new Row(name, words(uses), words(libraries));
  }

  private static Set<String> words(String text) {
    return text.isEmpty() ? Set.of() : Set.of(text.split(" "));
  }

  /** Fails unless the classes use each other as the table says, no more and no less. */
  public void requireFollowedBy(JavaClasses classes) {
    requireEveryPackageOnce(classes);
    requireOrder();
    assertThat(violations(classes, rows)).as("uses that are not listed").isEmpty();
    assertThat(unused(classes)).as("listed uses that there are not").isEmpty();
  }

  /** Fails unless each listed use, taken off the list, is reported as a violation. */
  public void requireEachUseToMatter(JavaClasses classes) {
    for (Row row : rows) {
      List<JavaClass> own =
          classes.stream().filter(it -> it.getPackageName().equals(fullName(row.name()))).toList();
      for (String other : row.uses()) {
        assertThat(violations(own, List.of(without(row, other))))
            .isNotEmpty()
            .allMatch(it -> it.startsWith(fullName(row.name()) + " -> " + fullName(other) + ":"));
      }
    }
  }

  private static Row without(Row row, String other) {
    Set<String> rest = new HashSet<>(row.uses());
    rest.remove(other);
    return new Row(row.name(), rest, row.libraries());
  }

  private void requireEveryPackageOnce(JavaClasses classes) {
    List<String> listed = rows.stream().map(row -> fullName(row.name())).toList();
    Set<String> there = classes.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());
    assertThat(listed).as("the packages").containsExactlyInAnyOrderElementsOf(there);
  }

  private void requireOrder() {
    Set<String> before = new HashSet<>();
    for (Row row : rows) {
      Set<String> own =
          row.uses().stream().filter(it -> !it.startsWith(OURS)).collect(Collectors.toSet());
      assertThat(before).as("listed before %s", fullName(row.name())).containsAll(own);
      before.add(row.name());
    }
  }

  private Set<String> unused(JavaClasses classes) {
    Set<String> unused = new TreeSet<>();
    for (Row row : rows) {
      Set<String> used =
          classes.stream()
              .filter(it -> it.getPackageName().equals(fullName(row.name())))
              .flatMap(it -> it.getDirectDependenciesFromSelf().stream())
              .map(PackageTable::target)
              .collect(Collectors.toSet());
      for (String other : row.uses()) {
        if (!used.contains(fullName(other))) {
          unused.add(fullName(row.name()) + " -> " + other);
        }
      }
      for (String library : row.libraries()) {
        if (used.stream().noneMatch(it -> begins(it, Set.of(library)))) {
          unused.add(fullName(row.name()) + " -> " + library);
        }
      }
    }
    return unused;
  }

  /** A line for each two classes of which one may not use the other. */
  private Set<String> violations(Iterable<JavaClass> classes, List<Row> table) {
    Set<String> violations = new TreeSet<>();
    for (JavaClass each : classes) {
      String from = each.getPackageName();
      for (Row row : table) {
        if (fullName(row.name()).equals(from)) {
          for (Dependency use : each.getDirectDependenciesFromSelf()) {
            if (!isAllowed(row, target(use))) {
              violations.add(
                  "%s -> %s: %s uses %s"
                      .formatted(
                          from, target(use), each.getName(), use.getTargetClass().getName()));
            }
          }
        }
      }
    }
    return violations;
  }

  private boolean isAllowed(Row row, String target) {
    if (target.startsWith(OURS)) {
      return target.equals(fullName(row.name()))
          || row.uses().stream().map(this::fullName).anyMatch(target::equals);
    }
    return target.isEmpty() || begins(target, EVERYWHERE) || begins(target, row.libraries());
  }

  private static boolean begins(String name, Set<String> libraries) {
    return libraries.stream().anyMatch(it -> name.equals(it) || name.startsWith(it + "."));
  }

  private String fullName(String name) {
    return name.isEmpty() ? root : name.startsWith(OURS) ? name : root + "." + name;
  }

  /** The package of what is used; of an array, its elements'. Empty for a primitive type. */
  private static String target(Dependency use) {
    return use.getTargetClass().getBaseComponentType().getPackageName();
  }
}
