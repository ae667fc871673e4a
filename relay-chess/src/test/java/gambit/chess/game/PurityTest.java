package gambit.chess.game;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.time.Instant;

/** The package is functions and values: no I/O, no clock, no threads. */
@AnalyzeClasses(packages = "gambit.chess.game", importOptions = DoNotIncludeTests.class)
class PurityTest {

  @ArchTest
  static final ArchRule itKnowsTheRulesAndTheJdkOnly =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "gambit.chess.game",
              "gambit.chess.rules",
              "java.lang..",
              "java.util",
              "java.util.function",
              "java.util.stream",
              "java.time..",
              "org.jspecify.annotations");

  @ArchTest
  static final ArchRule itHasNoClockAndNoThreads =
      noClasses()
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime")
          .orShould()
          .callMethod(Instant.class, "now")
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(Thread.class);
}
