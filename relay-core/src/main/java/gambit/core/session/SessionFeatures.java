package gambit.core.session;

import gambit.core.feature.ConnectionListener;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.RelayBuilder.HandledVerb;
import gambit.core.feature.RelayBuilder.InstalledSearch;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the installed features add to every connection. Immutable.
 *
 * @param listeners are notified of logins and of connections that close
 * @param guards decide who may read which events
 * @param trusted whether a key is exempt from rate limits
 * @param logins checks logins (NIP-42); null if the relay takes none
 * @param greets whether a client is sent its challenge as soon as it connects
 * @param verbs the verbs that features add to the messages of clients
 * @param hintsCompleteness whether EOSE states if all matching events were sent (NIP-67)
 * @param search finds events by their text (NIP-50); null if the relay does not search
 */
public record SessionFeatures(
    List<ConnectionListener> listeners,
    ReadGuards guards,
    Predicate<PubKey> trusted,
    @Nullable LoginCheck logins,
    BooleanSupplier greets,
    Map<String, HandledVerb> verbs,
    boolean hintsCompleteness,
    @Nullable InstalledSearch search) {}
