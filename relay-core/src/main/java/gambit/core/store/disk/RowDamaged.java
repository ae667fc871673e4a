package gambit.core.store.disk;

/** A row cannot be read because its record is damaged. */
public final class RowDamaged extends RuntimeException {
  private static final long serialVersionUID = 1;

  RowDamaged(Segment segment, int at) {
    super(new StoreDamaged(segment.name(), at, "the record of a row is damaged").getMessage());
  }
}
