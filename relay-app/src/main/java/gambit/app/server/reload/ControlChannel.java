package gambit.app.server.reload;

import gambit.app.server.metrics.OperationsServer;
import gambit.app.server.metrics.OperatorAnswer;
import gambit.app.server.metrics.OperatorRoutes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests by which commands control the running relay, at the operators' port: {@code POST
 * /control/reload}, and {@code /control/port}, which is answered with the address of the relay's
 * port, and those of {@link #answer}. Each needs the token of the file {@code control}; that of the
 * metrics does not permit it. Thread-safe.
 */
public final class ControlChannel implements AutoCloseable {
  private final OperationsServer operations;
  private final ControlFile control;
  private final Reload reload;
  private volatile @Nullable Supplier<String> port; // while the relay listens

  /** Writes the file, and accepts requests; a reload is refused until the relay has started. */
  public ControlChannel(OperationsServer operations, Path data, Reload reload) throws IOException {
    this.operations = operations;
    this.control = new ControlFile(data, operations.url(), ControlFile.newToken());
    this.reload = reload;
    operations.route("POST", ControlFile.RELOAD_PATH, ifAllowed(request -> reload()));
    operations.route("POST", ControlFile.PORT_PATH, ifAllowed(request -> port()));
    control.write();
  }

  public String token() {
    return control.token();
  }

  /** The relay listens on a port that a text describes, made on any thread. */
  public void listens(Supplier<String> text) {
    port = text;
  }

  public void answer(String path, OperatorRoutes.Handler handler) {
    operations.route("POST", path, ifAllowed(handler));
  }

  private OperatorRoutes.Handler ifAllowed(OperatorRoutes.Handler handler) {
    return request ->
        request.hasBearerToken(control.token())
            ? handler.answer(request)
            : OperatorAnswer.text(
                401,
                Map.of("WWW-Authenticate", "Bearer"),
                "the token is that of the file control in the data directory\n");
  }

  private OperatorAnswer port() {
    Supplier<String> current = port;
    return current == null
        ? OperatorAnswer.text(503, "the relay is starting; try again when it is ready.\n")
        : OperatorAnswer.text(200, current.get() + "\n");
  }

  private OperatorAnswer reload() {
    ReloadResult result = reload.reload();
    return OperatorAnswer.text(result.status(), result.text());
  }

  /** Removes the file; requests are refused by then, because the relay is ending. */
  @Override
  public void close() {
    control.remove();
  }
}
