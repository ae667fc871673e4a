package gambit.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Who may know whom in this module. */
@AnalyzeClasses(packages = "gambit.core", importOptions = DoNotIncludeTests.class)
class BordersTest {

  @ArchTest
  static final ArchRule theRelayKnowsNothingOfChessOfTheProgramOrOfAMetricsLibrary =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "gambit.chess..", "gambit.app..", "io.micrometer..", "com.typesafe..");

  @ArchTest
  static final ArchRule onlyTheNetPackageKnowsNetty =
      noClasses()
          .that()
          .resideOutsideOfPackage("gambit.core.net")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.netty..");

  @ArchTest
  static final ArchRule onlyTheCryptoPackageKnowsTheNativeLibrary =
      noClasses()
          .that()
          .resideOutsideOfPackage("gambit.core.crypto")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("fr.acinq..");

  @ArchTest
  static final ArchRule valuesKnowNobody =
      noClasses()
          .that()
          .resideInAPackage("gambit.core.model")
          .should()
          .dependOnClassesThat(
              com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage("gambit..")
                  .and(
                      com.tngtech.archunit.base.DescribedPredicate.not(
                          com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage(
                              "gambit.core.model"))));

  @ArchTest
  static final ArchRule aStoreHoldsNoNip =
      noClasses()
          .that()
          .resideInAPackage("gambit.core.store")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "gambit.core.ingest",
              "gambit.core.nip",
              "gambit.core.feature",
              "gambit.core.live",
              "gambit.core.session",
              "gambit.core.net");

  @ArchTest
  static final ArchRule theExtensionSurfaceHidesTheEngine =
      noClasses()
          .that()
          .resideInAPackage("gambit.core.feature")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "gambit.core.ingest",
              "gambit.core.live",
              "gambit.core.session",
              "gambit.core.net",
              "gambit.core.store");
}
