/** Client libraries, examples and test vectors, run on Node and Python against the relay. */
@NullMarked
package gambit.app.clients;

import org.jspecify.annotations.NullMarked;
