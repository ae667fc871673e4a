/** Tests of the settings of peers. */
@NullMarked
package gambit.app.tool.peers;

import org.jspecify.annotations.NullMarked;
