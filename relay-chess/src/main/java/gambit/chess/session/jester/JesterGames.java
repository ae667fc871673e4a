package gambit.chess.session.jester;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Malformed;
import gambit.chess.dialect.JesterMessage.Start;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.dialect.JesterReferee.Accepted;
import gambit.chess.dialect.JesterReferee.Refused;
import gambit.chess.dialect.JesterReferee.Verdict;
import gambit.chess.dialect.OpenLobby;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Reply;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.OngoingGame;
import gambit.chess.rules.Position;
import gambit.chess.session.jester.JesterJudge.Judged;
import gambit.chess.session.jester.JesterJudge.Written;
import gambit.chess.session.jester.JesterTable.Room;
import gambit.chess.session.play.Announcements;
import gambit.chess.session.play.ChessSettings;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.GameSnapshot;
import gambit.chess.session.play.SessionContext;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.StoredEvents;
import gambit.core.feature.Submission;
import gambit.core.feature.WriteOutcome;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import gambit.core.wire.Reason;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The games of kind 30 that are not over. An event is refused only if it contradicts what is stored
 * here. What depends on an event that is not stored is an ordinary event until that one comes: then
 * the store is asked for the events that name it. So nothing waits in memory.
 *
 * <p>Owned by the chess lane, except for {@link #hasGames}.
 */
public final class JesterGames {
  public static final String TABLE = "chess.jester";

  /** The most events of a game looked at for one by another author. */
  private static final int MAX_EVENTS = 100;

  private final SessionContext context;
  private final JesterJudge judge;
  private final Predicate<PubKey> isRefused;
  private final GameRows rows;
  private final JesterTable games = new JesterTable();

  public JesterGames(SessionContext context, RelayBuilder relay) {
    this.context = context;
    this.judge = new JesterJudge(relay.storedEvents(), context.relay().pubkey());
    this.isRefused = relay::isRefused;
    this.rows = new GameRows(TABLE, context.dialects());
  }

  public void recover(Map<String, byte[]> stored) {
    rows.read(stored).forEach(row -> games.put(JesterGame.restored(row)));
    List<JesterGame> restored = List.copyOf(games.all());
    restored.forEach(this::publish);
    judgeLeft(restored.iterator());
  }

  /** Whether a game in {@link #TABLE} has this key in a seat that nobody has taken. Any thread. */
  public static boolean isFree(PubKey player) {
    return player.equals(JesterGame.FREE);
  }

  private void publish(JesterGame game) {
    if (game.hasBegun()) {
      Announcements announcements = context.announce();
      publishState(announcements, game, null);
      context.commits().send(announcements.outgoing());
    }
  }

  /** Judges what a crash has left waiting, one game after the other, between tasks of the lane. */
  private void judgeLeft(Iterator<JesterGame> restored) {
    if (restored.hasNext()) {
      JesterGame game = restored.next();
      context
          .lane()
          .execute(
              () -> {
                judgeLatest(game.id());
                judgeLeft(restored);
              });
    }
  }

  /**
   * Whether an event of kind 30 is one that a record names or may come to name: a move or an end of
   * a game of which the start is stored, or a start that somebody else has answered. Any thread.
   */
  public static boolean isEvidence(Event event, StoredEvents stored) {
    JesterMessage message = JesterMessage.read(event).orElse(null);
    if (message instanceof Turn turn) {
      return stored.find(turn.start()).isPresent();
    }
    return message instanceof Start
        && stored
            .find(JesterJudge.naming(event.id(), JesterMessage.KIND, null), MAX_EVENTS)
            .stream()
            .anyMatch(other -> !other.pubkey().equals(event.pubkey()));
  }

  public int running() {
    return games.running();
  }

  /** A number that grows with every game that comes, begins or goes. */
  public long changes() {
    return games.changes();
  }

  /** The open starts of clients of this relay, newest first. */
  public List<OpenLobby.Start> openStarts(int max) {
    return games.newest(game -> game.isListed() && !isRefused.test(game.author()), max).stream()
        .map(JesterGame::open)
        .toList();
  }

  /** Any thread. */
  public boolean hasGames(PubKey player) {
    return games.has(player);
  }

  /** The author deletes an event, which withdraws it if it is a start that nobody has joined. */
  public void deleted(PubKey author, EventId start) {
    JesterGame game = games.get(start);
    if (game != null && !game.hasBegun() && game.author().equals(author)) {
      withdraw(start);
    }
  }

  public void vanished(PubKey author) {
    games.of(author).forEach(start -> deleted(author, start));
  }

  private void withdraw(EventId start) {
    JesterGame game = games.get(start);
    if (game != null
        && !game.hasBegun()
        && !context.busyPlayers().awaitIfBusy(game.players(), () -> withdraw(start))) {
      Announcements announcements = context.announce();
      announcements.addRows(rows.rowsOfEnd(game.ref(), game.snapshot()));
      commit(null, game.players(), announcements, () -> games.remove(start), () -> {});
    }
  }

  // ---- events

  /** Handles a verified event; it is answered, or passed on as an ordinary one. */
  public void take(Submission submission, JesterMessage message) {
    if (message instanceof Start start) {
      begin(submission, start);
    } else if (message instanceof Turn turn) {
      take(submission, turn, true);
    } else if (message instanceof Malformed malformed) {
      if (malformed.start() == null || games.get(malformed.start()) != null) {
        refuse(submission, malformed.fault());
      } else {
        submission.pass();
      }
    }
  }

  private void begin(Submission submission, Start start) {
    Event event = submission.event();
    PubKey author = event.pubkey();
    if (context.busyPlayers().awaitIfBusy(List.of(author), () -> begin(submission, start))) {
      return;
    }
    Announcements announcements = context.announce();
    announcements.publish(event);
    ClientAddress from = submission.imported() ? null : submission.connection().address();
    Room room = room(author, from);
    if (room == null) {
      accept(announcements, submission, "not refereed: too many games of kind 30 are open");
      commit(submission, List.of(author), announcements, () -> {}, () -> {});
    } else {
      accept(announcements, submission, "");
      add(submission, announcements, game(event, start, submission.imported()), from, room);
    }
  }

  private @Nullable Room room(PubKey author, @Nullable ClientAddress from) {
    ChessSettings settings = context.settings();
    return games.room(author, from, settings.jesterGames(), settings.jesterGamesInAll());
  }

  private void add(
      @Nullable Submission submission,
      Announcements announcements,
      JesterGame game,
      @Nullable ClientAddress from,
      Room room) {
    games.beginning.put(game.id(), game);
    announcements.addRows(game.rowsOfStart(rows));
    room.instead().ifPresent(it -> announcements.addRows(rows.rowsOfEnd(it.ref(), it.snapshot())));
    commit(
        submission,
        game.players(),
        announcements,
        () -> {
          room.instead().ifPresent(it -> games.remove(it.id()));
          games.add(game, from); // first: another thread may ask whether its author has games
          games.beginning.remove(game.id());
          judgeWaiting(game.id(), game.id());
        },
        () -> games.beginning.remove(game.id()));
  }

  private JesterGame game(Event event, Start start, boolean isElsewhere) {
    return JesterGame.start(
        event.id(),
        event.pubkey(),
        start.author(),
        start.isChallenge(),
        isElsewhere,
        context.dialects().get(0),
        context.now());
  }

  private void take(Submission submission, Turn turn, boolean mayAdopt) {
    JesterGame beginning =
        games.beginning.get(turn.start()); // its author is busy until it has begun
    JesterGame game = beginning == null ? games.get(turn.start()) : beginning;
    if (game == null) {
      takeUnknown(submission, turn, mayAdopt);
      return;
    } else if (context
        .busyPlayers()
        .awaitIfBusy(game.players(), () -> take(submission, turn, mayAdopt))) {
      return;
    }
    Event event = submission.event();
    Judged judged = judge.judge(game, event, turn, submission.arrivedAt().toEpochMilli());
    if (judged.verdict() instanceof Refused refused) {
      refuse(submission, refused.reason());
    } else if (judged.verdict() instanceof Accepted accepted) {
      step(judged.game(), submission, event, accepted, () -> {});
    } else {
      submission.pass();
      games.waiting.add(game.id());
      // after it is stored: what follows it may be waiting already
      Runnable judge = () -> judgeWaiting(game.id(), head(game));
      commit(null, List.of(), context.announce(), judge, () -> {});
    }
  }

  /** Takes an event of a game that is over, or of which only the store knows, or nobody. */
  private void takeUnknown(Submission submission, Turn turn, boolean mayAdopt) {
    Optional<Event> start = mayAdopt ? judge.stored().find(turn.start()) : Optional.empty();
    if (start.flatMap(JesterMessage::read).orElse(null) instanceof Start message) {
      Optional<Verdict> afterEnd = judge.afterEnd(submission.event(), turn);
      if (afterEnd.isEmpty()) {
        adopt(start.get(), message, () -> take(submission, turn, false));
        return;
      } else if (afterEnd.get() instanceof Refused refused) {
        refuse(submission, refused.reason());
        return;
      }
    }
    submission.pass();
  }

  /** Goes on with a stored start that had no room here, or was imported without the referee. */
  private void adopt(Event event, Start start, Runnable then) {
    PubKey author = event.pubkey();
    if (context.busyPlayers().awaitIfBusy(List.of(author), () -> adopt(event, start, then))) {
      return;
    }
    Room room = games.get(event.id()) == null ? room(author, null) : null;
    if (room == null) {
      then.run();
    } else {
      add(null, context.announce(), game(event, start, false), null, room);
      context.busyPlayers().await(author, then);
    }
  }

  // ---- judging

  private static EventId head(JesterGame game) {
    List<EventId> plies = game.snapshot().plies();
    return plies.size() == 0 ? game.id() : plies.get(plies.size() - 1);
  }

  /** Judges the stored events of a game that name one which has been accepted. */
  private void judgeWaiting(EventId start, EventId head) {
    JesterGame game = games.get(start);
    if (game != null) {
      List<Written> following = judge.following(game, head);
      if (head.equals(start) && following.isEmpty()) {
        games.waiting.remove(start); // every event of a game names its start
      }
      judge(new ArrayDeque<>(following), start, head);
    }
  }

  /**
   * Judges the latest stored events of a game, whichever they name: a head may be an offer or a
   * repeated move that came before what it follows, or that follows what never came.
   */
  private void judgeLatest(EventId start) {
    JesterGame game = games.get(start);
    if (game != null) {
      List<Written> latest = judge.latest(game);
      if (latest.stream().noneMatch(it -> it.turn().plies() > game.game().plies())) {
        games.waiting.remove(start);
      }
      judge(new ArrayDeque<>(latest), start, null);
    }
  }

  /** Judges stored events of a game, which name the head if one is given. */
  private void judge(Deque<Written> waiting, EventId start, @Nullable EventId head) {
    while (!waiting.isEmpty()) {
      JesterGame game = games.get(start);
      if (game == null) {
        return;
      }
      Optional<PubKey> busy =
          game.players().stream().filter(context.busyPlayers()::contains).findFirst();
      if (busy.isPresent()) { // before events that have come later
        context.busyPlayers().awaitFirst(busy.get(), () -> judge(waiting, start, head));
        return;
      }
      Written next = waiting.remove();
      if (head == null || next.turn().head().equals(head)) {
        Event event = next.event();
        Judged judged = judge.judge(game, event, next.turn(), context.now());
        if (judged.verdict() instanceof Accepted accepted && changes(game, accepted)) {
          step(judged.game(), null, event, accepted, () -> judge(waiting, start, head));
          return;
        } else if (judged.verdict() instanceof Accepted && head != null) {
          context.lane().execute(() -> judgeWaiting(start, event.id()));
        }
      }
    }
    if (head != null && games.waiting.contains(start)) {
      judgeLatest(start);
    }
  }

  /** Whether an accepted event is more than an offer or a move that was known already. */
  private static boolean changes(JesterGame game, Accepted accepted) {
    return !accepted.next().equals(game.game());
  }

  // ---- steps

  /**
   * Commits an accepted event, and its effect.
   *
   * @param submission null for a stored event
   */
  private void step(
      JesterGame game,
      @Nullable Submission submission,
      Event event,
      Accepted accepted,
      Runnable then) {
    Announcements announcements = context.announce();
    if (submission != null) {
      accept(announcements, submission, "");
      announcements.publish(event);
    }
    GameSnapshot before = game.snapshot();
    List<EventId> plies = accepted.hasMoved() ? before.pliesWith(event.id()) : before.plies();
    Runnable settled;
    if (accepted.next() instanceof FinishedGame over) {
      announcements.addRows(rows.rowsOfEnd(game.ref(), before));
      if (game.hasBegun()) {
        announceEnd(announcements, game, over, plies, event, accepted.hasMoved());
      }
      settled = () -> games.remove(game.id());
    } else {
      OngoingGame next = (OngoingGame) accepted.next();
      boolean isProposed =
          next.proposal() != null && !next.proposal().equals(before.game().proposal());
      List<String> proposal =
          isProposed
              ? List.of("ending", event.id().hex())
              : next.proposal() == null ? null : before.proposal();
      JesterGame changed = game.with(new GameSnapshot(next, plies, proposal));
      JesterGame known = games.get(game.id());
      boolean isJoined = game.hasBegun() && known != null && !known.hasBegun();
      announcements.addRows(
          isJoined
              ? changed.rowsOfStart(rows)
              : rows.rowsOfStep(game.ref(), before, changed.snapshot()));
      if (game.hasBegun() && !next.equals(before.game())) {
        publishState(announcements, changed, accepted.hasMoved() ? before.game().position() : null);
      }
      settled = () -> games.put(changed);
    }
    commit(
        submission,
        game.players(),
        announcements,
        () -> {
          settled.run();
          if (accepted.hasMoved()) {
            context.metrics().moved();
          }
          if (accepted.next() instanceof FinishedGame over && game.hasBegun()) {
            context.metrics().ended(over.termination());
          }
          then.run();
          judgeWaiting(game.id(), event.id());
        },
        () -> {});
  }

  private void announceEnd(
      Announcements announcements,
      JesterGame game,
      FinishedGame over,
      List<EventId> plies,
      Event event,
      boolean hasMoved) {
    GameRef ref = game.ref();
    Position before = hasMoved ? game.game().position() : null;
    List<List<String>> tags = List.of(game.tag());
    announcements.publishState(ref, () -> context.relay().state(ref, over, before, tags), true);
    List<List<String>> evidence =
        RefereeEvents.evidence(
            over.termination(),
            game.snapshot().proposal(),
            Optional.of(List.of("ending", event.id().hex())));
    List<String> ids = plies.stream().map(EventId::hex).toList();
    announcements.publish(context.relay().record(ref, over, ids, evidence).sign(tags));
  }

  private void publishState(
      Announcements announcements, JesterGame game, @Nullable Position before) {
    List<List<String>> tags = List.of(game.tag());
    announcements.publishState(
        game.ref(), () -> context.relay().state(game.ref(), game.game(), before, tags), false);
  }

  private static void accept(Announcements announcements, Submission submission, String note) {
    announcements.reply(submission, Reply.accepted(note, List.of()));
  }

  private void refuse(Submission submission, Reason reason) {
    context.send(submission.refused(reason));
  }

  /** Commits; the answer to a submission that cannot be committed says why. */
  private void commit(
      @Nullable Submission submission,
      Collection<PubKey> about,
      Announcements announcements,
      Runnable committed,
      Runnable failed) {
    context.commit(
        about,
        announcements,
        outcome ->
            submission == null
                ? List.of()
                : List.of(
                    outcome == WriteOutcome.DUPLICATE
                        ? submission.duplicate(outcome.reason())
                        : submission.refused(outcome.reason())),
        outcome -> (outcome == WriteOutcome.STORED ? committed : failed).run());
  }
}
