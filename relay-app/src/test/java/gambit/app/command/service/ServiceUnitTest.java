package gambit.app.command.service;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.common.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit file; docs/benchmarks/first-club installs and removes it under systemd. */
class ServiceUnitTest {
  private static final Path DATA = Path.of("/var/lib/gambit");
  private static final Path SCRIPT = Path.of("/opt/gambit/gambit");

  @TempDir private Path directory;

  private static String unit(boolean hasLowPort, String... arguments) {
    return new ServiceUnit("club", true, DATA, SCRIPT, null, List.of(arguments), hasLowPort).text();
  }

  @Test
  void theUnitIsThatOfThePackageWithOtherPathsAndUser() throws Exception {
    List<String> packaged = Files.readAllLines(Path.of("src/packaging/systemd/gambit.service"));
    List<String> made = unit(false, "--data", "/var/lib/gambit").lines().toList();
    assertThat(made.stream().filter(line -> !packaged.contains(line)))
        .containsExactly(
            "# Made by 'gambit service install'; 'gambit service uninstall' removes it.",
            "X-GambitMadeUser=yes",
            "User=club",
            "ExecStart=/opt/gambit/gambit --data /var/lib/gambit",
            "ReadWritePaths=/var/lib/gambit");
    assertThat(packaged.stream().filter(line -> !made.contains(line)))
        .containsExactly(
            "Documentation=man:gambit(1)",
            "User=gambit",
            "Group=gambit",
            "Environment=GAMBIT_CONFIG=/etc/gambit/gambit.conf GAMBIT_DATA=/var/lib/gambit",
            "ExecStart=/usr/bin/gambit",
            "StateDirectory=gambit",
            "StateDirectoryMode=0700");
  }

  @Test
  void onlyARelayOnALowPortHasTheRightToListenThere() {
    assertThat(unit(true).lines())
        .contains(
            "CapabilityBoundingSet=CAP_NET_BIND_SERVICE",
            "AmbientCapabilities=CAP_NET_BIND_SERVICE",
            "PrivateUsers=no");
    assertThat(unit(false)).doesNotContain("=CAP_");
  }

  @Test
  void systemdChangesNoArgument() {
    assertThat(unit(false, "--set", "relay.name=\"100 %\" \\ $HOME", "--domain", "a.example"))
        .contains(
            "\nExecStart=/opt/gambit/gambit --set"
                + " \"relay.name=\\\"100 %%\\\" \\\\ $$HOME\" --domain a.example\n");
  }

  @Test
  void systemdAcceptsTheUnit() throws Exception {
    Assumptions.assumeTrue(
        Files.isExecutable(Path.of("/usr/bin/systemd-analyze")),
        "systemd-analyze is not installed");
    Path file = directory.resolve("gambit.service");
    String unit =
        new ServiceUnit(
                "daemon",
                false,
                directory,
                Path.of("/usr/bin/env"),
                Path.of("/opt/jdk"),
                List.of("--set", "relay.name=A \"club\" of $100"),
                true)
            .text();
    Files.writeString(file, unit);
    ServiceHost.Outcome outcome =
        new ServiceHost().outcome("systemd-analyze", "verify", "--man=no", file.toString());
    assertThat(outcome.output()).isEmpty();
    assertThat(outcome.status()).isZero();
  }

  @Test
  void anotherProgramKeepsTheOptions() {
    Path script = Path.of("/opt/new/gambit");
    String made = unit(true, "--domain", "a.example");
    String moved = ServiceUnit.withProgram(made, script, Path.of("/opt/jdk"));
    assertThat(moved.lines().filter(line -> !made.lines().toList().contains(line)))
        .containsExactly(
            "Environment=JAVA_HOME=/opt/jdk", "ExecStart=/opt/new/gambit --domain a.example");
    assertThat(ServiceUnit.withProgram(moved, SCRIPT, null)).isEqualTo(made);
  }

  @Test
  void aUnitOfOthersIsRecognized() {
    assertThat(ServiceUnit.hasMadeUser(unit(false))).contains(true);
    assertThat(ServiceUnit.hasMadeUser("[Service]\nUser=gambit\n")).isEmpty();
  }

  @Test
  void aPathThatTheSandboxHidesIsRefused() {
    for (String path : List.of("/home/ann/gambit", "/root/gambit", "/tmp/x", "/srv/two words")) {
      assertThat(refusal(path)).startsWith("The data directory is " + path).endsWith(".");
    }
    assertThat(refusal("/srv/gambit")).isEmpty();
  }

  private static String refusal(String path) {
    try {
      ServiceHost.requireVisible("The data directory", Path.of(path));
      return "";
    } catch (CommandFailure e) {
      return e.sentence();
    }
  }

  @Test
  void withoutSystemdNothingIsChanged() {
    Assumptions.assumeFalse(
        Files.isDirectory(Path.of("/run/systemd/system")), "this system runs systemd");
    CommandResult result = CommandResult.of("service", "install", "--port", "443");
    assertThat(result.errors()).startsWith("This system does not run systemd");
    assertThat(result.status()).isEqualTo(1);
  }
}
