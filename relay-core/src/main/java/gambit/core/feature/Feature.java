package gambit.core.feature;

/** Something a relay can do beyond NIP-01; the program lists its features in one place. */
public interface Feature {
  /**
   * Registers what the feature adds. Called once, before the relay serves anyone.
   *
   * @throws UnreadableRows when it cannot go on with what it has stored before
   */
  void install(RelayBuilder relay);
}
