package gambit.core.nip;

import gambit.core.model.PubKey;

/**
 * Authors and kinds that are accepted besides those that {@link AdmissionPolicy} lists.
 * Thread-safe; the answers may change.
 */
public interface Allowances {
  /** No further authors and kinds. */
  Allowances NONE =
      new Allowances() {
        @Override
        public boolean allowAuthor(PubKey author) {
          return false;
        }

        @Override
        public boolean allowKind(int kind) {
          return false;
        }
      };

  /** Whether the author is accepted where only listed ones are. */
  boolean allowAuthor(PubKey author);

  /** Whether the kind is accepted where only listed ones are. */
  boolean allowKind(int kind);
}
