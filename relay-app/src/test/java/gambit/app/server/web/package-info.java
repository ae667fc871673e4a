@NullMarked
package gambit.app.server.web;

import org.jspecify.annotations.NullMarked;
