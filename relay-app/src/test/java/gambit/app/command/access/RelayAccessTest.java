package gambit.app.command.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.app.LocalRelay;
import gambit.app.command.access.RelayAccess.RunningRelay;
import gambit.app.common.CommandFailure;
import gambit.app.server.config.SettingsProblem;
import gambit.app.server.data.DataDirectory;
import gambit.app.server.settings.DataOptions;
import gambit.app.tool.client.RelayFailure;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.client.RelaySession;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RelayAccessTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  @TempDir Path data;
  @TempDir Path files;

  private RelayAccess open() throws CommandFailure {
    DataOptions options = new DataOptions();
    CommandLine.populateCommand(options, "--data", data.toString());
    return RelayAccess.open(options, Map.of());
  }

  /** An event that no client may publish here: of another author, protected, and old. */
  private static Event old() {
    return Keys.of("alice").sign(1_600_000_000, 1, new Tags(List.of(List.of("-"))), "an old note");
  }

  /** An OK of a relay. */
  private record Ok(boolean isAccepted, String text) {}

  private static Ok answer(RelayPlace place, Event event) throws RelayFailure {
    try (RelaySession session = RelaySession.connect(place, TIMEOUT)) {
      List<Ok> answers = new ArrayList<>();
      session.publish(event, (isAccepted, text) -> answers.add(new Ok(isAccepted, text)));
      while (answers.isEmpty()) {
        assertThat(session.step(TIMEOUT)).isTrue();
      }
      return answers.get(0);
    }
  }

  @Test
  void runningRelayIsReachedOverItsPort() throws Exception {
    try (LocalRelay relay = LocalRelay.withControl(data);
        RelayAccess access = open()) {
      assertThat(access).isInstanceOf(RunningRelay.class);
      assertThat(access.place().url()).isEqualTo(relay.uri());
      assertThat(access.place().toString()).doesNotContain("Bearer");
      assertThat(answer(access.place(), old()).isAccepted()).isTrue();
      assertThat(answer(RelayPlace.of(relay.uri()), old()).text()).contains("duplicate");
    }
  }

  @Test
  void runningRelayWithTlsIsReachedByItsOwnCertificateOnly() throws Exception {
    TestCertificate certificate = TestCertificate.ofLocalhost();
    Path chain = Files.writeString(files.resolve("chain.pem"), certificate.certificatePem());
    Path key = Files.writeString(files.resolve("key.pem"), certificate.keyPem());
    try (LocalRelay relay =
            LocalRelay.withControl(data, "tls.certificate=" + chain, "tls.key=" + key);
        RelayAccess access = open()) {
      assertThat(access.place().url()).hasScheme("wss").hasPort(relay.port());
      assertThat(answer(access.place(), old()).isAccepted()).isTrue();
      LocalPort another =
          new LocalPort(access.place().url(), access.place().loginUrl(), "00".repeat(32), 1);
      assertThatThrownBy(() -> RelaySession.connect(another.place(), TIMEOUT))
          .isInstanceOf(RelayFailure.class);
    }
  }

  @Test
  void stoppedNodeOfAClusterIsNotChanged() {
    DataOptions options = new DataOptions();
    CommandLine.populateCommand(options, "--data", data.toString());
    Map<String, String> environment = Map.of("GAMBIT_CLUSTER_SERVERS", "nats://localhost:4222");
    assertThatThrownBy(() -> RelayAccess.open(options, environment))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("a node of a cluster");
    assertThat(data.resolve("store")).doesNotExist();
  }

  @Test
  void stoppedRelayRunsForTheOperatorOnly() throws Exception {
    try (RelayAccess access = open()) {
      assertThat(access).isInstanceOf(StoppedRelay.class);
      assertThat(answer(access.place(), old()).isAccepted()).isTrue();
      RelayPlace withoutToken = RelayPlace.of(access.place().url());
      assertThatThrownBy(() -> RelaySession.connect(withoutToken, TIMEOUT))
          .isInstanceOf(RelayFailure.class);
    }
    try (LocalRelay relay = new LocalRelay(data, 0)) {
      assertThat(answer(RelayPlace.of(relay.uri()), old()).text()).contains("duplicate");
    }
  }

  @Test
  void directoryInUseByAProgramThatTakesNoCommandsIsRefused() throws Exception {
    DataDirectory used = new DataDirectory(data);
    try (used) {
      assertThatThrownBy(this::open)
          .isInstanceOf(CommandFailure.class)
          .hasMessageContaining("takes no commands");
    }
  }

  @Test
  void invalidConfigurationIsRefusedAndTheDirectoryIsNotLockedAfterwards() throws Exception {
    Files.writeString(data.resolve("gambit.conf"), "relay.port = many");
    assertThatThrownBy(this::open).isInstanceOf(SettingsProblem.class).hasMessageContaining("many");
    Files.delete(data.resolve("gambit.conf"));
    open().close();
  }
}
