package gambit.app.tool.peers;

/** Which of the two relays gets the events that it lacks. */
public enum Direction {
  /** The peer. */
  UP,
  /** This relay. */
  DOWN,
  BOTH;

  public boolean isUp() {
    return this != DOWN;
  }

  public boolean isDown() {
    return this != UP;
  }
}
