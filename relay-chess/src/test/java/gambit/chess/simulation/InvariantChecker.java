package gambit.chess.simulation;

import gambit.chess.dialect.Dialect.Trait;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.ManualSession;
import gambit.chess.session.play.ChessSettings;
import gambit.core.feature.ClientConnection;
import gambit.core.feature.Commit;
import gambit.core.feature.Outgoing;
import gambit.core.feature.Row;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Records commits and output, and checks that they agree with each other and with the rules. It
 * knows what the store and the clients know, and nothing of the session manager but three gauges. A
 * violation is thrown where it happens.
 */
final class InvariantChecker {
  private static final int RECORD = 64;
  private static final int ID = 32;
  private static final List<String> ENDINGS =
      List.of("gamecheckmate", "gamedraw", "opponentresigned", "gamelost", "gameaborted");

  /** A game as it was last committed. */
  static final class KnownGame {
    final GameRef ref;
    final int number;
    final Map<String, byte[]> rows = new HashMap<>();
    OngoingGame playing;
    List<String> plies;

    /** The FENs of its committed states, the first one included. */
    final List<String> positions = new ArrayList<>();

    /** When it was resumed after a restart, until the credit is in the clocks; else 0. */
    long resumedAt;

    /** Whether an end was refused because the store is full: then it may end without a record. */
    boolean full;

    @Nullable ExpectedEnding ending;
    boolean endIsTold;

    KnownGame(GameRef ref, int number, OngoingGame playing, List<String> plies) {
      this.ref = ref;
      this.number = number;
      this.playing = playing;
      this.plies = plies;
      positions.add(playing.position().fen());
    }
  }

  /** A turn of a player whose game ended in it. */
  record LastTurn(EventId game, Position position) {}

  /** The ending of a game that waits for an absent player. */
  private record Waiting(PubKey player, EventId game) {}

  private final ManualTime time;
  private final ChessSettings settings;
  private final RefereeEvents events;
  private final ManualSession journal;
  private final Map<String, DoubleSupplier> gauges;
  private final Map<EventId, KnownGame> games = new LinkedHashMap<>();
  private final Map<PubKey, List<KnownGame>> playing = new HashMap<>(); // running games
  private final Map<String, GameRef> runningGames = new HashMap<>(); // by id
  private final Map<EventId, Outgoing.Current> states = new HashMap<>();
  private final Map<Waiting, Long> waiting = new HashMap<>(); // until when
  private final Set<Waiting> delivered = new HashSet<>();
  private final Map<ClientConnection, Set<PubKey>> authors =
      new HashMap<>(); // of events sent on the connection
  private final Map<EventId, Event> invites = new LinkedHashMap<>();
  private final Set<EventId> stored = new HashSet<>();
  private final Set<EventId> seen = new HashSet<>();
  private final Map<Termination, Integer> endings = new EnumMap<>(Termination.class);
  private final Map<PubKey, LastTurn> lastTurns = new HashMap<>();
  private @Nullable Set<EventId> resumed;
  private int begun;
  private int mostGamesOfAPlayer;
  private int mostSlowGamesOfAPlayer;
  private final Trace trace;
  final UnansweredEvents commands;
  final ExpectedBindings expectedBindings;
  final ExpectedQueue queue;
  final RatingsChecker ratings;
  private final LobbyChecker lobby;
  private final PresenceChecker presences;
  private final CommitChecker commitChecker;
  private final LotChecker lots = new LotChecker();
  private final MoveDeliveryChecker moveDeliveries;
  private final ShownGamesChecker shownGames;

  /** Each move that is committed and not announced yet, by its id. */
  private final Map<EventId, CommittedMove> committedMoves = new HashMap<>();

  /**
   * A move.
   *
   * @param ply the number of plies after it
   * @param state the index of the state after it
   */
  private record CommittedMove(KnownGame game, int ply, int state) {}

  InvariantChecker(
      ManualTime time,
      RefereeEvents events,
      ChessSettings settings,
      Map<String, DoubleSupplier> gauges) {
    this.time = time;
    this.settings = settings;
    this.events = events;
    this.journal = new ManualSession(events);
    this.gauges = gauges;
    this.trace = new Trace(time);
    this.expectedBindings = new ExpectedBindings(time);
    this.commands = new UnansweredEvents();
    this.ratings = new RatingsChecker();
    this.queue = new ExpectedQueue(time, settings, this::gamesOf, expectedBindings, ratings);
    this.lobby = new LobbyChecker(time, gauges);
    this.presences = new PresenceChecker(time, expectedBindings);
    this.commitChecker =
        new CommitChecker(time, settings, expectedBindings, commands, this::gamesOf);
    this.moveDeliveries = new MoveDeliveryChecker(games::get, expectedBindings);
    this.shownGames = new ShownGamesChecker(time, games::get, expectedBindings, this::speaksFor);
  }

  /** The games that a player plays, as they were last committed. */
  List<KnownGame> gamesOf(PubKey player) {
    return playing.getOrDefault(player, List.of());
  }

  /** The game of a player who plays one; else null. */
  @Nullable KnownGame gameOf(PubKey player) {
    List<KnownGame> own = gamesOf(player);
    return own.size() == 1 ? own.get(0) : null;
  }

  /** The maximum of games that a player has had at once. */
  int mostGamesOfAPlayer() {
    return mostGamesOfAPlayer;
  }

  /** The same of slow games, of players with one live game. */
  int mostSlowGamesOfAPlayer() {
    return mostSlowGamesOfAPlayer;
  }

  /** The state of a game that was sent last. */
  Outgoing.@Nullable Current stateOf(EventId game) {
    return states.get(game);
  }

  /** The invites that are pending. */
  List<Event> invites() {
    return List.copyOf(invites.values());
  }

  int ended() {
    return endings.values().stream().mapToInt(it -> it).sum();
  }

  Map<Termination, Integer> endings() {
    return endings;
  }

  void arrived(Submission submission) {
    trace.add(submission.connection() + " >", submission.event());
    commands.arrived(submission, time.millis());
    authors
        .computeIfAbsent(submission.connection(), connection -> new HashSet<>())
        .add(submission.event().pubkey());
  }

  /** A login was handled. */
  void loggedIn(SimulatedConnection socket, PubKey player) {
    expectedBindings.loggedIn(player, socket);
  }

  void closed(SimulatedConnection socket) {
    trace.closed(socket, expectedBindings.playersOf(socket));
    shownGames.closed(socket);
    expectedBindings.closed(socket).forEach(queue::left);
  }

  // ---- commits

  void committed(Commit commit) {
    trace.add("committed", commit);
    lots.committed(commit);
    Set<EventId> touched = new HashSet<>();
    Set<EventId> gone = new HashSet<>();
    Set<EventId> missed = new HashSet<>();
    commit.events().forEach(event -> stored.add(event.id()));
    Map<EventId, Map<String, byte[]>> begun = new HashMap<>();
    for (Row row : commit.rows()) {
      EventId id = new EventId(Arrays.copyOf(row.key(), ID));
      switch (row.table()) {
        case ManualSession.ENDINGS -> {
          Waiting ending = waiting(row);
          if (row.value() == null) {
            waiting.remove(ending);
            delivered.remove(ending);
          } else {
            waiting.put(ending, ByteBuffer.wrap(row.value()).getLong(1));
            missed.add(ending.game());
          }
        }
        case ManualSession.SEEN -> note(seen, id, row.value() != null);
        case ManualSession.INVITES -> {
          if (row.value() == null) {
            invites.remove(id);
          } else {
            commit.events().stream()
                .filter(event -> event.id().equals(id))
                .forEach(event -> invites.put(id, event));
          }
        }
        case ManualSession.GAMES -> {
          KnownGame game = games.get(id);
          Map<String, byte[]> rows =
              game == null ? begun.computeIfAbsent(id, i -> new HashMap<>()) : game.rows;
          String key = HexFormat.of().formatHex(row.key());
          if (row.value() == null) {
            rows.remove(key);
          } else {
            rows.put(key, row.value());
          }
          boolean main = row.key().length == ID;
          if (main) {
            note(touched, id, row.value() != null);
            note(gone, id, row.value() == null);
          }
        }
        default -> {}
      }
    }
    for (Event event : commit.events()) {
      if (event.content().equals("gameisfound") && event.kind() == Nip100.LOBBY) {
        check(
            touched.contains(event.id()),
            Invariant.ROWS_MATCH_RUNNING_GAMES,
            "a game began without a row: " + event);
      }
      if (event.kind() == RECORD) {
        EventId id = EventId.ofHex(event.tags().first("e").orElseThrow());
        KnownGame game = known(id);
        check(
            game.ending == null,
            Invariant.ONE_ENDING_AND_ONE_RECORD,
            "a second record of " + about(game));
        check(
            gone.contains(id), Invariant.ROWS_MATCH_RUNNING_GAMES, "a record, but a row: " + event);
      }
    }
    for (EventId id : touched) {
      KnownGame game = games.get(id);
      if (game == null) {
        begin(id, commit, begun.get(id));
      } else {
        goOn(game, commit);
      }
    }
    for (EventId id : gone) {
      end(known(id), commit);
    }
    ratings.committed(commit);
    check(
        gone.containsAll(missed),
        Invariant.ENDING_REACHES_EVERY_PLAYER,
        () -> "an ending waits of a game that does not end: " + missed);
  }

  private static Waiting waiting(Row row) {
    return new Waiting(
        new PubKey(Arrays.copyOf(row.key(), ID)),
        new EventId(Arrays.copyOfRange(row.key(), ID, 2 * ID)));
  }

  private static void note(Set<EventId> set, EventId id, boolean isIn) {
    if (isIn) {
      set.add(id);
    } else {
      set.remove(id);
    }
  }

  private KnownGame known(EventId id) {
    KnownGame game = games.get(id);
    check(game != null, Invariant.ROWS_MATCH_RUNNING_GAMES, "something of an unknown game: " + id);
    return game;
  }

  private void begin(EventId id, Commit commit, Map<String, byte[]> rows) {
    check(
        commit.events().stream().anyMatch(event -> event.id().equals(id)),
        Invariant.ROWS_MATCH_RUNNING_GAMES,
        "a row of a game that has not begun: " + id);
    ManualSession.Written written = journal.read(rows).get(0);
    KnownGame game = new KnownGame(written.ref(), begun++, written.game(), written.plies());
    game.rows.putAll(rows);
    games.put(id, game);
    runningGames.put(id.hex(), game.ref);
    boolean isInvited =
        commit.rows().stream().anyMatch(row -> row.table().equals(ManualSession.INVITES));
    if (!isInvited) {
      queue.paired(game);
    }
    for (Side side : Side.values()) {
      PubKey player = game.ref.player(side);
      List<KnownGame> own = playing.computeIfAbsent(player, key -> new ArrayList<>(1));
      own.add(game);
      mostGamesOfAPlayer = Math.max(mostGamesOfAPlayer, own.size());
      boolean hasSeveral = settings.simultaneousGames().includes(player);
      int slow = (int) own.stream().filter(it -> it.ref.isSlow()).count();
      mostSlowGamesOfAPlayer = Math.max(mostSlowGamesOfAPlayer, hasSeveral ? 0 : slow);
      check(
          hasSeveral
              ? own.size() <= settings.simultaneousGames().max()
              : own.size() - slow <= 1 && slow <= settings.slowGames(),
          Invariant.ONE_LIVE_GAME_PER_PLAYER,
          () -> player + " plays " + own.stream().map(InvariantChecker::about).toList());
      if (!game.ref.isSlow()) {
        queue.leaves(player);
      }
    }
    check(
        !game.ref.white().player().equals(game.ref.black().player()),
        Invariant.ONE_LIVE_GAME_PER_PLAYER,
        "one against oneself");
  }

  private void goOn(KnownGame game, Commit commit) {
    check(
        game.ending == null,
        Invariant.ONE_ENDING_AND_ONE_RECORD,
        () -> "a game goes on that is over: " + about(game));
    ManualSession.Written written = journal.read(game.rows).get(0);
    commitChecker.step(game, written, commit);
    game.positions.add(written.game().position().fen());
    if (written.plies().size() > game.plies.size()) {
      EventId move = EventId.ofHex(written.plies().get(written.plies().size() - 1));
      committedMoves.put(
          move, new CommittedMove(game, written.plies().size(), game.positions.size() - 1));
    }
    game.playing = written.game();
    game.plies = written.plies();
  }

  private void end(KnownGame game, Commit commit) {
    check(
        game.ending == null,
        Invariant.ONE_ENDING_AND_ONE_RECORD,
        () -> "a game ends twice: " + about(game));
    check(
        game.rows.isEmpty(),
        Invariant.ROWS_MATCH_RUNNING_GAMES,
        () -> "rows of a game that is over: " + about(game));
    List<Event> records = commit.events().stream().filter(it -> it.kind() == RECORD).toList();
    check(
        records.size() <= 1,
        Invariant.ONE_ENDING_AND_ONE_RECORD,
        () -> "two records of " + about(game));
    ExpectedEnding ending = commitChecker.end(game, commit);
    game.ending = ending;
    if (records.isEmpty()) {
      check(
          game.full || ending.mayBeAborted(),
          Invariant.ONE_ENDING_AND_ONE_RECORD,
          () -> "no record of " + about(game));
    } else {
      Event record = records.get(0);
      commitChecker.judge(game, ending, record.tags());
      commitChecker.read(game, ending, record, stored);
      ratings.ended(game, record);
    }
    runningGames.remove(game.ref.id().hex());
    for (Side side : Side.values()) {
      playing.computeIfPresent(
          game.ref.player(side),
          (player, own) -> {
            own.remove(game);
            return own.isEmpty() ? null : own;
          });
    }
    lastTurns.put(
        game.ref.player(game.playing.turn()), new LastTurn(game.ref.id(), game.playing.position()));
    queue.ended(game, ending);
    shownGames.ended(game);
    forgetOld();
  }

  private void forgetOld() {
    if (games.size() > 10_000) {
      games.values().removeIf(game -> game.endIsTold);
    }
  }

  void failed(Commit commit, WriteOutcome outcome) {
    trace.add(outcome.name(), commit);
    for (Row row : commit.rows()) {
      if (outcome == WriteOutcome.FULL
          && row.table().equals(ManualSession.GAMES)
          && row.value() == null) {
        KnownGame game = games.get(new EventId(Arrays.copyOf(row.key(), ID)));
        if (game != null) {
          game.full = true;
        }
      }
    }
  }

  // ---- output

  void told(List<Outgoing> outgoing) {
    outgoing.forEach(trace::told);
    boolean answers = outgoing.stream().anyMatch(Outgoing.Answer.class::isInstance);
    for (Outgoing item : outgoing) {
      if (item instanceof Outgoing.Answer answer) {
        answered(answer, outgoing);
      } else if (item instanceof Outgoing.Broadcast broadcast) {
        check(
            stored.contains(broadcast.event().id()),
            Invariant.COMMITTED_BEFORE_SENT,
            () -> "told, but not stored: " + broadcast.event());
        CommittedMove move = committedMoves.remove(broadcast.event().id());
        if (move != null) {
          Side by = move.game().playing.initial().turn();
          moveDeliveries.moved(
              move.game(), move.ply() % 2 == 1 ? by : by.opponent(), move.ply(), broadcast);
          shownGames.moved(move.game(), move.state(), broadcast);
        }
      } else if (item instanceof Outgoing.Current current) {
        current(current, outgoing);
      } else if (item instanceof Outgoing.StateRemoval removal) {
        presences.removed(removal);
      } else if (item instanceof Outgoing.Multicast multicast) {
        sentToSome(multicast, outgoing);
        moveDeliveries.shown(multicast);
        shownGames.sent(multicast);
      }
      if (!answers) {
        queue.told(item);
      }
    }
  }

  private void answered(Outgoing.Answer answer, List<Outgoing> outgoing) {
    Submission to = answer.to();
    commands.answered(answer);
    Event event = to.event();
    String text = answer.ok().text();
    boolean again = text.startsWith("duplicate: already ha") || text.equals("passed");
    if (!answer.ok().accepted() || again || isRefused(to, outgoing)) {
      return;
    }
    check(
        seen.contains(event.id()) || stored.contains(event.id()),
        Invariant.COMMITTED_BEFORE_SENT,
        () -> "accepted, but not committed: " + event);
    if (event.kind() == Nip100.LOBBY
        || event.kind() == Ephemeral.PLAY
        || event.kind() == Ephemeral.MOVE) {
      expectedBindings.bound(event.pubkey(), (SimulatedConnection) to.connection());
    }
    if (event.kind() >= Nip100.LOBBY && event.kind() <= Nip100.RESIGN) {
      moveDeliveries.accepted(event.pubkey(), to.connection());
    }
    if (outgoing.stream().noneMatch(InvariantChecker::resumes)) {
      queue.accepted(event, text);
    }
  }

  /** Whether it sends a game to a returning player. */
  private static boolean resumes(Outgoing item) {
    return item instanceof Outgoing.Multicast multicast
        && (multicast.event().content().equals("gameisfound")
            || multicast.event().content().startsWith("started:"));
  }

  /** The ephemeral dialect refuses in an event of its own, not in the OK. */
  private static boolean isRefused(Submission to, List<Outgoing> outgoing) {
    return outgoing.stream()
        .filter(Outgoing.Multicast.class::isInstance)
        .map(item -> ((Outgoing.Multicast) item).event())
        .anyMatch(
            event ->
                (event.kind() == Ephemeral.ANSWER && event.content().startsWith("error:"))
                    || (event.kind() == Ephemeral.ERROR
                        && event.tags().first("e").orElse("").equals(to.event().id().hex())));
  }

  private void current(Outgoing.Current current, List<Outgoing> outgoing) {
    if (current.kind() == RefereeEvents.LOBBY_KIND) {
      lobby.published(current.state().get().unsigned().tags(), invites);
    } else if (current.kind() == RefereeEvents.PRESENCE_KIND) {
      presences.published(current);
    } else if (current.kind() == RefereeEvents.PLAYER_KIND) {
      presences.playerPublished(current);
    } else if (current.kind() == RefereeEvents.LEADERBOARD_KIND) {
      ratings.published(current.state().get().unsigned(), resumed != null);
    } else if (current.kind() == RefereeEvents.STATE_KIND) {
      state(EventId.ofHex(current.key()), current, outgoing);
    }
  }

  private void state(EventId id, Outgoing.Current current, List<Outgoing> outgoing) {
    KnownGame game = games.get(id);
    check(
        game != null,
        Invariant.COMMITTED_BEFORE_SENT,
        () -> "the state of a game that has not begun: " + current.state().get().unsigned());
    if (current.ends()) {
      states.remove(id);
      ended(game, current.state().get().unsigned().tags(), outgoing);
      shownGames.published(game, current.state().get().signed());
      return;
    }
    states.put(id, current);
    if (resumed != null) {
      resumed.add(id);
    }
    check(
        game.ending == null,
        Invariant.ONE_ENDING_AND_ONE_RECORD,
        () -> "told of a game that is over: " + about(game));
    EventId due = events.state(game.ref, game.playing, null, List.of()).id();
    check(
        current.state().get().id().equals(due),
        resumed == null ? Invariant.COMMITTED_BEFORE_SENT : Invariant.RESUMED_AS_COMMITTED,
        () ->
            current.state().get().unsigned()
                + " was told, but committed is "
                + events.state(game.ref, game.playing, null, List.of()).unsigned());
    shownGames.published(game, current.state().get().signed());
  }

  private void sentToSome(Outgoing.Multicast multicast, List<Outgoing> outgoing) {
    Event event = multicast.event();
    boolean isEnding = event.kind() == Nip100.LOBBY && ENDINGS.contains(event.content());
    boolean isLastState =
        event.kind() == Ephemeral.STATE && event.tags().first("result").isPresent();
    if (isEnding || isLastState) {
      EventId id = EventId.ofHex(event.tags().first(isEnding ? "e" : "d").orElseThrow());
      boolean both =
          outgoing.stream()
              .anyMatch(
                  it ->
                      it instanceof Outgoing.Current current
                          && current.ends()
                          && current.key().equals(id.hex()));
      if (both) {
        waiting.keySet().stream().filter(it -> reaches(multicast, it)).forEach(delivered::add);
      } else {
        deliver(id, multicast);
      }
    }
  }

  private boolean speaksFor(ClientConnection connection, PubKey player) {
    return connection.keys().contains(player)
        || authors.getOrDefault(connection, Set.of()).contains(player);
  }

  /** Whether an ending that waits reaches its player. */
  private boolean reaches(Outgoing.Multicast multicast, Waiting ending) {
    return isEndingFor(ending.player(), games.get(ending.game()), multicast.event())
        && multicast.to().stream()
            .anyMatch(
                to ->
                    speaksFor(to, ending.player())
                        && ((SimulatedConnection) to).gets(multicast.fallbacks()));
  }

  /** Whether an event is the ending of a game for a player, in the dialect of the seat. */
  static boolean isEndingFor(PubKey player, KnownGame game, Event event) {
    Side side = game.ref.sideOf(player);
    boolean isState = game.ref.dialect(side).has(Trait.FOLLOWS_STATES);
    return event.tags().first(isState ? "d" : "e").orElse("").equals(game.ref.id().hex())
        && (isState
            ? event.kind() == Ephemeral.STATE && event.tags().first("result").isPresent()
            : isEndingWord(side, game.ending, event.content()));
  }

  private static boolean isEndingWord(Side side, ExpectedEnding ending, String content) {
    return ending.termination() == null
        ? ENDINGS.contains(content)
        : content.equals(word(side, ending.result(), ending.termination()));
  }

  /** A missed ending is sent to its player: once, if it reaches the player. */
  private void deliver(EventId game, Outgoing.Multicast multicast) {
    Waiting ending =
        waiting.keySet().stream()
            .filter(it -> it.game().equals(game) && !delivered.contains(it))
            .filter(it -> isEndingFor(it.player(), games.get(game), multicast.event()))
            .filter(it -> multicast.to().stream().allMatch(to -> speaksFor(to, it.player())))
            .findFirst()
            .orElse(null);
    check(
        ending != null,
        Invariant.ENDING_REACHES_EVERY_PLAYER,
        () -> "told to nobody who was away, or twice: " + multicast.event());
    if (reaches(multicast, ending)) {
      delivered.add(ending);
    }
  }

  /** The ending of a game is sent: to both players, on each connection, and the same to all. */
  private void ended(KnownGame game, Tags end, List<Outgoing> outgoing) {
    ExpectedEnding ending = game.ending;
    check(
        ending != null,
        Invariant.COMMITTED_BEFORE_SENT,
        () -> "told of an end that is not committed: " + about(game));
    check(
        !game.endIsTold,
        Invariant.ONE_ENDING_AND_ONE_RECORD,
        () -> "told twice of the end of " + about(game));
    game.endIsTold = true;
    if (ending.termination() == null) {
      commitChecker.judge(game, ending, end);
      check(
          game.full || ending.result() == Result.NONE,
          Invariant.ONE_ENDING_AND_ONE_RECORD,
          () -> "no record of " + about(game));
    }
    Termination termination = ending.termination();
    Result result = ending.result();
    check(
        end.first("termination").orElse("").equals(termination.word())
            && end.first("result").orElse("").equals(result.text()),
        Invariant.ENDING_SENT_TO_BOTH,
        () -> "the state tells another end than the record: " + about(game));
    endings.merge(termination, 1, Integer::sum);
    check(
        termination != Termination.ABANDONED
            || waiting.keySet().stream().anyMatch(it -> it.game().equals(game.ref.id())),
        Invariant.ENDING_REACHES_EVERY_PLAYER,
        () -> "abandoned, and the end waits for nobody: " + about(game));
    for (Side side : Side.values()) {
      if (!game.ref.dialect(side).has(Trait.FOLLOWS_STATES)) {
        told(game, side, result, termination, outgoing);
      }
    }
    for (Outgoing item : outgoing) {
      if (item instanceof Outgoing.Multicast multicast
          && ENDINGS.contains(multicast.event().content())) {
        Tags tags = multicast.event().tags();
        check(
            tags.first("termination").orElse("").equals(termination.word())
                && tags.first("result").orElse("").equals(result.text()),
            Invariant.ENDING_SENT_TO_BOTH,
            () -> "not told alike: " + multicast.event());
      }
    }
  }

  private void told(
      KnownGame game, Side side, Result result, Termination termination, List<Outgoing> outgoing) {
    String word = word(side, result, termination);
    PubKey player = game.ref.player(side);
    for (SimulatedConnection socket : expectedBindings.of(player)) {
      long times =
          outgoing.stream()
              .filter(
                  item ->
                      item instanceof Outgoing.Multicast multicast
                          && multicast.event().content().equals(word)
                          && multicast
                              .event()
                              .tags()
                              .first("e")
                              .orElse("")
                              .equals(game.ref.id().hex())
                          && multicast.to().contains(socket))
              .count();
      check(
          times == 1 || (times == 0 && expectedBindings.hasJustLoggedIn(socket)),
          Invariant.ENDING_SENT_TO_BOTH,
          () -> word + " told " + times + " times to " + player + " at " + socket);
    }
  }

  private static String word(Side side, Result result, Termination termination) {
    return termination == Termination.CHECKMATE
        ? "gamecheckmate"
        : result == Result.DRAW
            ? "gamedraw"
            : result == Result.NONE
                ? "gameaborted"
                : result == Result.winFor(side) ? "opponentresigned" : "gamelost";
  }

  // ---- the process

  /** The process starts; its first output is the resumed state. */
  void opens() {
    resumed = new HashSet<>();
  }

  void isOpen() {
    Set<EventId> running = new HashSet<>();
    for (KnownGame game : games.values()) {
      if (game.ending == null) {
        running.add(game.ref.id());
      }
    }
    clocksAreResumed();
    check(
        running.equals(resumed),
        Invariant.RESUMED_AS_COMMITTED,
        () -> resumed.size() + " games go on of " + running.size());
    resumed = null;
    ratings.settled();
  }

  /** The clocks of all running games are treated as after a restart. */
  void clocksAreResumed() {
    for (KnownGame game : games.values()) {
      if (game.ending == null) {
        game.resumedAt = Math.max(time.millis(), game.playing.changedAt());
      }
    }
  }

  void crashed() {
    states.clear();
    authors.clear();
    delivered.clear(); // endings sent just before may be sent again
    commands.crashed();
    expectedBindings.crashed();
    queue.crashed();
    lobby.crashed();
    presences.crashed();
    moveDeliveries.crashed();
    shownGames.crashed();
    games.values().forEach(game -> game.endIsTold |= game.ending != null);
  }

  /** Another node begins to lead; its first output is the resumed state. */
  void tookOver() {
    states.clear();
    delivered.clear(); // endings sent just before may be sent again
    expectedBindings.crashed();
    queue.crashed();
    lobby.crashed();
    presences.tookOver(runningGames);
    opens();
  }

  /** Nothing is under way. */
  void quiet() {
    ratings.settled();
    commands.quiet();
    expectedBindings.quiet();
    moveDeliveries.quiet();
    shownGames.quiet();
    queue.quiet();
    equal(runningGames.size(), "chess_games", Invariant.ROWS_MATCH_RUNNING_GAMES);
    equal(invites.size(), "chess_invites", Invariant.ROWS_MATCH_RUNNING_GAMES);
    lobby.quiet(invites);
    presences.quiet(runningGames);
    double searching = gauges.get("chess_searching").getAsDouble();
    check(
        searching >= queue.size() && searching <= queue.most(),
        Invariant.PAIRED_BY_THE_RULES,
        () ->
            searching
                + " wait, but it should be "
                + queue.size()
                + " to "
                + queue.most()
                + ": "
                + queue);
  }

  private void equal(int due, String gauge, Invariant invariant) {
    double is = gauges.get(gauge).getAsDouble();
    check(is == due, invariant, () -> gauge + " is " + is + ", committed are " + due);
  }

  /** All players have left, and all deadlines have passed. */
  void over() {
    quiet();
    ratings.over();
    check(
        playing.isEmpty()
            && states.isEmpty()
            && invites.isEmpty()
            && queue.most() == 0
            && time.alarms() == 0,
        Invariant.NOTHING_IS_LEFT,
        () ->
            "games, states, invites, searches, alarms: "
                + List.of(
                    playing.size(), states.size(), invites.size(), queue.most(), time.alarms()));
  }

  /** The last turn of each player in which a game ended. */
  Map<PubKey, LastTurn> lastTurns() {
    return lastTurns;
  }

  static String about(KnownGame game) {
    return game.ref.id().hex().substring(0, 8)
        + " "
        + game.playing.control().text()
        + " ["
        + game.playing.moves()
        + "]";
  }

  static void check(boolean holds, Invariant invariant, String what) {
    check(holds, invariant, () -> what);
  }

  static void check(boolean holds, Invariant invariant, Supplier<String> what) {
    if (!holds) {
      throw new Violation(invariant, what.get());
    }
  }
}
