package gambit.chess.session.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.ChessClock;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.PlayedMoves;
import gambit.chess.game.Proposal;
import gambit.chess.game.SideHistory;
import gambit.chess.game.TimeControl;
import gambit.chess.game.TimeLimits;
import gambit.chess.rating.Category;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.feature.Row;
import gambit.core.feature.UnreadableRows;
import gambit.core.model.EventId;
import gambit.core.testkit.Keys;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GameRowsTest {
  private static final long START = 1_772_389_805_000L;
  private static final Position KINGS =
      Position.parseFen("4k3/8/8/8/8/8/4P3/4K2R b K - 7 12").orElseThrow();
  private static final List<String> SHUFFLE = List.of("g1f3", "g8f6", "f3g1", "f6g8");

  private final RefereeEvents relay = new RefereeEvents(Keys.of("relay"), "wss://relay.example/");
  private final Nip100 nip100 = new Nip100(relay);
  private final Ephemeral ephemeral = new Ephemeral(relay);
  private final GameRows journal = new GameRows(List.of(nip100, ephemeral));
  private final GameRef ref =
      new GameRef(
          id(-1),
          new GameRef.Seat(Keys.of("alice").pubkey(), ephemeral, 4),
          new GameRef.Seat(Keys.of("bob").pubkey(), nip100),
          false,
          new RatedStart(
              Category.CORRESPONDENCE,
              new RatedStart.Strength(-12, 500),
              new RatedStart.Strength(2_345, 45)));
  private final Map<String, byte[]> rows = new HashMap<>();

  @ParameterizedTest
  @EnumSource(Proposal.Type.class)
  void gameIsReadBackWithItsProposalsAndEvents(Proposal.Type kind) {
    for (Side by : Side.values()) {
      List<String> evidence = List.of("ending", "proof \u00e4\u265a");
      GameSnapshot written = standing(KINGS, List.of("e8d7"), new Proposal(kind, by), by, evidence);
      write(null, written);
      assertThat(read().proposal()).isEqualTo(evidence);
      assertThat(read().game()).usingRecursiveComparison().isEqualTo(written.game());
      assertThatTurnIs(1, Side.WHITE);
    }
  }

  /** What a follower of a cluster reads. */
  private void assertThatTurnIs(int plies, Side turn) {
    List<GameRef> games = new ArrayList<>();
    List<GameRows.Turn> turns = new ArrayList<>();
    rows.forEach(
        (key, row) -> {
          journal.gameIn(key, row).ifPresent(games::add);
          GameRows.turnIn(key, row).ifPresent(turns::add);
        });
    assertThat(games).containsExactly(ref);
    assertThat(turns).containsExactly(new GameRows.Turn(plies, turn));
  }

  @Test
  void gameWithoutAProposalOrARunningClockIsReadBack() {
    GameSnapshot written = standing(Position.initial(), List.of(), null, null, null);
    write(null, written);
    assertThat(read().proposal()).isNull();
    assertThat(read().game()).usingRecursiveComparison().isEqualTo(written.game());
    GameRows.StoredGame entry = journal.read(rows).get(0);
    assertThat(entry.ref()).isEqualTo(ref);
  }

  @Test
  void casualGameIsReadBackWithoutRatings() {
    GameRef casual = new GameRef(ref.id(), ref.white(), ref.black(), false, null);
    journal.rowsOfStart(casual, shuffled(0), List.of(), 0).forEach(this::apply);
    assertThat(journal.read(rows).get(0).ref()).isEqualTo(casual);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 70})
  void longGameIsReadBackWithAllMovesAndEvents(int plies) {
    GameSnapshot before = null;
    for (int ply = 0; ply <= plies; ply++) {
      GameSnapshot after = shuffled(ply);
      write(before, after);
      before = after;
    }
    assertThat(read().game().moves()).isEqualTo(shuffled(plies).game().moves());
    assertThat(read().plies()).isEqualTo(shuffled(plies).plies());
    assertThat(rows).hasSize(2 + plies / 8);
    assertThatTurnIs(plies, plies % 2 == 0 ? Side.WHITE : Side.BLACK);
  }

  @Test
  void takebackRemovesTheRowOfUndonePlies() {
    write(null, shuffled(64));
    assertThat(rows).hasSize(10);
    write(shuffled(64), shuffled(62));
    assertThat(rows).hasSize(9);
    assertThat(read().game().plies()).isEqualTo(62);
    write(shuffled(62), shuffled(64));
    assertThat(read().plies()).isEqualTo(shuffled(64).plies());
  }

  @Test
  void endedGameLeavesNoRow() {
    write(null, shuffled(70));
    journal.rowsOfEnd(ref, shuffled(70)).forEach(this::apply);
    assertThat(rows).isEmpty();
  }

  @Test
  void stepWritesTheRowOfTheGameAndAtMostOneRowOfPlies() {
    assertThat(journal.rowsOfStep(ref, shuffled(69), shuffled(70))).hasSize(1);
    assertThat(journal.rowsOfStep(ref, shuffled(63), shuffled(64))).hasSize(2);
  }

  @Test
  void stepWritesLittleHoweverLongTheGameIs() {
    int plies = 240;
    long all = 0;
    for (int ply = 1; ply <= plies; ply++) {
      int bytes =
          journal.rowsOfStep(ref, shuffled(ply - 1), shuffled(ply)).stream()
              .mapToInt(Row::bytes)
              .sum();
      assertThat(bytes).as("ply " + ply).isLessThanOrEqualTo(460);
      all += bytes;
    }
    assertThat(all / plies).as("bytes of a step").isLessThanOrEqualTo(280);
  }

  @Test
  void gameKnowsTheTwoSearchesThatHaveLedToIt() {
    List<EventId> searches =
        List.of(EventId.ofHex("aa".repeat(32)), EventId.ofHex("bb".repeat(32)));
    journal.rowsOfStart(ref, shuffled(0), searches, 0).forEach(this::apply);
    write(shuffled(0), shuffled(1));
    assertThat(journal.read(rows).get(0).searches()).isEqualTo(searches);
    assertThat(journal.read(rows).get(0).ref()).isEqualTo(ref);
    journal.rowsOfStart(ref, shuffled(0), List.of(), 0).forEach(this::apply);
    assertThat(journal.read(rows).get(0).searches()).isEmpty();
  }

  @Test
  void stateWithoutItsTermsIsUnreadable() {
    write(null, shuffled(3));
    rows.keySet().removeIf(key -> key.endsWith("ffffffff"));
    assertThatThrownBy(() -> journal.read(rows))
        .isInstanceOf(UnreadableRows.class)
        .hasStackTraceContaining("the terms are missing");
  }

  private void write(@Nullable GameSnapshot before, GameSnapshot after) {
    List<Row> written =
        before == null
            ? journal.rowsOfStart(ref, after, List.of(), 0)
            : journal.rowsOfStep(ref, before, after);
    written.forEach(this::apply);
  }

  private void apply(Row row) {
    String key = HexFormat.of().formatHex(row.key());
    if (row.value() == null) {
      rows.remove(key);
    } else {
      rows.put(key, row.value());
    }
  }

  private GameSnapshot read() {
    List<GameRows.StoredGame> entries = journal.read(rows);
    assertThat(entries).hasSize(1);
    return entries.get(0).snapshot();
  }

  private static GameSnapshot shuffled(int plies) {
    List<String> moves = new ArrayList<>();
    for (int ply = 0; ply < plies; ply++) {
      moves.add(SHUFFLE.get(ply % SHUFFLE.size()));
    }
    return standing(Position.initial(), moves, null, Side.WHITE, null);
  }

  /** A game in which no two numbers are the same. */
  private static GameSnapshot standing(
      Position initial,
      List<String> uci,
      @Nullable Proposal proposal,
      @Nullable Side running,
      @Nullable List<String> evidence) {
    PlayedMoves moves = PlayedMoves.NONE;
    List<EventId> events = new ArrayList<>();
    for (String move : uci) {
      moves = moves.append(Move.parse(move).orElseThrow(), 3_000 - moves.size());
      events.add(id(moves.size()));
    }
    TimeLimits limits = new TimeLimits(TimeControl.parse("300+2").orElseThrow(), 31_000, 217);
    ChessClock clock = new ChessClock(limits, 111_111, 222_222, running, START + 4, 0);
    SideHistory white = new SideHistory(1, 2, 3);
    SideHistory black = new SideHistory(0, 5, 6);
    Position end = initial.after(moves.toList());
    OngoingGame game =
        new OngoingGame(initial, end, moves, white, black, proposal, clock, START, START + 7);
    return new GameSnapshot(game, events, evidence);
  }

  private static EventId id(int number) {
    return new EventId(ByteBuffer.allocate(32).putInt(number).array());
  }
}
