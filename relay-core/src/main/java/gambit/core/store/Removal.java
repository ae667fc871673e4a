package gambit.core.store;

/** Why an event is taken away: how soon its bytes have to be gone. */
public enum Removal {
  /** It gives its place to others: its bytes may stay until it is worth it to reclaim them. */
  OBSOLETE,
  /** Somebody has a right to its end: its bytes are to be gone within a day. */
  ERASED
}
