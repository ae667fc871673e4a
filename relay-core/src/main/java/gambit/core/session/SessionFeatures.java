package gambit.core.session;

import gambit.core.feature.ConnectionListener;
import gambit.core.feature.RelayBuilder.HandledVerb;
import gambit.core.feature.RelayBuilder.InstalledSearch;
import gambit.core.feature.RelayBuilder.LoginCheck;
import gambit.core.model.PubKey;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the installed features add to every connection: without a check of logins, the relay takes
 * none (NIP-42); {@code hintsCompleteness} is whether EOSE states if all matching events were sent
 * (NIP-67). Immutable.
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
