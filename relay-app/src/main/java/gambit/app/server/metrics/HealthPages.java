package gambit.app.server.metrics;

import gambit.core.Health;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answers to health checks: {@code 200} if all is well, else {@code 503} with the reason as
 * text. Thread-safe.
 */
final class HealthPages {
  private final Duration turnTimeout;
  private volatile @Nullable Health health;

  HealthPages(Duration turnTimeout) {
    this.turnTimeout = turnTimeout;
  }

  void report(Health relay) {
    health = relay;
  }

  boolean isReady() {
    return readinessObjection().isEmpty();
  }

  OperatorAnswer live(OperatorRequest request) {
    return answer(livenessObjection(), "alive");
  }

  OperatorAnswer ready(OperatorRequest request) {
    return answer(readinessObjection(), "ready" + remarkLine());
  }

  private static OperatorAnswer answer(Optional<String> objection, String healthy) {
    return OperatorAnswer.text(objection.isPresent() ? 503 : 200, objection.orElse(healthy) + "\n");
  }

  private Optional<String> livenessObjection() {
    Health relay = health;
    try {
      List<String> stuck = relay == null ? List.of() : relay.stuck(turnTimeout);
      return stuck.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "no turn within " + turnTimeout.toMillis() + " ms: " + String.join(", ", stuck));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.of("the operators' port is being closed");
    }
  }

  private Optional<String> readinessObjection() {
    Health relay = health;
    return relay == null ? Optional.of("the store is being opened") : relay.objection();
  }

  private String remarkLine() {
    Health relay = health;
    return relay == null ? "" : relay.remark().map(it -> "\n" + it).orElse("");
  }
}
