package gambit.chess;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

/** Who may know whom in this module. */
@AnalyzeClasses(packages = "gambit.chess", importOptions = DoNotIncludeTests.class)
class BordersTest {

  /** Its one source of chance draws the keys of {@code Repetitions}; they decide nothing. */
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
              "java.security",
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

  @ArchTest
  static final ArchRule neitherHasAClockOrThreads =
      noClasses()
          .that()
          .resideInAnyPackage("gambit.chess.rules", "gambit.chess.game")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class);

  @ArchTest
  static final ArchRule aDialectOnlyTranslates =
      classes()
          .that()
          .resideInAPackage("gambit.chess.dialect..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "gambit.chess.dialect..",
              "gambit.chess.game",
              "gambit.chess.rules",
              "gambit.core.model",
              "gambit.core.crypto",
              "gambit.core.wire",
              "java..",
              "org.jspecify.annotations");

  @ArchTest
  static final ArchRule sessionsSpeakToTheRelayThroughItsExtensionPointsOnly =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "gambit.app..",
              "gambit.core",
              "gambit.core.ingest",
              "gambit.core.live",
              "gambit.core.net",
              "gambit.core.nip",
              "gambit.core.session",
              "gambit.core.store",
              "io.netty..",
              "io.micrometer..",
              "com.fasterxml..");
}
