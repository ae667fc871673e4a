package gambit.chess;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static gambit.core.testkit.PackageTable.row;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import gambit.core.testkit.PackageTable;
import java.time.Instant;
import java.util.List;

/** What the packages of this module use. */
@AnalyzeClasses(packages = "gambit.chess", importOptions = DoNotIncludeTests.class)
class BordersTest {

  private static final PackageTable PACKAGES =
      new PackageTable(
          "gambit.chess",
          List.of(
              row("rules", ""),
              row("game", "rules"),
              row("engine", "rules"),
              row("engine.uci", "engine rules", "org.teavm.interop"),
              row("rating", "game gambit.core.model"),
              row(
                  "dialect",
                  "rating game rules gambit.core.model gambit.core.crypto gambit.core.wire",
                  "com.fasterxml.jackson"),
              row(
                  "session.play",
                  "dialect rating game rules gambit.core.feature gambit.core.model gambit.core.wire"
                      + " gambit.core.crypto gambit.core.lane gambit.core.metrics"
                      + " gambit.core.limit"),
              row(
                  "session.jester",
                  "session.play dialect game rules gambit.core.feature gambit.core.model"
                      + " gambit.core.rate gambit.core.wire"),
              row(
                  "session.preview",
                  "session.jester session.play dialect rating game rules gambit.core.feature"
                      + " gambit.core.lane gambit.core.model",
                  "com.fasterxml.jackson com.github.benmanes.caffeine"),
              row(
                  "session",
                  "session.play session.jester session.preview dialect rating game rules"
                      + " gambit.core.crypto gambit.core.feature gambit.core.lane gambit.core.log"
                      + " gambit.core.model gambit.core.rate gambit.core.wire"),
              row("", "")));

  @ArchTest
  static void packagesUseEachOtherAsListed(JavaClasses classes) {
    PACKAGES.requireFollowedBy(classes);
  }

  /** The dialects: each knows no other, and neither what they share nor games know any. */
  @ArchTest
  static void dialectsAreKnownToTheSessionManagerOnly(JavaClasses classes) {
    List<String> dialects = List.of("Nip100|MistypedRequests", "Ephemeral", "Jester\\w+");
    for (String dialect : dialects) {
      String name = "gambit\\.chess\\.dialect\\.(%s)(\\$.*)?".formatted(dialect);
      noClasses()
          .that()
          .resideInAnyPackage("gambit.chess.dialect", "gambit.chess.session.play")
          .and()
          .haveNameNotMatching(name)
          .should()
          .dependOnClassesThat()
          .haveNameMatching(name)
          .check(classes);
    }
  }

  /**
   * Its one source of chance, UUIDs, draws the keys of {@code Repetitions}; they decide nothing.
   */
  @ArchTest
  static final ArchRule theRulesKnowNothingButTheJdk =
      classes()
          .that()
          .resideInAPackage("gambit.chess.rules")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "gambit.chess.rules",
              "java.lang..",
              "java.util",
              "java.util.function",
              "java.util.regex",
              "java.util.stream",
              "org.jspecify.annotations");

  @ArchTest
  static final ArchRule theGameKnowsTheRulesAndTheJdkOnly =
      classes()
          .that()
          .resideInAPackage("gambit.chess.game")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "gambit.chess.game",
              "gambit.chess.rules",
              "java.lang..",
              "java.util",
              "java.util.function",
              "java.util.regex",
              "java.util.stream",
              "java.time..",
              "org.jspecify.annotations");

  /** The engine looks at its own thread only to find out whether it is interrupted. */
  @ArchTest
  static final ArchRule theEngineKnowsTheRulesAndTheJdkOnly =
      classes()
          .that()
          .resideInAPackage("gambit.chess.engine")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "gambit.chess.engine",
              "gambit.chess.rules",
              "java.lang..",
              "java.util",
              "java.util.function",
              "java.util.random",
              "java.util.stream",
              "org.jspecify.annotations");

  @ArchTest
  static final ArchRule noneOfThemHasAClock =
      noClasses()
          .that()
          .resideInAnyPackage("gambit.chess.rules", "gambit.chess.game", "gambit.chess.engine")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now");

  @ArchTest
  static final ArchRule theRulesAndTheGameHaveNoThreads =
      noClasses()
          .that()
          .resideInAnyPackage("gambit.chess.rules", "gambit.chess.game")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class);
}
