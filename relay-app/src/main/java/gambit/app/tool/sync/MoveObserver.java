package gambit.app.tool.sync;

/** Is notified of each event that was moved. */
interface MoveObserver {
  /** Observes nothing. */
  MoveObserver NONE =
      new MoveObserver() {
        @Override
        public void stored(boolean isHere) {}

        @Override
        public void refused(boolean isHere) {}
      };

  /** An event was stored: here, or by the peer. */
  void stored(boolean isHere);

  /** An event was refused, likewise. */
  void refused(boolean isHere);
}
