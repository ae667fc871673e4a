/** The write policy plugin, by strfry's protocol of JSON lines (strfry, docs/plugins.md). */
@NullMarked
package gambit.app.server.plugin;

import org.jspecify.annotations.NullMarked;
