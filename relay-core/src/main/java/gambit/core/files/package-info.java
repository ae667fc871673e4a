/**
 * Directories and their lock files: private, synced, and deleted as a whole. Everything that writes
 * files uses them; they know nothing of what is in the files.
 */
@NullMarked
package gambit.core.files;

import org.jspecify.annotations.NullMarked;
