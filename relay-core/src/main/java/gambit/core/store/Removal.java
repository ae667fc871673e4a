package gambit.core.store;

/** Why an event is removed. It decides how soon its bytes must be gone. */
public enum Removal {
  /** The event is no longer needed: its bytes may stay until enough can be reclaimed. */
  OBSOLETE,
  /** Its deletion was requested (NIP-09, NIP-62): its bytes must be gone within a day. */
  ERASED
}
