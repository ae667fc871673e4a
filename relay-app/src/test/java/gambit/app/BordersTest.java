package gambit.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static gambit.core.testkit.PackageTable.row;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import gambit.core.testkit.PackageTable;
import java.util.List;

/** What the packages of the program use. Maven enforces what the modules know of each other. */
@AnalyzeClasses(packages = "gambit.app", importOptions = DoNotIncludeTests.class)
class BordersTest {

  /** Clients know the protocol and the rules of chess, but nothing of the relay. */
  private static final PackageTable PACKAGES =
      new PackageTable(
          "gambit.app",
          List.of(
              row("common", "gambit.core.files", "picocli org.jline"),
              row(
                  "tool.client",
                  "common gambit.core.files gambit.core.log gambit.core.model gambit.core.wire"
                      + " gambit.core.crypto gambit.chess.rules gambit.chess.game",
                  "com.fasterxml.jackson io.netty javax.net.ssl picocli"),
              row(
                  "tool.bot",
                  "common tool.client gambit.core.log gambit.core.model gambit.core.crypto"
                      + " gambit.chess.dialect gambit.chess.engine gambit.chess.game"
                      + " gambit.chess.rules",
                  "picocli com.fasterxml.jackson"),
              row(
                  "tool.play",
                  "common tool.client gambit.core.model gambit.core.crypto gambit.chess.rules"
                      + " gambit.chess.game",
                  "picocli org.jline"),
              row(
                  "tool.verify",
                  "common tool.client gambit.core.model gambit.core.crypto gambit.chess.rules"
                      + " gambit.chess.game gambit.chess.rating gambit.chess.dialect",
                  "picocli"),
              row(
                  "tool.sync",
                  "common tool.client gambit.core.log gambit.core.metrics gambit.core.model"
                      + " gambit.core.feature gambit.core.crypto gambit.core.negentropy"
                      + " gambit.core.wire",
                  "com.fasterxml.jackson"),
              row("server.config", "common gambit.core.model", "com.typesafe.config"),
              row("server.log", "common server.config gambit.core.log", "ch.qos.logback"),
              row(
                  "server.metrics",
                  "common server.config gambit.core gambit.core.log gambit.core.metrics"
                      + " gambit.core.net gambit.core.rate",
                  "io.netty io.micrometer io.prometheus"),
              row(
                  "server.plugin",
                  "common server.config gambit.core.feature gambit.core.log gambit.core.metrics"
                      + " gambit.core.model gambit.core.rate gambit.core.wire",
                  "com.fasterxml.jackson"),
              row(
                  "server.data",
                  "common server.config gambit.core.crypto gambit.core.files gambit.core.lane"
                      + " gambit.core.model gambit.core.store gambit.core.store.disk"
                      + " gambit.core.store.disk.log"),
              row("server.web", "gambit.core.net"),
              row(
                  "server.search",
                  "server.config gambit.core.feature gambit.core.lane gambit.core.log"
                      + " gambit.core.metrics gambit.core.model gambit.core.store gambit.core.files"
                      + " gambit.core.wire",
                  "com.fasterxml.jackson org.apache.lucene"),
              row(
                  "server.tls",
                  "common server.config gambit.core.files gambit.core.log gambit.core.metrics"
                      + " gambit.core.net gambit.core.rate gambit.core.tls",
                  "io.netty javax.net.ssl javax.security.auth.x500 org.shredzone"),
              row(
                  "server.nats",
                  "common server.config server.data server.tls gambit.core.log gambit.core.metrics"
                      + " gambit.core.model gambit.core.replication gambit.core.store"
                      + " gambit.core.store.disk gambit.core.tls",
                  "io.nats javax.net.ssl"),
              row(
                  "server.settings",
                  "common server.config server.data tool.bot server.log server.metrics server.nats"
                      + " tool.sync server.plugin server.search server.tls server.web"
                      + " gambit.core.ingest gambit.core.limit gambit.core.model gambit.core.net"
                      + " gambit.core.nip gambit.core.rate gambit.chess.engine gambit.chess.game"
                      + " gambit.chess.session.play",
                  "picocli"),
              row(
                  "server.reload",
                  "common server.config server.metrics server.settings gambit.core.metrics",
                  "picocli org.jline"),
              row(
                  "server.admin",
                  "common server.config server.data server.log server.metrics server.reload"
                      + " server.settings gambit.core.feature gambit.core.files gambit.core.lane"
                      + " gambit.core.management gambit.core.model gambit.core.rate"
                      + " gambit.core.wire",
                  "com.fasterxml.jackson"),
              row(
                  "command.data",
                  "common server.data tool.client gambit.core.crypto gambit.core.files"
                      + " gambit.core.model gambit.core.store.disk",
                  "picocli"),
              row(
                  "command.cluster",
                  "common server.config server.data server.nats server.settings gambit.core.crypto"
                      + " gambit.core.model gambit.core.replication gambit.core.store"
                      + " gambit.core.store.disk",
                  "picocli"),
              row(
                  "command.management",
                  "common server.metrics server.reload server.settings gambit.core.feature"
                      + " gambit.core.management gambit.core.model gambit.core.nip"
                      + " gambit.core.rate",
                  "picocli com.fasterxml.jackson"),
              row(
                  "command.service",
                  "command.management common server.config server.reload server.settings"
                      + " server.tls",
                  "picocli"),
              row(
                  "command.access",
                  "common server.config server.data tool.client command.management server.nats"
                      + " server.tls server.settings server.reload gambit.chess.session gambit.core"
                      + " gambit.core.lane gambit.core.limit gambit.core.metrics gambit.core.model"
                      + " gambit.core.net gambit.core.nip gambit.core.rate gambit.core.store.disk"
                      + " gambit.core.tls"),
              row(
                  "command.transfer",
                  "common command.access tool.client tool.sync server.data"
                      + " server.settings gambit.core gambit.core.crypto gambit.core.limit"
                      + " gambit.core.model gambit.core.store.disk gambit.core.wire",
                  "picocli io.airlift"),
              row(
                  "command.ratings",
                  "common command.transfer tool.client tool.verify gambit.chess.game"
                      + " gambit.chess.rating gambit.core.crypto gambit.core.model",
                  "picocli com.fasterxml.jackson"),
              row(
                  "bench",
                  "common tool.client gambit.core.model gambit.core.crypto gambit.chess.rules",
                  "picocli io.netty org.HdrHistogram"),
              row(
                  "",
                  "bench command.ratings command.service command.transfer tool.sync command.access"
                      + " server.data command.management server.reload server.admin common"
                      + " server.config server.log server.metrics server.nats server.plugin"
                      + " command.data tool.client command.cluster tool.bot tool.play"
                      + " tool.verify server.web server.search server.tls server.settings"
                      + " gambit.core gambit.core.tls gambit.core.model gambit.core.nip"
                      + " gambit.core.crypto gambit.core.feature gambit.core.lane gambit.core.limit"
                      + " gambit.core.log gambit.core.management gambit.core.metrics"
                      + " gambit.core.net gambit.core.replication gambit.core.store"
                      + " gambit.core.store.disk gambit.chess.engine gambit.chess.session"
                      + " gambit.chess.session.play",
                  "picocli com.sun.management")));

  @ArchTest
  static void packagesUseEachOtherAsListed(JavaClasses classes) {
    PACKAGES.requireFollowedBy(classes);
  }

  @ArchTest
  static final ArchRule theToolsKnowNothingOfTheServer =
      noClasses()
          .that()
          .resideInAPackage("gambit.app.tool..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("gambit.app.server..", "gambit.app.command..");

  @ArchTest
  static final ArchRule theServerDoesNotUseTheCommands =
      noClasses()
          .that()
          .resideInAPackage("gambit.app.server..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("gambit.app.command..");
}
