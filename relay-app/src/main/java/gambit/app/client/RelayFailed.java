package gambit.app.client;

/** Why a relay cannot be talked to, in words for a person. */
public final class RelayFailed extends Exception {
  private static final long serialVersionUID = 1;

  public RelayFailed(String words) {
    super(words);
  }
}
