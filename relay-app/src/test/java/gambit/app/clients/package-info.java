/** Client libraries and example clients of others, run on Node against the relay. */
@NullMarked
package gambit.app.clients;

import org.jspecify.annotations.NullMarked;
