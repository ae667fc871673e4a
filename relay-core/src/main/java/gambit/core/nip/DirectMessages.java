package gambit.core.nip;

import gambit.core.feature.ClientConnection;
import gambit.core.feature.Feature;
import gambit.core.feature.ReadGuard;
import gambit.core.feature.RelayBuilder;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.Kind;
import gambit.core.model.KindSet;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.List;
import java.util.Set;

/** NIP-04: only the author and the recipients of an encrypted direct message may read it. */
final class DirectMessages implements Feature, ReadGuard {
  private static final KindSet KINDS = KindSet.of(Kind.DIRECT_MESSAGE);

  @Override
  public void install(RelayBuilder relay) {
    relay.supports(4);
    relay.guard(this);
  }

  @Override
  public KindSet kinds() {
    return KINDS;
  }

  @Override
  public boolean mayRead(Event event, ClientConnection reader) {
    Set<PubKey> keys = reader.keys();
    return keys.contains(event.pubkey()) || Recipients.include(event, keys);
  }

  @Override
  public boolean mayFind(Filter filter, ClientConnection reader) {
    Set<PubKey> keys = reader.keys();
    return Recipients.mayInclude(filter, keys)
        || keys.stream()
            .anyMatch(key -> filter.authors() == null || filter.authors().contains(key));
  }

  @Override
  public List<Filter> narrowed(Filter filter, ClientConnection reader) {
    Filter sent =
        new Filter(
            filter.ids(),
            Set.copyOf(reader.keys()),
            filter.kinds(),
            filter.tags(),
            filter.since(),
            filter.until(),
            filter.limit());
    return List.of(sent, Recipients.narrowed(filter, reader.keys()));
  }

  @Override
  public Reason refusal(ClientConnection reader) {
    return Recipients.refusal(reader);
  }
}
