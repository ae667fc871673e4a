package gambit.app.server.nats;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One real NATS server for the tests of a class, and for each test a connection to it and the
 * settings of a cluster of its own. A test fails if it had a failure after which a node would end.
 */
final class OneNatsServer
    implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {
  private static final int MAX_NAME_LENGTH = 30;

  private @Nullable NatsServers servers;
  private @Nullable ClusterSettings settings;
  private @Nullable NatsConnection connection;

  @Override
  public void beforeAll(ExtensionContext context) {
    servers = NatsServers.start(1);
  }

  @Override
  public void beforeEach(ExtensionContext context) throws Exception {
    String name = context.getRequiredTestMethod().getName();
    settings =
        TestCluster.settings(
            servers().urls(), name.substring(0, Math.min(MAX_NAME_LENGTH, name.length())));
    connection = TestCluster.connect(settings);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    if (connection != null) {
      connection.close();
    }
    TestCluster.assertNoFailures();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    if (servers != null) {
      servers.close();
    }
  }

  NatsServers servers() {
    return Objects.requireNonNull(servers);
  }

  NatsServers.Server server() {
    return servers().server(0);
  }

  String url() {
    return servers().urls().get(0);
  }

  /** The settings of the test's cluster, whose name is that of the test. */
  ClusterSettings settings() {
    return Objects.requireNonNull(settings);
  }

  /** The same with another {@code cluster.keep}. */
  ClusterSettings settings(Duration keep) {
    return TestCluster.settings(
        servers().urls(), settings().name(), keep, TestCluster.NO_CREDENTIALS);
  }

  NatsConnection connection() {
    return Objects.requireNonNull(connection);
  }
}
