package gambit.core.store;

/** A row cannot be read because its record is damaged. */
public final class RowDamaged extends RuntimeException {
  public RowDamaged(String segment, int at) {
    super(new StoreDamaged(segment, at, "the record of a row is damaged").getMessage());
  }
}
