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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Messages that, as these NIPs require, only their recipients may read, whose keys are in the
 * {@code p} tags, and perhaps their author.
 */
record PrivateMessages(KindSet kinds, List<Integer> nips, boolean isReadByAuthor)
    implements Feature, ReadGuard {
  static final Feature NIP_04 =
      new PrivateMessages(KindSet.of(Kind.DIRECT_MESSAGE), List.of(4), true);

  /** Gift wraps, stored or ephemeral, whose author is a single-use key. */
  static final Feature NIP_59 =
      new PrivateMessages(
          KindSet.of(Kind.GIFT_WRAP, Kind.EPHEMERAL_GIFT_WRAP), List.of(17, 59), false);

  @Override
  public void install(RelayBuilder relay) {
    nips.forEach(relay::supports);
    relay.guard(this);
  }

  @Override
  public boolean mayRead(Event event, ClientConnection reader) {
    Set<PubKey> keys = reader.keys();
    if (keys.isEmpty() || (isReadByAuthor && keys.contains(event.pubkey()))) {
      return !keys.isEmpty();
    }
    Set<String> hex = hex(keys);
    return event.tags().values("p").anyMatch(hex::contains);
  }

  @Override
  public boolean mayFind(Filter filter, ClientConnection reader) {
    Set<String> recipients = filter.tags().get('p');
    Set<PubKey> authors = filter.authors();
    return reader.keys().stream()
        .anyMatch(
            key ->
                recipients == null
                    || recipients.contains(key.hex())
                    || (isReadByAuthor && (authors == null || authors.contains(key))));
  }

  @Override
  public List<Filter> narrowed(Filter filter, ClientConnection reader) {
    List<Filter> narrowed = new ArrayList<>();
    if (isReadByAuthor) {
      narrowed.add(filter.with(Set.copyOf(reader.keys()), filter.kinds(), filter.tags()));
    }
    narrowed.add(filter.with(filter.authors(), filter.kinds(), Map.of('p', hex(reader.keys()))));
    return narrowed;
  }

  private static Set<String> hex(Set<PubKey> keys) {
    return keys.stream().map(PubKey::hex).collect(Collectors.toSet());
  }

  @Override
  public Reason refusal(ClientConnection reader) {
    return reader.keys().isEmpty()
        ? Reason.authRequired("private messages are shown to their parties only")
        : Reason.restricted("these private messages are for other parties");
  }
}
