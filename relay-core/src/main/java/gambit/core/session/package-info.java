/**
 * One client: its connection, its subscriptions, the stored pages on their way to it, and the
 * bounds on all of that. No sockets in here: {@code net} brings frames and takes them.
 */
@NullMarked
package gambit.core.session;

import org.jspecify.annotations.NullMarked;
