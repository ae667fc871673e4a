package gambit.app.command.management;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.server.metrics.OperatorAnswer;
import gambit.app.server.metrics.OperatorRequest;
import gambit.app.server.metrics.OperatorRoutes;
import gambit.core.management.Call;
import java.io.IOException;
import java.net.HttpURLConnection;

/**
 * Makes the link that makes whoever opens it an admin, once and within an hour: {@code POST
 * /control/admin-link}, answered with the link as text; for {@link #FIRST} as the body, only while
 * there is no admin. Any thread; it waits for the lane of management.
 *
 * @param page the URL of the admin page, empty if there is none
 */
public record AdminLink(ManagementChannel management, String page)
    implements OperatorRoutes.Handler {
  public static final String PATH = "/control/admin-link";

  /** Asks for a link for the first admin. */
  public static final String FIRST = "first";

  /** The status of the answer if there is an admin already. */
  public static final int EXISTS = HttpURLConnection.HTTP_GONE;

  public static final String NO_PAGE =
      "There is no admin page (a build without npm, or web.enabled); set management.admins.";

  private static final String CALL = "{\"method\":\"adminlink\",\"params\":[]}";

  /**
   * The URL of the admin page.
   *
   * @param relay the first URL of the relay, ws or wss
   */
  public static String pageOf(String relay) {
    return relay.replaceFirst("^ws", "http").replaceFirst("/*$", "/admin");
  }

  @Override
  public OperatorAnswer answer(OperatorRequest request) {
    return request.body().equals(FIRST) && !management.needsAdmin()
        ? OperatorAnswer.text(EXISTS, "there is an admin already\n")
        : make();
  }

  /** The link, or with another status than 200 the reason why there is none. */
  public OperatorAnswer make() {
    if (page.isEmpty()) {
      return OperatorAnswer.text(409, NO_PAGE + "\n");
    }
    OperatorAnswer answer = management.call(CALL);
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
}
