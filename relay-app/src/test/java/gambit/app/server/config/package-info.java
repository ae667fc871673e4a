/**
 * Tests of the configuration over real files: layers, files, lists, and errors with their places.
 */
@NullMarked
package gambit.app.server.config;

import org.jspecify.annotations.NullMarked;
