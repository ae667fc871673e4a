package gambit.core.testkit;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Lets every suite wait for what has to come for as long as a loaded machine may need, and see it
 * as soon as it is there. JUnit finds it by itself.
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
