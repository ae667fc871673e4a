package gambit.app.packaging;

import com.github.dockerjava.api.DockerClient;
import org.junit.jupiter.api.Assumptions;
import org.testcontainers.DockerClientFactory;

/** The container engine of this machine. */
final class ContainerEngine {
  private ContainerEngine() {}

  /** The engine; skips the test, with the reason, on a machine without one. */
  static DockerClient require() {
    Assumptions.assumeTrue(
        InstalledPackages.areKnown(), "base images are made from Debian's packages");
    Assumptions.assumeTrue(
        DockerClientFactory.instance().isDockerAvailable(),
        "no container engine answers (DOCKER_HOST, /var/run/docker.sock)");
    return DockerClientFactory.instance().client();
  }
}
