package gambit.core.feature;

/** An extension of the relay beyond NIP-01. The program lists its features in one place. */
public interface Feature {
  /**
   * Registers what the feature adds. Called once, before the relay serves anyone; throws {@link
   * UnreadableRows} when rows that the feature has stored cannot be read.
   */
  void install(RelayBuilder relay);
}
