/**
 * The write policy plugin: another program that decides which events of clients are accepted, by
 * strfry's protocol of JSON lines on its standard input and output (strfry, docs/plugins.md).
 */
@NullMarked
package gambit.app.server.plugin;

import org.jspecify.annotations.NullMarked;
