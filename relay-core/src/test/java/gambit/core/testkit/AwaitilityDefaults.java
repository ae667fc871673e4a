package gambit.core.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Sets the defaults of Awaitility: a timeout that suffices on a loaded machine, and frequent
 * polling. JUnit registers it automatically.
 */
public final class AwaitilityDefaults implements BeforeAllCallback {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Client.TIMEOUT);
    Awaitility.setDefaultPollDelay(Duration.ZERO);
    Awaitility.setDefaultPollInterval(POLL_INTERVAL);
  }
}
