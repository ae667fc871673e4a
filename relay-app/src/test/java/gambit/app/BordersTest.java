package gambit.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static gambit.core.testkit.PackageTable.row;

import com.tngtech.archunit.core.domain.JavaClass.Predicates;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import gambit.core.testkit.PackageTable;
import java.util.List;

/** What the packages of the program use, and what the modules know of each other. */
@AnalyzeClasses(packages = "gambit", importOptions = DoNotIncludeTests.class)
class BordersTest {

  /** Clients know the protocol and the rules of chess, but nothing of the relay. */
  private static final PackageTable PACKAGES =
      new PackageTable(
          "gambit.app",
          List.of(
              row("operator", "gambit.core.store.disk", "picocli"),
              row("config", "operator gambit.core.model", "com.typesafe.config"),
              row("log", "config gambit.core.log", "ch.qos.logback"),
              row(
                  "metrics",
                  "config gambit.core gambit.core.log gambit.core.metrics gambit.core.net"
                      + " gambit.core.rate",
                  "io.netty io.micrometer io.prometheus"),
              row("process", ""),
              row("peers", "gambit.core.model gambit.core.wire", "com.fasterxml.jackson"),
              row(
                  "plugin",
                  "operator config process gambit.core.feature gambit.core.log gambit.core.metrics"
                      + " gambit.core.model gambit.core.rate gambit.core.wire",
                  "com.fasterxml.jackson"),
              row(
                  "key",
                  "operator gambit.core.crypto gambit.core.model gambit.core.store.disk",
                  "picocli"),
              row("check", "operator gambit.core.crypto gambit.core.store.disk", "picocli"),
              row("backup", "operator gambit.core.store.disk", "picocli"),
              row(
                  "client",
                  "operator gambit.core.log gambit.core.model gambit.core.wire gambit.core.crypto"
                      + " gambit.chess.rules gambit.chess.game",
                  "com.fasterxml.jackson io.netty javax.net.ssl"),
              row(
                  "demo",
                  "operator client gambit.core.model gambit.core.crypto gambit.chess.rules",
                  "picocli com.fasterxml.jackson"),
              row(
                  "bot",
                  "operator process client gambit.core.log gambit.core.model gambit.core.crypto"
                      + " gambit.chess.engine"
                      + " gambit.chess.game gambit.chess.rules",
                  "picocli com.fasterxml.jackson"),
              row(
                  "play",
                  "operator client gambit.core.model gambit.core.crypto gambit.chess.rules"
                      + " gambit.chess.game",
                  "picocli org.jline"),
              row(
                  "verify",
                  "client gambit.core.model gambit.core.crypto gambit.chess.rules"
                      + " gambit.chess.game",
                  "picocli com.fasterxml.jackson"),
              row(
                  "bench",
                  "operator client gambit.core.model gambit.core.crypto gambit.chess.rules",
                  "picocli io.netty org.HdrHistogram"),
              row(
                  "data",
                  "operator gambit.core.crypto gambit.core.model gambit.core.store"
                      + " gambit.core.store.disk"),
              row("web", "gambit.core.net", ""),
              row(
                  "search",
                  "config gambit.core.feature gambit.core.lane gambit.core.log gambit.core.metrics"
                      + " gambit.core.model gambit.core.store gambit.core.store.disk"
                      + " gambit.core.wire",
                  "com.fasterxml.jackson org.apache.lucene"),
              row(
                  "tls",
                  "config gambit.core.log gambit.core.metrics gambit.core.net gambit.core.tls",
                  "javax.net.ssl"),
              row(
                  "nats",
                  "operator config data tls gambit.core.log gambit.core.metrics gambit.core.model"
                      + " gambit.core.replication gambit.core.store gambit.core.store.disk gambit.core.tls",
                  "io.nats javax.net.ssl"),
              row(
                  "settings",
                  "operator config bot log metrics nats peers plugin search tls gambit.core.ingest gambit.core.limit gambit.core.model"
                      + " gambit.core.net gambit.core.nip gambit.core.rate gambit.chess.engine"
                      + " gambit.chess.game gambit.chess.session.runtime",
                  "picocli"),
              row(
                  "cluster",
                  "operator config data nats settings gambit.core.crypto gambit.core.model"
                      + " gambit.core.replication gambit.core.store gambit.core.store.disk",
                  "picocli"),
              row("reload", "operator config metrics settings gambit.core.metrics", "picocli"),
              row(
                  "management",
                  "operator metrics reload settings gambit.core.feature"
                      + " gambit.core.management gambit.core.model gambit.core.nip"
                      + " gambit.core.rate",
                  "picocli com.fasterxml.jackson"),
              row(
                  "access",
                  "operator config data client management nats tls settings reload gambit.chess.session gambit.core"
                      + " gambit.core.lane gambit.core.limit gambit.core.metrics gambit.core.model gambit.core.net gambit.core.nip"
                      + " gambit.core.rate gambit.core.store.disk gambit.core.tls",
                  ""),
              row(
                  "sync",
                  "operator client data access settings peers gambit.core.log gambit.core.metrics"
                      + " gambit.core.model gambit.core.feature gambit.core.crypto"
                      + " gambit.core.negentropy",
                  "picocli com.fasterxml.jackson javax.net.ssl"),
              row(
                  "transfer",
                  "operator access client data settings gambit.core gambit.core.crypto"
                      + " gambit.core.limit gambit.core.model gambit.core.store.disk gambit.core.wire",
                  "picocli com.fasterxml.jackson io.airlift"),
              row(
                  "",
                  "bench transfer sync access data management reload operator config log metrics nats plugin check client cluster bot demo play verify web search tls settings"
                      + " backup"
                      + " key gambit.core gambit.core.tls gambit.core.model gambit.core.nip"
                      + " gambit.core.crypto gambit.core.feature"
                      + " gambit.core.lane gambit.core.limit gambit.core.log gambit.core.management gambit.core.metrics gambit.core.net gambit.core.replication gambit.core.store"
                      + " gambit.core.store.disk gambit.chess.engine gambit.chess.session"
                      + " gambit.chess.session.runtime",
                  "picocli")));

  @ArchTest
  static void packagesUseEachOtherAsListed(JavaClasses classes) {
    PACKAGES.requireFollowedBy(classes.that(Predicates.resideInAPackage("gambit.app..")));
  }

  @ArchTest
  static final ArchRule theLibrariesDoNotUseTheProgram =
      noClasses()
          .that()
          .resideOutsideOfPackage("gambit.app..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("gambit.app..");

  @ArchTest
  static final ArchRule coreDoesNotDependOnChess =
      noClasses()
          .that()
          .resideInAPackage("gambit.core..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("gambit.chess..");

  @ArchTest
  static final ArchRule theModulesHaveNoCycles =
      slices().matching("gambit.(*)..").should().beFreeOfCycles();
}
