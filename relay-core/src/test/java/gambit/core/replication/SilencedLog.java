package gambit.core.replication;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Omits the warnings of nodes that lose their cluster on purpose. */
final class SilencedLog implements BeforeAllCallback, AfterAllCallback {
  private static final Logger LOG =
      (Logger) LoggerFactory.getLogger(ClusterNode.class.getPackageName());

  private @Nullable Level before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = LOG.getLevel();
    LOG.setLevel(Level.ERROR);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    LOG.setLevel(before);
  }
}
