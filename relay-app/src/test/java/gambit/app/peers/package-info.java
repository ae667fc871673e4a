/** Tests of the settings of peers. */
@NullMarked
package gambit.app.peers;

import org.jspecify.annotations.NullMarked;
