/**
 * The relay's side of one client's connection: subscriptions, queries, logins, messages of
 * features, and their bounds. It has no sockets: {@code net} passes messages in and takes frames
 * from the {@link gambit.core.session.Outbox}.
 */
@NullMarked
package gambit.core.session;

import org.jspecify.annotations.NullMarked;
