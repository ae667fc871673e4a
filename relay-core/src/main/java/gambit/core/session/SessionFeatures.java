package gambit.core.session;

import gambit.core.feature.ConnectionListener;
import gambit.core.feature.LoginCheck;
import gambit.core.feature.Tally;
import gambit.core.model.Filter;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the installed features have added to every connection. Immutable.
 *
 * @param listeners hear of logins and of connections that end
 * @param guards who may read what
 * @param logins how logins are checked (NIP-42); absent: none is taken
 * @param greets whether a client is sent its challenge as soon as it connects
 * @param tallies makes a tally for a COUNT (NIP-45); absent: nothing is counted
 * @param hintsCompleteness whether EOSE tells if that was all (NIP-67)
 */
public record SessionFeatures(
    List<ConnectionListener> listeners,
    ReadGuards guards,
    @Nullable LoginCheck logins,
    boolean greets,
    @Nullable Function<List<Filter>, Tally> tallies,
    boolean hintsCompleteness) {}
