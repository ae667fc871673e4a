package gambit.app.packaging;

import static org.awaitility.Awaitility.await;

import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HostConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.images.ImagePullPolicy;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** A Debian system in a container, with systemd as its first process. */
final class DebianSystem implements AutoCloseable {
  private static final ImagePullPolicy NEVER = name -> false;

  private final GenericContainer<?> container;

  /**
   * @param file copied into the system
   * @param path where to
   */
  DebianSystem(String image, Path file, String path) {
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withImagePullPolicy(NEVER)
            .withCommand("/lib/systemd/systemd")
            .withEnv("container", "docker")
            .withCopyFileToContainer(MountableFile.forHostPath(file), path)
            .withCreateContainerCmdModifier(
                command ->
                    command.withHostConfig(
                        // What systemd needs to make sandboxes.
                        new HostConfig()
                            .withCapAdd(
                                Capability.SYS_ADMIN, Capability.SYS_PTRACE, Capability.NET_ADMIN)
                            .withSecurityOpts(List.of("seccomp=unconfined", "apparmor=unconfined"))
                            .withCgroupnsMode("private")
                            .withTmpFs(Map.of("/run", "", "/run/lock", ""))));
    container.start();
    try {
      await()
          .atMost(Duration.ofMinutes(3))
          .until(() -> execute("systemctl is-system-running").getStdout(), DebianSystem::isUp);
    } catch (ConditionTimeoutException e) {
      String log = container.getLogs();
      container.stop();
      Assumptions.abort("systemd does not start in containers here: " + log);
    }
  }

  /** Degraded: services that have nothing to do in a container have failed. */
  private static boolean isUp(String state) {
    return state.startsWith("running") || state.startsWith("degraded");
  }

  private ExecResult execute(String command) {
    try {
      return container.execInContainer("bash", "-c", command);
    } catch (Exception e) {
      throw new AssertionError(command, e);
    }
  }

  /** Runs a command, which must succeed, and returns what it printed. */
  String run(String command) {
    ExecResult result = execute(command);
    if (result.getExitCode() != 0) {
      throw new AssertionError(
          command
              + ": "
              + result
              + "\n"
              + execute("journalctl --no-pager -u gambit | tail -30").getStdout());
    }
    return (result.getStdout() + result.getStderr()).strip();
  }

  boolean succeeds(String command) {
    return execute(command).getExitCode() == 0;
  }

  @Override
  public void close() {
    container.stop();
  }
}
