package gambit.core.nip;

import gambit.core.feature.ClientConnection;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.wire.Reason;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The recipients of a message: the keys in its {@code p} tags. */
final class Recipients {
  private Recipients() {}

  /** Whether one of the keys is a recipient of the event. */
  static boolean include(Event event, Set<PubKey> keys) {
    if (keys.isEmpty()) {
      return false;
    }
    Set<String> hex = keys.stream().map(PubKey::hex).collect(Collectors.toSet());
    return event.tags().values("p").anyMatch(hex::contains);
  }

  /** Whether the filter can match messages to one of the keys. */
  static boolean mayInclude(Filter filter, Set<PubKey> keys) {
    Set<String> wanted = filter.tags().get('p');
    return keys.stream().anyMatch(key -> wanted == null || wanted.contains(key.hex()));
  }

  /** The filter, which has no condition on tags, for messages to the keys alone. */
  static Filter narrowed(Filter filter, Set<PubKey> keys) {
    Set<String> hex = keys.stream().map(PubKey::hex).collect(Collectors.toSet());
    return new Filter(
        filter.ids(),
        filter.authors(),
        filter.kinds(),
        Map.of('p', hex),
        filter.since(),
        filter.until(),
        filter.limit());
  }

  /** Why a query for nothing but other parties' messages is refused. */
  static Reason refusal(ClientConnection reader) {
    return reader.keys().isEmpty()
        ? Reason.authRequired("private messages are shown to their parties only")
        : Reason.restricted("these private messages are for other parties");
  }
}
