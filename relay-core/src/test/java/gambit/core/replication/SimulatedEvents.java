package gambit.core.replication;

import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The events of all simulations: they are signed and verified once. Some of them replace, delete or
 * forge others, so that a few are enough.
 */
final class SimulatedEvents {
  /** A move of the game. */
  static final int MOVE = 22_100;

  /** A client takes a seat at the game. */
  static final int JOIN = 22_101;

  /** The current state of the game, by the relay. */
  static final int STATE = 22_102;

  /** The time at which every simulation begins, in seconds. */
  static final long START_SECONDS = 1_700_001_000;

  private static final long FIRST_SECOND = 1_700_000_000;
  private static final List<Signer> AUTHORS =
      Stream.of("alice", "bob", "carol").map(Keys::of).toList();
  private static final List<Event> STORED = new ArrayList<>();
  private static final List<Event> EPHEMERAL = new ArrayList<>();
  private static final List<Event> MOVES = new ArrayList<>();
  private static final List<Event> JOINS = new ArrayList<>();
  private static final List<Event> FORGED = new ArrayList<>();
  private static final List<Event> VANISHING = new ArrayList<>();
  private static final Set<Event> VERIFIED = Collections.newSetFromMap(new IdentityHashMap<>());

  static {
    for (int i = 0; i < 24; i++) {
      STORED.add(sign(i, 1, List.of(), "note " + i));
    }
    for (int i = 0; i < 12; i++) {
      STORED.add(sign(i, 10_002, List.of(), "list " + i));
      STORED.add(sign(i, 30_023, List.of(List.of("d", "" + i % 2)), "article " + i));
    }
    for (int i = 0; i < 8; i++) {
      Event note = STORED.get(i);
      STORED.add(sign(i, 5, List.of(List.of("e", note.id().hex())), ""));
    }
    for (Signer author : AUTHORS) {
      String address = "30023:" + author.pubkey().hex() + ":0";
      STORED.add(author.sign(FIRST_SECOND + 5, 5, tags(List.of(List.of("a", address))), ""));
    }
    for (int i = 0; i < 12; i++) {
      EPHEMERAL.add(sign(i, 20_001, List.of(), "ephemeral " + i));
      JOINS.add(sign(i, JOIN, List.of(), "join " + i));
    }
    for (int i = 0; i < 40; i++) {
      MOVES.add(sign(i, MOVE, List.of(), "move " + i));
    }
    Event note = STORED.get(0);
    FORGED.add(EventEncoder.withSignature(note, new byte[64]));
    VANISHING.add(
        AUTHORS
            .get(2)
            .sign(FIRST_SECOND + 8, 62, tags(List.of(List.of("relay", "ALL_RELAYS"))), ""));
    EventVerifier verifier = new EventVerifier();
    Stream.of(STORED, EPHEMERAL, MOVES, JOINS, FORGED, VANISHING)
        .flatMap(List::stream)
        .filter(event -> verifier.hasValidId(event) && verifier.hasValidSignature(event))
        .forEach(VERIFIED::add);
  }

  private SimulatedEvents() {}

  private static Event sign(int number, int kind, List<List<String>> tags, String content) {
    return AUTHORS
        .get(number % AUTHORS.size())
        .sign(FIRST_SECOND + number / AUTHORS.size(), kind, tags(tags), content);
  }

  private static Tags tags(List<List<String>> tags) {
    return new Tags(tags);
  }

  /** Knows the result for each event of this class. */
  static final class KnownResults extends EventVerifier {
    @Override
    public boolean hasValidId(Event event) {
      return true;
    }

    @Override
    public boolean hasValidSignature(Event event) {
      return VERIFIED.contains(event);
    }
  }

  static Event stored(SplittableRandom random) {
    int choice = random.nextInt(200);
    if (choice == 0) {
      return any(VANISHING, random);
    }
    return any(choice < 4 ? FORGED : STORED, random);
  }

  static Event ephemeral(SplittableRandom random) {
    return any(EPHEMERAL, random);
  }

  static Event move(SplittableRandom random) {
    return any(MOVES, random);
  }

  /** The event with which a client joins. */
  static Event join(int client) {
    return JOINS.get(client % JOINS.size());
  }

  /** One of the events that are stored: the first ones are notes. */
  static Event stored(int number) {
    return STORED.get(number);
  }

  /** One of the moves. */
  static Event move(int number) {
    return MOVES.get(number);
  }

  private static Event any(List<Event> events, SplittableRandom random) {
    return events.get(random.nextInt(events.size()));
  }

  static Signer author(SplittableRandom random) {
    return AUTHORS.get(random.nextInt(AUTHORS.size()));
  }
}
