package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.server.metrics.OperatorAnswer;
import gambit.app.server.reload.ControlChannel;
import gambit.app.server.settings.Settings;
import gambit.core.feature.PostHandler.PostAnswer;
import gambit.core.management.Call;
import gambit.core.management.Management;
import gambit.core.nip.OperatorPolicies;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Requests of the control channel about management. Any thread; they wait for the lane.
 *
 * <ul>
 *   <li>{@code POST /control/management}: carries out a call of the operator's commands, in the
 *       form of NIP-86.
 *   <li>{@code POST /control/admin-link}: answers the link that makes whoever opens it an admin,
 *       once and within an hour, as text; for {@link #FIRST} as the body, only while there is no
 *       admin.
 * </ul>
 *
 * @param page the URL of the admin page, empty if there is none
 */
public record ManagementChannel(Management management, String page) {
  public static final String PATH = "/control/management";
  public static final String LINK_PATH = "/control/admin-link";

  /** Asks for a link for the first admin. */
  public static final String FIRST = "first";

  /** The status of the answer if there is an admin already. */
  public static final int EXISTS = HttpURLConnection.HTTP_GONE;

  public static final String NO_PAGE =
      "There is no admin page (a build without npm, or web.enabled); set management.admins.";

  private static final String LINK_CALL = "{\"method\":\"adminlink\",\"params\":[]}";

  /** Shorter than the command waits. */
  private static final int TIMEOUT_SECONDS = 25;

  public static Management management(Settings settings, OperatorPolicies policies) {
    return new Management(
        policies,
        settings.admins(),
        !settings.nips().off().contains(86),
        !settings.nips().off().contains(56));
  }

  /**
   * The URL of the admin page.
   *
   * @param relay the first URL of the relay, ws or wss
   */
  public static String pageOf(String relay) {
    return relay.replaceFirst("^ws", "http").replaceFirst("/*$", "/admin");
  }

  public void install(ControlChannel control) {
    control.answer(PATH, request -> call(request.body()));
    control.answer(
        LINK_PATH,
        request ->
            request.body().equals(FIRST) && !management.needsAdmin()
                ? OperatorAnswer.text(EXISTS, "there is an admin already\n")
                : makeLink());
  }

  /** The link, or with another status than 200 the reason why there is none. */
  public OperatorAnswer makeLink() {
    if (page.isEmpty()) {
      return OperatorAnswer.text(409, NO_PAGE + "\n");
    }
    OperatorAnswer answer = call(LINK_CALL);
    if (answer.status() != HttpURLConnection.HTTP_OK) {
      return answer;
    }
    try {
      JsonNode result = Call.JSON.readTree(answer.body()).path("result");
      return OperatorAnswer.text(200, page + "#link=" + result.path("code").asText() + "\n");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private OperatorAnswer call(String body) {
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
