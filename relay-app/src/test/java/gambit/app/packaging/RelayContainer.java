package gambit.app.packaging;

import com.github.dockerjava.api.DockerClient;
import com.github.dockerjava.api.model.AccessMode;
import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.Capability;
import com.github.dockerjava.api.model.HealthCheck;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.PortBinding;
import com.github.dockerjava.api.model.Volume;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;

/**
 * A relay in a container as restricted as it may be: a read-only file system besides the data, no
 * capabilities, 256 MB.
 */
final class RelayContainer implements AutoCloseable {
  static final long MEMORY = 256L << 20;

  /** The image's own interval is 15 s, for which a test would wait. */
  private static final long HEALTH_CHECK_NANOS = Duration.ofSeconds(2).toNanos();

  private final GenericContainer<?> container;
  private final DockerClient engine;
  private final int port;

  /**
   * @param port of this machine, for the relay
   * @param volume with the data
   */
  RelayContainer(DockerClient engine, String image, Network network, int port, String volume) {
    this.engine = engine;
    this.port = port;
    container =
        new GenericContainer<>(DockerImageName.parse(image))
            .withNetwork(network)
            .withNetworkAliases("relay")
            .withEnv("GAMBIT_RELAY_URL", "ws://127.0.0.1:" + port)
            .withCreateContainerCmdModifier(
                command ->
                    command
                        .withHealthcheck(new HealthCheck().withInterval(HEALTH_CHECK_NANOS))
                        .withHostConfig(
                            new HostConfig()
                                .withNetworkMode(network.getId())
                                .withReadonlyRootfs(true)
                                .withCapDrop(Capability.ALL)
                                .withSecurityOpts(List.of("no-new-privileges"))
                                .withMemory(MEMORY)
                                .withMemorySwap(MEMORY)
                                .withPortBindings(PortBinding.parse("127.0.0.1:" + port + ":7447"))
                                .withBinds(
                                    new Bind(
                                        volume, new Volume("/var/lib/gambit"), AccessMode.rw))))
            .waitingFor(
                Wait.forLogMessage(".*listens on.*", 1)
                    .withStartupTimeout(Duration.ofSeconds(120)));
    container.start();
  }

  URI url() {
    return URI.create("ws://127.0.0.1:" + port);
  }

  /** Sends SIGKILL, as the kernel does when memory is short. */
  void kill() {
    engine.killContainerCmd(container.getContainerId()).exec();
  }

  /** Runs a command in the container and returns its standard output; it must succeed. */
  String run(String... command) throws Exception {
    var result = container.execInContainer(command);
    if (result.getExitCode() != 0) {
      throw new AssertionError(String.join(" ", command) + ": " + result);
    }
    return result.getStdout().strip();
  }

  /** The state by the health check of the image, such as {@code healthy}. */
  String health() {
    return engine
        .inspectContainerCmd(container.getContainerId())
        .exec()
        .getState()
        .getHealth()
        .getStatus();
  }

  /** Stops the container as {@code docker stop} does, and returns the exit status of the relay. */
  long stop() {
    engine.stopContainerCmd(container.getContainerId()).withTimeout(10).exec();
    return engine
        .inspectContainerCmd(container.getContainerId())
        .exec()
        .getState()
        .getExitCodeLong();
  }

  @Override
  public void close() {
    container.stop();
  }
}
