/** The web page that is packaged in the jar: its files, read once at the start. */
@NullMarked
package gambit.app.server.web;

import org.jspecify.annotations.NullMarked;
