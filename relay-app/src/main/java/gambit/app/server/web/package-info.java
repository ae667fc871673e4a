/** The web page that is packaged in the jar, and the operator's engine: their files, read once. */
@NullMarked
package gambit.app.server.web;

import org.jspecify.annotations.NullMarked;
