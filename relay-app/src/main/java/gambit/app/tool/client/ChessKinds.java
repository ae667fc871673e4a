package gambit.app.tool.client;

/**
 * The kinds of events in a game of NIP-100, and of the relay's events for players and spectators.
 */
public final class ChessKinds {
  /** Requests outside a game, and the relay's announcements about games. */
  public static final int LOBBY = 5000;

  public static final int MOVE = 5001;

  /** Draw offers, takeback requests, and the answers to them. */
  public static final int PROPOSAL = 5002;

  public static final int RESIGNATION = 5003;
  public static final int RECORD = 64;
  public static final int COMMENT = 1111;
  public static final int STATE = 20302;
  public static final int PRESENCE = 20306;

  /** A head of the chain of rated records. */
  public static final int HEAD = 30064;

  /** A chain of lots for colours. */
  public static final int LOTS = 30065;

  private ChessKinds() {}
}
