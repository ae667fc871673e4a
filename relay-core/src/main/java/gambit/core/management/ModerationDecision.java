package gambit.core.management;

/**
 * A decision on a subject, which is in force until it is lifted or replaced. Immutable.
 *
 * @param reason may be empty
 * @param at when it was made, in seconds of Unix time
 * @param by who has made it ({@link Caller#name})
 */
public record ModerationDecision(
    Subject subject, Verdict verdict, String reason, long at, String by) {

  /** The verdict on a subject. */
  public enum Verdict {
    /** Refused. */
    BANNED,
    /** Accepted where only listed ones are, and no longer in the queue of reports. */
    ALLOWED
  }
}
