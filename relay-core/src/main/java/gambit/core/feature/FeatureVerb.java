package gambit.core.feature;

import gambit.core.rate.RateLimits.Verb;
import gambit.core.wire.MessageForm;

/**
 * A verb that a feature adds to the messages of clients.
 *
 * @param rate the rate limit that applies to the messages, and the verb under which they are
 *     counted in the metrics: {@link Verb#CLOSE} is not limited
 */
public record FeatureVerb(MessageForm form, Verb rate) {}
