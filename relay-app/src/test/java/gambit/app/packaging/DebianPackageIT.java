package gambit.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The package for Debian on a system with systemd and without Java: installed, upgraded, removed
 * and purged.
 */
@ThoroughOnly
class DebianPackageIT {
  private static final List<String> NEEDED = List.of("systemd");

  /** The engine configures the container's network; systemd would wait two minutes for its own. */
  private static final String WITHOUT_NETWORK_SERVICES =
      "RUN mkdir -p /etc/systemd/system"
          + " && ln -s /dev/null /etc/systemd/system/systemd-networkd-wait-online.service";

  /** The upgrade's archive of classes is made from the list that the installation has made. */
  private static final String CLASS_LIST = "CLASS_LIST=/classes";

  @TempDir private Path directory;

  @Test
  void theServiceRunsInItsSandboxAndItsGamesSurviveAnUpgradeAndARemoval() throws Exception {
    DockerClient engine = ContainerEngine.require();
    InstalledPackages installed = InstalledPackages.read();
    Assumptions.assumeTrue(
        NEEDED.stream().allMatch(installed::contains), "not all are installed: " + NEEDED);
    try (LocalImages images = new LocalImages(engine, directory)) {
      String image = images.make("gambit-debian:test", NEEDED, WITHOUT_NETWORK_SERVICES);
      try (DebianSystem system =
          new DebianSystem(image, PackageFile.require("gambit_.*_amd64\\.deb"), "/gambit.deb")) {
        install(system);
        String game = play(system);
        upgrade(system);
        assertThat(system.run("gambit verify " + game)).contains("checkmate");
        remove(system);
        purge(system);
      }
    }
  }

  /** Installs the same package as an older version. */
  private static void install(DebianSystem system) {
    system.run(
        "dpkg-deb -R /gambit.deb /older && sed -i 's/^Version: .*/Version: 0.0.9/'"
            + " /older/DEBIAN/control && dpkg-deb -Znone -b /older /older.deb");
    system.run(CLASS_LIST + " TRAINING_SECONDS=" + TestEffort.of(0, 1) + " dpkg -i /older.deb");
    awaitReady(system);
    if (!TestEffort.isLong()) { // a training takes half a minute, and RelayCacheIT has one
      system.run("echo older >/usr/share/gambit/relay.aot");
    }
    assertThat(system.run("systemctl show gambit -p User -p NRestarts"))
        .contains("User=gambit", "NRestarts=0");
    assertThat(system.run("systemctl is-enabled gambit")).isEqualTo("enabled");
    assertThat(system.run("stat -c '%U %a' /var/lib/gambit /var/lib/gambit/relay.key"))
        .isEqualTo("gambit 700\ngambit 600");
    system.run("test -s /usr/share/gambit/classes.jsa && test -s /usr/share/gambit/relay.aot");
    system.run("test -s /usr/share/man/man1/gambit.1.gz");
    system.run("test -s /usr/share/bash-completion/completions/gambit");
  }

  private static void awaitReady(DebianSystem system) {
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () ->
                system.succeeds(
                    "exec 3<>/dev/tcp/127.0.0.1/7448 && printf 'GET /health/ready HTTP/1.0\\r\\n\\r\\n'"
                        + " >&3 && grep -q ^ready <&3"));
  }

  /** Plays a game of two clients and returns its id. */
  private static String play(DebianSystem system) {
    Matcher id = Pattern.compile("game +([0-9a-f]{64})").matcher(system.run("gambit demo"));
    assertThat(id.find()).isTrue();
    return id.group(1);
  }

  /** The second training is left out, so that a cache could only be that of the older jar. */
  private static void upgrade(DebianSystem system) {
    String before = system.run("systemctl show gambit -p MainPID");
    system.run("echo 'relay.name = \"Edited\"' >> /etc/gambit/gambit.conf");
    system.run(CLASS_LIST + " TRAINING_SECONDS=0 dpkg -i /gambit.deb");
    system.run("test -s /usr/share/gambit/classes.jsa && test ! -e /usr/share/gambit/relay.aot");
    awaitReady(system);
    assertThat(system.run("systemctl show gambit -p MainPID")).isNotEqualTo(before);
    assertThat(system.run("tail -1 /etc/gambit/gambit.conf")).isEqualTo("relay.name = \"Edited\"");
    assertThat(system.run("stat -c '%U %G %a' /etc/gambit/gambit.conf"))
        .isEqualTo("root gambit 640");
    assertThat(information(system)).contains("\"name\":\"Edited\"");
    system.run("echo 'relay.name = \"Reloaded\"' >> /etc/gambit/gambit.conf");
    system.run("systemctl reload gambit");
    await().until(() -> information(system).contains("\"name\":\"Reloaded\""));
  }

  /** The relay information document (NIP-11), with the head of the answer. */
  private static String information(DebianSystem system) {
    return system.run(
        "exec 3<>/dev/tcp/127.0.0.1/7447 && printf 'GET / HTTP/1.1\\r\\nHost: x\\r\\nConnection:"
            + " close\\r\\nAccept: application/nostr+json\\r\\n\\r\\n' >&3 && cat <&3");
  }

  private static void remove(DebianSystem system) {
    system.run("dpkg -r gambit");
    assertThat(system.succeeds("systemctl is-active gambit")).isFalse();
    assertThat(system.succeeds("command -v gambit")).isFalse();
    assertThat(system.succeeds("test -e /usr/share/gambit")).isFalse();
    assertThat(system.run("ls /var/lib/gambit /etc/gambit")).contains("relay.key", "gambit.conf");
  }

  private static void purge(DebianSystem system) {
    String key = system.run("cat /var/lib/gambit/relay.key");
    assertThat(system.run("dpkg -P gambit")).contains("key is kept in /var/backups/gambit-relay");
    assertThat(system.succeeds("test -e /var/lib/gambit -o -e /etc/gambit")).isFalse();
    assertThat(system.run("cat /var/backups/gambit-relay.key-*")).isEqualTo(key);
    assertThat(system.run("stat -c '%U %a' /var/backups/gambit-relay.key-*")).isEqualTo("root 600");
  }
}
