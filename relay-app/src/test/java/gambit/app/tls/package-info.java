@NullMarked
package gambit.app.tls;

import org.jspecify.annotations.NullMarked;
