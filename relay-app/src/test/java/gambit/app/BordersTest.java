package gambit.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom, across the modules. */
@AnalyzeClasses(packages = "gambit", importOptions = DoNotIncludeTests.class)
class BordersTest {

  @ArchTest
  static final ArchRule nobodyKnowsTheProgram =
      noClasses()
          .that()
          .resideOutsideOfPackage("gambit.app..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("gambit.app..");

  @ArchTest
  static final ArchRule theRelayDoesNotKnowChess =
      noClasses()
          .that()
          .resideInAPackage("gambit.core..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("gambit.chess..");

  @ArchTest
  static final ArchRule clientsKnowTheProtocolAndNothingOfTheRelay =
      noClasses()
          .that()
          .resideInAnyPackage("gambit.app.client", "gambit.app.demo", "gambit.app.verify")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "gambit.core",
              "gambit.core.feature",
              "gambit.core.ingest",
              "gambit.core.live",
              "gambit.core.net",
              "gambit.core.session",
              "gambit.core.store",
              "gambit.chess.session",
              "gambit.chess.dialect");

  @ArchTest
  static final ArchRule theModulesHaveNoCycles =
      slices().matching("gambit.(*)..").should().beFreeOfCycles();
}
