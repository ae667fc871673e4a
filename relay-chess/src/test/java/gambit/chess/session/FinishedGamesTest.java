package gambit.chess.session;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.core.crypto.Signer;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FinishedGamesTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");
  private static final Signer REFEREE = Keys.of("referee");
  private static final Signer OTHER = Keys.of("other");
  private static final Instant NOW = Instant.ofEpochSecond(1_700_100_000);
  private static final long TIME = 1_700_000_000;

  private final List<Event> store = new ArrayList<>();
  private final List<Integer> queries = new ArrayList<>(); // the number of events of each

  private final StoredEvents stored =
      (filter, max) -> {
        List<Event> found =
            store.stream()
                .filter(filter::matches)
                .sorted(Comparator.comparing(Event::createdAt).reversed())
                .limit(max)
                .toList();
        queries.add(found.size());
        return found;
      };

  private Event game(Signer referee, long time) {
    Tags players =
        new Tags(List.of(List.of("p", ALICE.pubkey().hex()), List.of("p", BOB.pubkey().hex())));
    Event first = referee.sign(time, 5000, players, "gameisfound");
    store.add(first);
    return first;
  }

  private void record(Signer referee, Event first, Event move) {
    Tags tags =
        new Tags(
            List.of(List.of("e", first.id().hex(), "", "root"), List.of("plies", move.id().hex())));
    store.add(referee.sign(first.createdAt() + 100, 64, tags, "1. e4 1-0"));
  }

  private boolean isOfFinishedGame(Event move) {
    RefereeEvents events = new RefereeEvents(Keys.of("relay"), "wss://relay.example/");
    return new FinishedGames(stored, Duration.ofSeconds(60), player -> Set.of())
        .objection(new Nip100(events).read(move), NOW)
        .isEmpty();
  }

  @Test
  void moveWithoutTagsIsFoundInTheRecordsOfSeveralGamesWithTwoQueries() {
    Event move = ALICE.sign(TIME + 1, 5001, Tags.NONE, "e2e4");
    Event other = ALICE.sign(TIME + 2, 5001, Tags.NONE, "d2d4");
    for (int i = 0; i < 40; i++) {
      record(REFEREE, game(REFEREE, TIME - i), i == 3 ? move : other);
    }
    assertThat(isOfFinishedGame(move)).isTrue();
    assertThat(queries).hasSize(2).allMatch(found -> found <= 64);
  }

  @Test
  void recordMustBeOfTheKeyOfTheFirstEventThatItNames() {
    Event move = ALICE.sign(TIME + 1, 5001, Tags.NONE, "e2e4");
    Event first = game(REFEREE, TIME);
    game(OTHER, TIME - 10);
    record(OTHER, first, move);
    assertThat(isOfFinishedGame(move)).isFalse();
    record(REFEREE, first, move);
    assertThat(isOfFinishedGame(move)).isTrue();
  }

  @Test
  void moveIsEvidenceWhateverOthersMentionItsAuthorIn() {
    Event move = ALICE.sign(TIME + 1, 5001, Tags.NONE, "e2e4");
    record(REFEREE, game(REFEREE, TIME), move);
    Tags alice = new Tags(List.of(List.of("p", ALICE.pubkey().hex())));
    for (int i = 0; i < 16; i++) {
      store.add(OTHER.sign(TIME + 1, 5000, alice, "job " + i));
    }
    assertThat(
            new FinishedGames(stored, Duration.ofSeconds(60), player -> Set.of())
                .isEvidence(move, REFEREE.pubkey()))
        .isTrue();
  }
}
