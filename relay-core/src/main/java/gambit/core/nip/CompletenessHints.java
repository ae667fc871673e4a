package gambit.core.nip;

import gambit.core.feature.Feature;
import gambit.core.feature.RelayBuilder;

/**
 * NIP-67: EOSE states whether all matching events were sent. Off by default, because some clients
 * fail on the third element.
 */
final class CompletenessHints implements Feature {
  @Override
  public void install(RelayBuilder relay) {
    relay.supports(67);
    relay.completenessHints();
  }
}
