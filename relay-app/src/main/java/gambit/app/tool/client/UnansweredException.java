package gambit.app.tool.client;

/**
 * An event or a query was not answered: the relay may or may not have received it, and it is not
 * sent again.
 */
public final class UnansweredException extends Exception {
  private static final long serialVersionUID = 1;

  public UnansweredException(String message) {
    super(message);
  }
}
