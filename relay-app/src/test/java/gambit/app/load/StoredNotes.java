package gambit.app.load;

import gambit.core.model.Event;
import gambit.core.testkit.NoteQueries;
import gambit.core.testkit.SyntheticNotes;
import java.util.ArrayList;
import java.util.List;

/** The notes stored in a relay, and queries for them. */
final class StoredNotes {
  private static final int PORTION = 10_000;
  private static final int CONNECTIONS = 8;
  private static final int UNDER_WAY = 64;
  private static final int SAMPLE = 20_000;

  private final SyntheticNotes notes = SyntheticNotes.signed(2);
  private final List<Event> sample = new ArrayList<>();

  /** Publishes this number of notes. */
  static StoredNotes fill(LoadClients peers, int events) throws Exception {
    StoredNotes library = new StoredNotes();
    List<LoadClient> publishers = peers.connect(CONNECTIONS);
    for (int stored = 0; stored < events; stored += PORTION) {
      List<Event> portion = library.notes.next(Math.min(PORTION, events - stored));
      Publishing.publish(
          peers, publishers, UNDER_WAY, portion.stream().map(BenchmarkContext::frame).toList());
      int share = (int) Math.ceil((double) SAMPLE * portion.size() / events);
      library.sample.addAll(portion.subList(0, Math.min(share, portion.size())));
    }
    publishers.forEach(LoadClient::close);
    return library;
  }

  SyntheticNotes notes() {
    return notes;
  }

  NoteQueries queries() {
    return new NoteQueries(notes, sample);
  }
}
