package gambit.core.management;

/**
 * A change that somebody has made. Immutable.
 *
 * @param number counts all changes of this relay, from 1
 * @param at in seconds of Unix time
 * @param by who has made it ({@link Caller#name})
 * @param action the method of the call
 * @param target what it has changed
 * @param reason may be empty
 * @param login the id of the event that has authorized it (NIP-98); empty for a command
 */
public record AuditEntry(
    long number, long at, String by, String action, String target, String reason, String login) {}
