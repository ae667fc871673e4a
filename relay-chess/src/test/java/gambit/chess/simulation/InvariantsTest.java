package gambit.chess.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import gambit.chess.session.ManualSession;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.model.Event;
import gambit.core.model.EventEncoder;
import gambit.core.model.Tags;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Each invariant is violated by the bug injected for it, and by no other. */
class InvariantsTest {
  private static final long SEED = 2;
  private static final int RECORD = 64;

  @Test
  void noInvariantFailsWithoutABug() {
    assertThat(new Simulation(SEED, 50, new InjectedBug()).run(40).answers()).isPositive();
  }

  /** Simulates a game that begins unknown to the session manager. */
  @Test
  void playerInTwoGamesIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  private Commit first = Commit.of(List.of());

                  @Override
                  Commit stored(Commit commit) {
                    if (!begins(commit) || commit == first) {
                      return commit;
                    } else if (first.events().isEmpty()) {
                      first = commit;
                      return commit;
                    }
                    return inPlaceOf(commit, first);
                  }
                }))
        .isEqualTo(Invariant.ONE_LIVE_GAME_PER_PLAYER);
  }

  @Test
  void gameWithoutARecordIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Commit stored(Commit commit) {
                    List<Event> events =
                        commit.events().stream().filter(it -> it.kind() != RECORD).toList();
                    return new Commit(events, commit.withdrawn(), commit.rows());
                  }

                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    return outgoing.stream()
                        .filter(
                            it ->
                                !(it instanceof Outgoing.Broadcast broadcast
                                    && broadcast.event().kind() == RECORD))
                        .toList();
                  }
                }))
        .isEqualTo(Invariant.ONE_ENDING_AND_ONE_RECORD);
  }

  @Test
  void wrongResultIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Commit stored(Commit commit) {
                    List<Event> events = new ArrayList<>();
                    commit.events().forEach(it -> events.add(it.kind() == RECORD ? wrong(it) : it));
                    return new Commit(events, commit.withdrawn(), commit.rows());
                  }
                }))
        .isEqualTo(Invariant.DECIDED_BY_THE_RULES);
  }

  @Test
  void clockThatGainsTimeIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Instant arrival(Instant now) {
                    return now.minusMillis(300);
                  }
                }))
        .isEqualTo(Invariant.CLOCKS_ARE_RIGHT);
  }

  @Test
  void missingPairingIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  boolean sets(Object key) {
                    return !key.getClass().getName().endsWith(".Searches$PairingKey");
                  }
                },
                4, // finds it soon
                10,
                500))
        .isEqualTo(Invariant.PAIRED_BY_THE_RULES);
  }

  @Test
  void lostLinkOfTheChainOfRatedGamesIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Commit stored(Commit commit) {
                    List<Row> rows = commit.rows().stream().filter(it -> !isOfChain(it)).toList();
                    return new Commit(commit.events(), commit.withdrawn(), rows);
                  }
                }))
        .isIn(Invariant.RATINGS_FOLLOW_FROM_RECORDS, Invariant.PAIRED_BY_THE_RULES);
  }

  @Test
  void recordWithTheNumberOfAnotherOneIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Commit stored(Commit commit) {
                    List<Event> events = new ArrayList<>();
                    commit
                        .events()
                        .forEach(it -> events.add(it.tags().has("seq") ? first(it) : it));
                    return new Commit(events, commit.withdrawn(), commit.rows());
                  }
                }))
        .isEqualTo(Invariant.RATINGS_FOLLOW_FROM_RECORDS);
  }

  @Test
  void leaderboardThatIsNotReadAfterARestartIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Map<String, byte[]> found(String table, Map<String, byte[]> rows) {
                    return table.equals(ManualSession.RATINGS) ? Map.of() : rows;
                  }
                }))
        .isEqualTo(Invariant.RATINGS_FOLLOW_FROM_RECORDS);
  }

  private static boolean isOfChain(Row row) {
    return row.table().equals(ManualSession.RATINGS) && row.key().length != 32;
  }

  @Test
  void missingAnswerIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    return outgoing.stream().filter(it -> !isMovesAnswer(it)).toList();
                  }
                }))
        .isEqualTo(Invariant.ONE_ANSWER_PER_EVENT);
  }

  @Test
  void secondAnswerIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    List<Outgoing> twice = new ArrayList<>(outgoing);
                    outgoing.stream().filter(InvariantsTest::isMovesAnswer).forEach(twice::add);
                    return twice;
                  }
                }))
        .isEqualTo(Invariant.ONE_ANSWER_PER_EVENT);
  }

  @Test
  void moveThatIsNotSentToTheOpponentIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    return outgoing.stream()
                        .map(
                            it ->
                                it instanceof Outgoing.Broadcast broadcast
                                        && broadcast.event().kind() == 5001
                                    ? new Outgoing.Broadcast(broadcast.event(), List.of())
                                    : it)
                        .toList();
                  }
                }))
        .isEqualTo(Invariant.OPPONENT_SEES_EVERY_MOVE);
  }

  private static boolean shows(Outgoing item) {
    return item instanceof Outgoing.Multicast multicast
        && multicast.event().content().equals("gameisfound");
  }

  /** Simulates a resume that is sent with the state before a move. */
  @Test
  void resumeAfterANewerMoveIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  private final List<Outgoing> resumes = new ArrayList<>();

                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    List<Outgoing> all = new ArrayList<>(outgoing);
                    outgoing.stream().filter(InvariantsTest::shows).forEach(resumes::add);
                    if (outgoing.stream().anyMatch(InvariantsTest::isMovesAnswer)) {
                      all.addAll(resumes);
                      resumes.clear();
                    }
                    return all;
                  }
                }))
        .isEqualTo(Invariant.GAME_SHOWN_NEVER_GOES_BACK);
  }

  @Test
  void endingSentToOnePlayerOnlyIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    return outgoing.stream()
                        .filter(
                            it ->
                                !(it instanceof Outgoing.Multicast multicast
                                    && multicast.event().content().equals("gamelost")))
                        .toList();
                  }
                }))
        .isEqualTo(Invariant.ENDING_SENT_TO_BOTH);
  }

  @Test
  void missedEndingThatIsNotSentIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    return waits(outgoing) ? List.of() : outgoing;
                  }
                }))
        .isEqualTo(Invariant.ENDING_REACHES_EVERY_PLAYER);
  }

  @Test
  void missedEndingSentTwiceIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    List<Outgoing> all = new ArrayList<>(outgoing);
                    all.addAll(waits(outgoing) ? outgoing : List.of());
                    return all;
                  }
                }))
        .isEqualTo(Invariant.ENDING_REACHES_EVERY_PLAYER);
  }

  @Test
  void missedEndingWithoutARowIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Commit stored(Commit commit) {
                    List<Row> rows =
                        commit.rows().stream()
                            .filter(it -> !it.table().equals(ManualSession.ENDINGS))
                            .toList();
                    return new Commit(commit.events(), commit.withdrawn(), rows);
                  }
                }))
        .isEqualTo(Invariant.ENDING_REACHES_EVERY_PLAYER);
  }

  /** Whether these are missed endings. */
  private static boolean waits(List<Outgoing> outgoing) {
    return !outgoing.isEmpty()
        && outgoing.stream()
            .allMatch(
                it ->
                    it instanceof Outgoing.Multicast multicast
                        && multicast.event().tags().first("result").isPresent());
  }

  @Test
  void outputBeforeItsCommitIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  boolean tellsFirst(Commit commit) {
                    return true;
                  }
                }))
        .isEqualTo(Invariant.COMMITTED_BEFORE_SENT);
  }

  @Test
  void gameLostByARestartIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Map<String, byte[]> found(String table, Map<String, byte[]> rows) {
                    Map<String, byte[]> fewer = new LinkedHashMap<>(rows);
                    if (table.equals(ManualSession.GAMES)) {
                      rows.keySet().stream()
                          .filter(key -> key.length() == 64) // the game itself, not its terms
                          .limit(1)
                          .forEach(fewer::remove);
                    }
                    return fewer;
                  }
                }))
        .isEqualTo(Invariant.RESUMED_AS_COMMITTED);
  }

  @Test
  void rowThatIsNotRemovedIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  Commit stored(Commit commit) {
                    if (commit.events().stream().noneMatch(it -> it.kind() == RECORD)) {
                      return commit;
                    }
                    List<Row> rows =
                        commit.rows().stream()
                            .filter(
                                it -> !it.table().equals(ManualSession.GAMES) || it.value() != null)
                            .toList();
                    return new Commit(commit.events(), commit.withdrawn(), rows);
                  }
                }))
        .isEqualTo(Invariant.ROWS_MATCH_RUNNING_GAMES);
  }

  @Test
  void lobbyThatIsNotPublishedIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  boolean sets(Object key) {
                    return !key.getClass().getName().endsWith(".LobbyState$PublicationKey");
                  }
                }))
        .isEqualTo(Invariant.LOBBY_SHOWS_SEARCHES_AND_INVITES);
  }

  @Test
  void presenceThatIsNotPublishedIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  boolean sets(Object key) {
                    return !key.getClass().getName().endsWith(".Presences$PublicationKey");
                  }
                }))
        .isEqualTo(Invariant.PRESENCE_OF_EVERY_RUNNING_GAME);
  }

  @Test
  void presenceThatIsNotRemovedWithItsGameIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  List<Outgoing> told(List<Outgoing> outgoing) {
                    return outgoing.stream()
                        .filter(it -> !(it instanceof Outgoing.StateRemoval))
                        .toList();
                  }
                }))
        .isEqualTo(Invariant.PRESENCE_OF_EVERY_RUNNING_GAME);
  }

  @Test
  void inviteThatNeverExpiresIsDetected() {
    assertThat(
            violationOf(
                new InjectedBug() {
                  @Override
                  boolean sets(Object key) {
                    return !key.getClass().getName().endsWith(".Invites$ExpiryKey");
                  }
                },
                SEED,
                20,
                5))
        .isEqualTo(Invariant.NOTHING_IS_LEFT);
  }

  private static Invariant violationOf(InjectedBug injectedBug) {
    return violationOf(injectedBug, SEED, 100, 500);
  }

  private static Invariant violationOf(InjectedBug injectedBug, long seed, int players, int games) {
    Violation violation =
        catchThrowableOfType(
            Violation.class, () -> new Simulation(seed, players, injectedBug).run(games));
    assertThat(violation).as("what is reported").isNotNull();
    return violation.invariant();
  }

  private static boolean begins(Commit commit) {
    return commit.events().stream().anyMatch(it -> it.content().equals("gameisfound"));
  }

  private static boolean isMovesAnswer(Outgoing item) {
    return item instanceof Outgoing.Answer answer
        && answer.to().event().kind() == 5001
        && answer.ok().accepted();
  }

  /** The second game with the players of the first one. */
  private static Commit inPlaceOf(Commit second, Commit first) {
    Event event =
        second.events().stream()
            .filter(it -> it.content().equals("gameisfound"))
            .findFirst()
            .orElseThrow();
    List<Row> rows = new ArrayList<>();
    for (Row row : first.rows()) {
      if (row.table().equals(ManualSession.GAMES)) {
        byte[] key = row.key().clone();
        System.arraycopy(event.id().bytes(), 0, key, 0, event.id().bytes().length);
        rows.add(new Row(ManualSession.GAMES, key, row.value()));
      }
    }
    return new Commit(second.events(), second.withdrawn(), rows);
  }

  private static Event wrong(Event record) {
    return with(record, "result", result -> result.equals("1-0") ? "0-1" : "1-0");
  }

  /** The record as that of the first rated game. */
  private static Event first(Event record) {
    return with(record, "seq", seq -> "1");
  }

  private static Event with(Event record, String name, UnaryOperator<String> value) {
    List<List<String>> tags = new ArrayList<>();
    for (List<String> tag : record.tags().list()) {
      tags.add(tag.get(0).equals(name) ? List.of(name, value.apply(tag.get(1))) : tag);
    }
    return EventEncoder.encode(
        record.id(),
        record.pubkey(),
        record.createdAt(),
        record.kind(),
        new Tags(tags),
        record.content(),
        record.sig());
  }
}
