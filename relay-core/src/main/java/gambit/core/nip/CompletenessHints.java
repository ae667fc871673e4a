package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;

/** NIP-67: EOSE says whether that was all. Off by default: some clients fail on what they hear. */
final class CompletenessHints implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    relay.supports(67);
    relay.completenessHints();
  }
}
