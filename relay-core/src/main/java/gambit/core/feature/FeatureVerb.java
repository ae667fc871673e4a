package gambit.core.feature;

import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.MessageForm;

/**
 * A verb that a feature adds to the messages of clients. Immutable.
 *
 * @param rate the verb whose rate limit applies to the messages and under which metrics count them;
 *     {@link Verb#CLOSE} has no limit
 */
public record FeatureVerb(MessageForm form, Verb rate) {}
