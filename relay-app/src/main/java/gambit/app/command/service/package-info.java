/** The commands that make a service of systemd from the directory in which the program is. */
@NullMarked
package gambit.app.command.service;

import org.jspecify.annotations.NullMarked;
