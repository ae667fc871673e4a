package gambit.core;

import static gambit.core.testkit.PackageTable.row;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import gambit.core.testkit.PackageTable;
import java.util.List;

/** The packages of this module, and what each of them may use. */
@AnalyzeClasses(packages = "gambit.core", importOptions = DoNotIncludeTests.class)
class BordersTest {

  /** From the bottom of the house to its roof: the package, the packages it uses, libraries. */
  private static final PackageTable PACKAGES =
      new PackageTable(
          "gambit.core",
          List.of(
              row("model", ""),
              row("metrics", ""),
              row("log", ""),
              row("limit", "model"),
              row("lane", "metrics log limit"),
              row("wire", "model"),
              row("negentropy", "model"),
              row("crypto", "model", "fr.acinq.secp256k1 javax.crypto"),
              row("rate", "model wire", "com.github.benmanes.caffeine"),
              row("store", "model negentropy"),
              row("files", ""),
              row("store.disk.log", "model files store"),
              row("store.disk.lmdb", "", "com.kenai.jffi"),
              row(
                  "store.disk.index",
                  "model log negentropy files store store.disk.log store.disk.lmdb"),
              row("store.disk.query", "model negentropy store store.disk.log store.disk.index"),
              row(
                  "store.disk",
                  "model log crypto files store store.disk.log store.disk.lmdb store.disk.index"
                      + " store.disk.query"),
              row("feature", "model metrics lane wire crypto rate"),
              row("live", "model metrics log lane wire crypto feature"),
              row("ingest", "model metrics log lane wire crypto rate limit store feature live"),
              row(
                  "replication",
                  "model log metrics lane wire crypto rate store feature live ingest"),
              row(
                  "session",
                  "model metrics log lane wire crypto rate limit negentropy store feature live"
                      + " ingest"),
              row("tls", "", "javax.security.auth.x500"),
              row(
                  "net",
                  "model metrics log lane wire rate limit feature session tls",
                  "io.netty javax.net.ssl"),
              row("nip", "model log lane wire rate limit feature", "com.fasterxml.jackson"),
              row(
                  "management",
                  "model log lane wire crypto rate limit feature nip",
                  "com.fasterxml.jackson"),
              row(
                  "",
                  "model metrics lane wire crypto rate limit store feature live ingest replication"
                      + " session net nip")));

  @ArchTest
  static void packagesUseEachOtherAsListed(JavaClasses classes) {
    PACKAGES.requireFollowedBy(classes);
  }

  @ArchTest
  static void aUseThatIsNotListedIsReported(JavaClasses classes) {
    PACKAGES.requireEachUseToMatter(classes);
  }
}
