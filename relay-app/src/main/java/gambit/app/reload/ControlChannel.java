package gambit.app.reload;

import gambit.app.metrics.OperationsServer;
import gambit.app.metrics.OperatorAnswer;
import gambit.app.metrics.OperatorRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The requests by which commands control the running relay, at the operators' port: {@code POST
 * /control/reload}. Each needs the token of the file {@code control}; that of the metrics does not
 * permit it. Thread-safe.
 */
public final class ControlChannel implements AutoCloseable {
  private final Path data;
  private final ControlFile control;
  private final Reload reload;

  /**
   * Accepts requests from now on; a reload is refused until the relay has started.
   *
   * @throws IOException when the file cannot be written
   */
  public ControlChannel(OperationsServer operations, Path data, Reload reload) throws IOException {
    this.data = data;
    this.control = ControlFile.create(operations.url());
    this.reload = reload;
    operations.route("POST", ControlFile.RELOAD_PATH, this::answer);
    control.writeTo(data);
  }

  private OperatorAnswer answer(OperatorRequest request) {
    if (!request.hasBearerToken(control.token())) {
      return OperatorAnswer.text(
          401,
          Map.of("WWW-Authenticate", "Bearer"),
          "the token is that of the file control in the data directory\n");
    }
    ReloadResult result = reload.reload();
    return OperatorAnswer.text(result.status(), result.text());
  }

  /** Removes the file; requests are refused by then, because the relay is ending. */
  @Override
  public void close() {
    ControlFile.remove(data);
  }
}
