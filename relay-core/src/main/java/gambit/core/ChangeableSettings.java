package gambit.core;

import gambit.core.ingest.Retention;
import gambit.core.limit.LimitValues;
import gambit.core.net.PortSettings.TransportSettings;
import gambit.core.net.WebPage;
import gambit.core.nip.StandardNips;
import gambit.core.rate.RateLimits;
import java.util.Map;

/**
 * The settings that can change while a relay runs ({@link Relay#change}). Immutable.
 *
 * @param about the operator's description of the relay, by field of NIP-11; empty ones are omitted
 * @param transport compression changes for connections opened later
 * @param nips the set of NIPs that are off cannot change; greeting and difficulty can
 */
public record ChangeableSettings(
    Map<String, String> about,
    WebPage page,
    TransportSettings transport,
    LimitValues limits,
    RateLimits rates,
    Retention retention,
    StandardNips nips) {}
