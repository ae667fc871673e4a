package gambit.app.command.management;

import gambit.app.server.metrics.OperatorAnswer;
import gambit.app.server.metrics.OperatorRequest;
import gambit.app.server.metrics.OperatorRoutes;
import gambit.app.server.settings.Settings;
import gambit.core.feature.PostHandler.PostAnswer;
import gambit.core.management.Management;
import gambit.core.nip.OperatorPolicies;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Carries out the calls of the operator's commands, in the form of NIP-86: {@code POST
 * /control/management}. Any thread; it waits for the answer.
 */
public final class ManagementChannel implements OperatorRoutes.Handler {
  public static final String PATH = "/control/management";

  /** Shorter than the command waits. */
  private static final int TIMEOUT_SECONDS = 25;

  private final Management management;

  public ManagementChannel(Management management) {
    this.management = management;
  }

  public static Management management(Settings settings, OperatorPolicies policies) {
    return new Management(
        policies,
        settings.admins(),
        !settings.nips().off().contains(86),
        !settings.nips().off().contains(56));
  }

  @Override
  public OperatorAnswer answer(OperatorRequest request) {
    return call(request.body());
  }

  boolean needsAdmin() {
    return management.needsAdmin();
  }

  OperatorAnswer call(String body) {
    CompletableFuture<PostAnswer> awaited = new CompletableFuture<>();
    management.call(body, awaited::complete);
    try {
      PostAnswer answer = awaited.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      return OperatorAnswer.text(answer.status(), answer.json());
    } catch (TimeoutException e) {
      return OperatorAnswer.text(503, "the relay is busy; the call may still take effect\n");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return OperatorAnswer.text(503, "the relay is ending\n");
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}
