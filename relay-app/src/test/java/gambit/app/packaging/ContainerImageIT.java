package gambit.app.packaging;

import static gambit.app.tool.client.RecordingPlayer.of;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.command.InspectImageResponse;
import com.github.dockerjava.api.model.ExposedPort;
import gambit.app.FreePort;
import gambit.app.server.nats.NatsProgram;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.app.tool.client.RecordingPlayer;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestEffort;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.containers.Network;

/** The container image, built from this tree, in a container engine. */
@ThoroughOnly
class ContainerImageIT {
  private static final String IMAGE = "gambit:test";
  private static final String VOLUME = "gambit-test";

  @TempDir private static Path directory;

  private static DockerClient engine;
  private static LocalImages images;
  private static Network network;

  @BeforeAll
  static void build() throws Exception {
    engine = ContainerEngine.require();
    PackageFile.require("gambit-.*-linux-.*\\.tar\\.gz");
    images = new LocalImages(engine, directory);
    images.make("debian:12-slim", List.of("apt"));
    Compose.build("compose.yaml", IMAGE, "relay");
    engine.createVolumeCmd().withName(VOLUME).exec();
    network = Network.newNetwork();
  }

  @AfterAll
  static void remove() {
    if (network != null) {
      network.close();
      engine.removeVolumeCmd(VOLUME).exec();
      engine.removeImageCmd(IMAGE).exec();
    }
    if (images != null) {
      images.close();
    }
  }

  @Test
  void theImageIsSmallRunsWithoutPrivilegesAndKeepsItsDataInAVolume() {
    InspectImageResponse image = engine.inspectImageCmd(IMAGE).exec();
    assertThat(image.getSize()).isLessThan(330_000_000);
    assertThat(image.getConfig().getUser()).isEqualTo("65532:65532");
    assertThat(image.getConfig().getVolumes()).containsOnlyKeys("/var/lib/gambit");
    assertThat(image.getConfig().getHealthcheck().getTest()).isNotEmpty();
    assertThat(image.getConfig().getExposedPorts())
        .containsExactly(ExposedPort.tcp(7447), ExposedPort.tcp(7448));
  }

  @Test
  void aGameInAReadOnlyContainerWith256MegabytesSurvivesItsKillAndEndsInAnother() throws Exception {
    int port = FreePort.any();
    RelayContainer first = new RelayContainer(engine, IMAGE, network, port, VOLUME);
    try (RecordingPlayer white = new RecordingPlayer(first.url());
        RecordingPlayer black = new RecordingPlayer(first.url())) {
      of(white.client.invite(new InviteOptions(black.client.pubkey(), null, Side.WHITE, 0)));
      await().until(() -> !black.invites.isEmpty());
      of(black.client.accept(black.invites.get(0).id(), ""));
      white.awaitGame();
      black.awaitGame();
      play(white, black, 0, "f2f3", "e7e5");
      first.kill();
      white.awaitLosses(1);
      black.awaitLosses(1);
      first.close();
      try (RelayContainer second = new RelayContainer(engine, IMAGE, network, port, VOLUME)) {
        white.awaitConnections(2);
        black.awaitConnections(2);
        play(white, black, 2, "g2g4", "d8h4");
        white.awaitEnd();
        assertThat(white.game().ending().termination()).isEqualTo("checkmate");
        assertThat(second.run("id", "-u")).isEqualTo("65532");
        assertThat(second.run("ls", "/tmp")).isEmpty();
        second.run("test", "-s", "/usr/share/gambit/classes.jsa");
        String archive = TestEffort.isLong() ? "relay.aot" : "classes.jsa";
        second.run("grep", "-q", "/" + archive + "$", "/proc/1/maps");
        await().atMost(Duration.ofMinutes(3)).until(() -> second.health().equals("healthy"));
        assertThat(second.stop()).isZero();
      }
    } finally {
      first.close();
    }
  }

  /** Grafana is no package of Debian's, so there is no image of it here. */
  @Test
  void composeStartsTheRelayBehindCaddyAndPrometheusReadsItsMetrics() throws Exception {
    InstalledPackages installed = InstalledPackages.read();
    Assumptions.assumeTrue(
        installed.contains("caddy") && installed.contains("prometheus"),
        "caddy and prometheus are not installed");
    makeCaddy();
    images.make(
        "prom/prometheus:v2.54.1",
        List.of("prometheus"),
        "ENTRYPOINT [\"prometheus\"]",
        "CMD [\"--config.file=/etc/prometheus/prometheus.yml\",\"--storage.tsdb.path=/prometheus\"]");
    try (Compose compose =
        Compose.up("compose.yaml", IMAGE, freePorts(), "relay", "caddy", "prometheus")) {
      await()
          .atMost(Duration.ofMinutes(3))
          .ignoreExceptions()
          .untilAsserted(
              () -> assertThat(compose.relayInformation()).contains("\"supported_nips\""));
      // The operators' port opens before the store, so the first page that is scraped may lack it.
      String connections = "gambit_connections and on (instance) up{job=\"gambit\"} == 1";
      await()
          .atMost(Duration.ofMinutes(6))
          .pollInterval(Duration.ofSeconds(2))
          .ignoreExceptions()
          .untilAsserted(
              () ->
                  assertThat(compose.prometheus(connections))
                      .as(
                          "the last scrape: %s%n%s",
                          compose.prometheus("{job=\"gambit\",__name__=~\"up|scrape.*\"}"),
                          compose.logs("prometheus"))
                      .contains("\"success\"", ",\"0\"]"));
    }
  }

  private static void makeCaddy() throws IOException, InterruptedException {
    images.make(
        "caddy:2.8.4",
        List.of("caddy"),
        "ENV XDG_CONFIG_HOME=/config XDG_DATA_HOME=/data",
        "CMD [\"caddy\", \"run\", \"--config\", \"/etc/caddy/Caddyfile\"]");
  }

  @Test
  void composeStartsAClusterThatSurvivesTheLossOfARelayAndANatsServer() throws Exception {
    Path nats = NatsProgram.path().toRealPath();
    Assumptions.assumeTrue(InstalledPackages.read().contains("caddy"), "caddy is not installed");
    makeCaddy();
    images.make("nats:2.15.2", List.of("bash"), List.of(nats), "ENTRYPOINT [\"" + nats + "\"]");
    try (Compose compose = Compose.up("cluster.yaml", IMAGE, freePorts())) {
      Event before = note("before");
      awaitAccepted(compose, before);
      compose.kill("relay-1", "nats-1");
      Event after = note("after");
      awaitAccepted(compose, after);
      String both = "{\"ids\":[\"" + before.id().hex() + "\",\"" + after.id().hex() + "\"]}";
      await("the node of the reader has both")
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(
              () -> {
                try (Client reader = compose.client()) {
                  assertThat(reader.queryIds(both))
                      .containsExactlyInAnyOrder(before.id().hex(), after.id().hex());
                }
              });
    }
  }

  private static Event note(String text) {
    return Keys.of("alice").sign(Instant.now().getEpochSecond(), 1, Tags.NONE, text);
  }

  private static void awaitAccepted(Compose compose, Event event) {
    await(event.content())
        .atMost(Duration.ofMinutes(3))
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .until(
            () -> {
              try (Client author = compose.client()) {
                return author.answerTo(event).matches("(duplicate: .*)?");
              }
            });
  }

  private static int[] freePorts() throws IOException {
    return new int[] {FreePort.any(), FreePort.any(), FreePort.any()};
  }

  private static void play(
      RecordingPlayer white, RecordingPlayer black, int plies, String first, String second) {
    white.awaitTurn(plies).move(first);
    black.awaitTurn(plies + 1).move(second);
    white.awaitPlies(plies + 2);
  }
}
