package gambit.core.nip;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.KindSet;
import gambit.core.wire.Reason;
import java.util.List;

/**
 * NIP-59, and thereby NIP-17: only the recipients of a gift wrap, stored or ephemeral, may read it.
 * Its author is a single-use key.
 */
final class GiftWraps implements Feature, ReadGuard {
  private static final KindSet KINDS = KindSet.of(Kind.GIFT_WRAP, Kind.EPHEMERAL_GIFT_WRAP);

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(17);
    relay.supports(59);
    relay.guard(this);
  }

  @Override
  public KindSet kinds() {
    return KINDS;
  }

  @Override
  public boolean mayRead(Event event, ClientConnection reader) {
    return Recipients.include(event, reader.keys());
  }

  @Override
  public boolean mayFind(Filter filter, ClientConnection reader) {
    return Recipients.mayInclude(filter, reader.keys());
  }

  @Override
  public List<Filter> narrowed(Filter filter, ClientConnection reader) {
    return List.of(Recipients.narrowed(filter, reader.keys()));
  }

  @Override
  public Reason refusal(ClientConnection reader) {
    return Recipients.refusal(reader);
  }
}
