package gambit.app.tool.bot;

import gambit.app.tool.client.ChessKinds;
import gambit.app.tool.client.EventTags;
import gambit.app.tool.client.GameCommands;
import gambit.app.tool.client.GameTerms;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.GameView.GameEnding;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerListener;
import gambit.app.tool.client.RecentIds;
import gambit.app.tool.client.RefusedException;
import gambit.app.tool.client.RelayFailure;
import gambit.chess.dialect.JesterMessage;
import gambit.chess.dialect.JesterMessage.Start;
import gambit.chess.dialect.JesterMessage.Turn;
import gambit.chess.game.Proposal;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.chess.rules.Outcome;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The games of kind 30 that a bot plays: challenges to it, and the lobby's open starts if the
 * settings say so. The relay's states (kind 20302) show where a running game is. The stored move
 * that has led to the position of a state has all moves in its history, and is the head of the
 * bot's move; so nothing is kept over restarts.
 *
 * <p>A game waits until the bot is to move and has room for it: {@link #MAX_WAITING} at most. The
 * bot offers no draws, since the clients of these games take an offer for the end.
 *
 * <p>Owned by the client's thread; the commands may be called by any thread.
 */
final class BotJesterGames implements GameCommands {
  private static final int MAX_WAITING = 200;

  /** A challenger may have this part of the bot's games, and of those that wait. */
  private static final int CHALLENGER_DIVISOR = 10;

  private static final int MAX_REMEMBERED_STARTS = 1000;

  /** The events of a game that are read, and those if the head is not among them. */
  private static final int LAST_EVENTS = 16;

  private static final int ALL_EVENTS = 500;

  /** A little more than the time after which the relay takes a claim of abandonment. */
  private static final Duration ABANDONED_AFTER = Duration.ofHours(24).plusMinutes(1);

  /** The time in which a relay that referees the game sends a state after the bot's event. */
  private static final Duration STATE_TIMEOUT = Duration.ofSeconds(10);

  /** A game at the position of a state, and the event that has led to it, or the start. */
  private record Known(GameView view, EventId head, long headAt, @Nullable Event state) {}

  /** The owner's thread alone writes. */
  private static final class Game {
    private final GameTerms terms;
    private final PubKey opponent;
    private final boolean isOpenStart;

    /** The last state; null before the game has begun. */
    private @Nullable Event state;

    private volatile @Nullable Known known;

    /** The heads with which the bot's event has had no effect in this position. */
    private final Set<EventId> refusedHeads = new HashSet<>();

    /** Completed when the bot's last event has had an effect. */
    private CompletableFuture<String> effect = new CompletableFuture<>();

    private boolean isOver;
    private boolean isReading;
    private boolean isOutdated;

    private Game(EventId id, PubKey us, PubKey opponent, Side ours, boolean isOpenStart) {
      boolean isWhite = ours == Side.WHITE;
      this.opponent = opponent;
      this.isOpenStart = isOpenStart;
      this.terms =
          new GameTerms(
              id,
              isWhite ? us : opponent,
              isWhite ? opponent : us,
              ours,
              TimeControl.UNTIMED,
              Position.initial(),
              0,
              0);
    }

    private EventId id() {
      return terms.id();
    }
  }

  private final PlayerClient client;
  private final BotSettings settings;
  private final BooleanSupplier hasRoom;
  private final PlayerListener listener;
  private final InstantSource clock;

  private final Map<EventId, Game> games = new ConcurrentHashMap<>();

  /** Those that it has not joined, and resumed ones whose position is not known yet. */
  private final Map<EventId, Game> waiting = new LinkedHashMap<>();

  private final RecentIds knownStarts = new RecentIds(MAX_REMEMBERED_STARTS);

  /** Challenges that have arrived before the connection is ready. */
  private final List<Game> received = new ArrayList<>();

  private @Nullable PubKey referee;
  private boolean isReady;

  /**
   * Subscribes to challenges. The listener receives the games that the bot plays; one more needs
   * room for a slow game.
   */
  BotJesterGames(
      PlayerClient client,
      BotSettings settings,
      BooleanSupplier hasRoom,
      PlayerListener listener,
      InstantSource clock) {
    this.clock = clock;
    this.client = client;
    this.settings = settings;
    this.hasRoom = hasRoom;
    this.listener = listener;
    String filters =
        """
        {"kinds":[30],"#e":["%s"],"#p":["%s"],"limit":%4$d},\
        {"kinds":[30],"#e":["%3$s"],"limit":%4$d}\
        """
            .formatted(JesterMessage.START, us(), Start.hashOf(us()), MAX_WAITING);
    client.subscribe("jester-challenges", filters, this::challenge);
  }

  private PubKey us() {
    return client.pubkey();
  }

  boolean has(EventId game) {
    return games.containsKey(game);
  }

  /** The states and the challenges that the relay has stored have arrived. */
  void connected(PubKey relaysReferee) {
    referee = relaysReferee;
    isReady = true;
    games.values().forEach(game -> read(game, LAST_EVENTS));
    List<Game> challenges = List.copyOf(received);
    received.clear();
    await(challenges);
    if (settings.openStarts()) {
      String filter = "{\"kinds\":[20305],\"authors\":[\"" + referee + "\"]}";
      client.subscribe("jester-starts", filter, this::lobby);
    }
  }

  void disconnected() {
    isReady = false;
  }

  // ---- starts

  private void challenge(Event event) {
    if (JesterMessage.read(event).orElse(null) instanceof Start start
        && start.isChallenge()
        && start.isFor(us())
        && !event.pubkey().equals(us())
        && knownStarts.add(event.id())) {
      Side ours = start.author().opponent();
      Game game = new Game(event.id(), us(), event.pubkey(), ours, false);
      if (isReady) {
        await(List.of(game));
      } else if (received.size() < 2 * MAX_WAITING) {
        received.add(game);
      }
    }
  }

  /** Reads the open starts of the lobby; those that are gone wait no longer. */
  private void lobby(Event lobby) {
    List<Game> open = lobby.tags().named("start").flatMap(tag -> openStart(tag).stream()).toList();
    Set<EventId> ids = open.stream().map(Game::id).collect(Collectors.toSet());
    waiting.values().removeIf(game -> game.isOpenStart && !ids.contains(game.id()));
    await(open.stream().filter(game -> knownStarts.add(game.id())).toList());
  }

  private Optional<Game> openStart(List<String> tag) {
    String id = EventTags.at(tag, 1);
    String author = EventTags.at(tag, 2);
    Side side = EventTags.side(EventTags.at(tag, 3));
    boolean isStart = Hex.isLowerCase(id, 64) && Hex.isLowerCase(author, 64);
    return !isStart || side == null || author.equals(us().hex())
        ? Optional.empty()
        : Optional.of(
            new Game(EventId.ofHex(id), us(), PubKey.ofHex(author), side.opponent(), true));
  }

  /** Lets games wait that have no record, as ended ones have, and reads them. */
  private void await(List<Game> starts) {
    if (starts.isEmpty()) {
      return;
    }
    String filter =
        "{\"kinds\":[64],\"authors\":[\"%s\"],\"#e\":[\"%s\"]}"
            .formatted(referee, joined(starts, game -> game.id().hex()));
    client.query(filter).thenAccept(records -> await(starts, records));
  }

  private void await(List<Game> starts, List<Event> records) {
    Set<Optional<String>> ended =
        records.stream().map(record -> record.tags().root()).collect(Collectors.toSet());
    for (Game game : starts) {
      EventId id = game.id();
      if (!ended.contains(Optional.of(id.hex()))
          && find(id) == null
          && isBelowMaximum(game.opponent, waiting.values(), MAX_WAITING)) {
        waiting.put(id, game);
      }
    }
    while (waiting.size() > MAX_WAITING) {
      waiting.remove(waiting.keySet().iterator().next());
    }
    if (!waiting.isEmpty()) {
      String filter =
          "{\"kinds\":[30],\"#e\":[\"%s\"],\"authors\":[\"%s\"],\"limit\":0}"
              .formatted(
                  joined(waiting.values(), game -> game.id().hex()),
                  joined(waiting.values(), game -> game.opponent.hex()));
      client.subscribe("jester-moves", filter, this::firstMove);
    }
    starts.stream().filter(waiting::containsValue).forEach(game -> read(game, LAST_EVENTS));
  }

  private static String joined(Collection<Game> games, Function<Game, String> key) {
    return games.stream().map(key).distinct().collect(Collectors.joining("\",\""));
  }

  private static boolean isBelowMaximum(PubKey opponent, Collection<Game> of, int most) {
    long has = of.stream().filter(game -> game.opponent.equals(opponent)).count();
    return has < Math.max(1, most / CHALLENGER_DIVISOR);
  }

  private void firstMove(Event event) {
    if (JesterMessage.read(event).orElse(null) instanceof Turn turn) {
      Game game = waiting.get(turn.start());
      if (game != null && event.pubkey().equals(game.opponent)) {
        read(game, LAST_EVENTS);
      }
    }
  }

  // ---- positions

  private @Nullable Game find(EventId id) {
    Game game = games.get(id);
    return game == null ? waiting.get(id) : game;
  }

  /** Reads a state of a game of the bot; one that is not known is resumed. */
  void state(Event state) {
    referee = state.pubkey();
    List<String> players = state.tags().values("p").toList();
    Optional<EventId> id = state.tags().first("d").flatMap(EventTags::id);
    if (players.size() != 2 || id.isEmpty()) {
      return;
    }
    Game game = find(id.get());
    if (state.tags().first("result").isPresent()) {
      if (game != null) {
        end(game, state.tags());
      }
      return;
    }
    if (game == null) {
      Side ours = players.get(0).equals(us().hex()) ? Side.WHITE : Side.BLACK;
      String opponent = players.get(ours == Side.WHITE ? 1 : 0);
      if (!Hex.isLowerCase(opponent, 64)) {
        return;
      }
      game = new Game(id.get(), us(), PubKey.ofHex(opponent), ours, false);
      waiting.put(game.id(), game);
    }
    game.state = state;
    game.refusedHeads.clear();
    game.effect.complete("");
    read(game, LAST_EVENTS);
  }

  private void read(Game game, int limit) {
    game.isOutdated = game.isReading;
    if (game.isReading) {
      return;
    }
    game.isReading = true;
    String filters =
        """
        {"kinds":[30],"authors":["%s","%s"],"#e":["%3$s"],"limit":%5$d},\
        {"kinds":[64],"authors":["%4$s"],"#e":["%3$s"]}\
        """
            .formatted(us(), game.opponent, game.id(), referee, limit);
    client
        .query(filters)
        .whenComplete(
            (events, failure) -> {
              game.isReading = false;
              if (game.isOutdated) {
                read(game, LAST_EVENTS);
              } else if (failure == null && game.equals(find(game.id()))) {
                found(game, events, limit);
              }
            });
  }

  private void found(Game game, List<Event> events, int limit) {
    Optional<String> root = Optional.of(game.id().hex());
    Optional<Event> record =
        events.stream()
            .filter(event -> event.kind() == ChessKinds.RECORD && event.tags().root().equals(root))
            .findFirst();
    Known found = known(game, events);
    if (record.isPresent()) {
      end(game, record.get().tags());
    } else if (found == null) {
      if (limit < ALL_EVENTS && events.size() >= limit) {
        read(game, ALL_EVENTS);
      }
    } else if (game.state == null && game.refusedHeads.contains(found.head())) {
      end(game, Tags.NONE);
    } else {
      game.known = found;
      if (games.containsKey(game.id())) {
        listener.gameChanged(found.view());
      } else {
        join(game);
      }
    }
  }

  /** The game at the position of its state, or of its start or first move; null if unknown. */
  private static @Nullable Known known(Game game, List<Event> events) {
    Event state = game.state;
    String fen = state == null ? "" : state.content();
    Map<Event, Turn> found = new LinkedHashMap<>();
    Set<EventId> ids = new HashSet<>();
    for (Event event : events) {
      if (JesterMessage.read(event).orElse(null) instanceof Turn turn
          && turn.start().equals(game.id())
          && turn.plies() == turn.moves().size()
          && (state == null
              ? turn.head().equals(game.id())
                  && turn.plies() == 1
                  && event.pubkey().equals(game.opponent)
              : Position.initial().after(turn.moves()).fen().equals(fen))) {
        found.put(event, turn);
        ids.add(event.id());
      }
    }
    // an end without a move has the history of its head
    found.values().removeIf(turn -> ids.contains(turn.head()));
    Event head =
        found.keySet().stream()
            .min(Comparator.comparing(event -> game.refusedHeads.contains(event.id())))
            .orElse(null);
    if (head != null) {
      List<Move> moves = Objects.requireNonNull(found.get(head)).moves();
      return new Known(view(game, moves, null), head.id(), head.createdAt(), state);
    }
    return state == null || fen.equals(Position.initial().fen())
        ? new Known(view(game, List.of(), null), game.id(), Long.MAX_VALUE, state)
        : null;
  }

  private static GameView view(Game game, List<Move> moves, @Nullable GameEnding ending) {
    Event state = game.state;
    Side offering = state == null ? null : EventTags.side(state.tags().first("draw").orElse(""));
    Proposal offer = offering == null ? null : new Proposal(Proposal.Type.DRAW, offering);
    return new GameView(
        game.terms, Position.initial().after(moves), moves, true, null, offer, null, ending);
  }

  // ---- joining and ending

  /** Begins to play a game that has begun, or in which the bot is to move and has room for it. */
  private void join(Game game) {
    Known known = game.known;
    if (known == null || (game.state == null && !known.view().isOurTurn())) {
      return;
    }
    if (game.state == null && !isBelowMaximum(game.opponent, games.values(), settings.maxGames())) {
      return;
    } else if (game.state == null && !hasRoom.getAsBoolean()) {
      claimAbandoned();
      return;
    }
    waiting.remove(game.id());
    games.put(game.id(), game);
    listener.gameBegan(known.view());
  }

  /** Another game needs room: claims the game whose opponent has been away longest. */
  private void claimAbandoned() {
    long before = clock.instant().minus(ABANDONED_AFTER).getEpochSecond();
    games.values().stream()
        .flatMap(game -> Optional.ofNullable(game.known).stream())
        .filter(known -> !known.view().isOurTurn() && known.headAt() < before)
        .min(Comparator.comparingLong(Known::headAt))
        .ifPresent(
            known -> {
              Side ours = Objects.requireNonNull(known.view().terms().ours());
              boolean wins = known.view().position().canMate(ours);
              send(known.view(), null, wins ? Result.winFor(ours) : Result.DRAW, "abandonment");
            });
  }

  /** The game has ended, as the tags of its last state or record say, or is given up. */
  private void end(Game game, Tags tags) {
    game.isOver = true;
    game.effect.complete("");
    waiting.remove(game.id());
    Known known = game.known;
    if (games.remove(game.id()) != null && known != null) {
      listener.gameEnded(view(game, known.view().moves(), GameEnding.of(tags)));
      List.copyOf(waiting.values()).forEach(this::join);
    }
  }

  // ---- commands

  @Override
  public CompletableFuture<String> move(GameView game, Move move, boolean offerDraw) {
    Position next = game.position().play(move).orElseThrow();
    boolean isMate = next.outcome().equals(Optional.of(Outcome.CHECKMATE));
    return isMate
        ? send(game, move, Result.winFor(game.position().turn()), "checkmate")
        : send(game, move, Result.NONE, "");
  }

  @Override
  public CompletableFuture<String> act(GameView game, Act act) {
    Side ours = Objects.requireNonNull(game.terms().ours());
    return switch (act) {
      case ACCEPT -> send(game, null, Result.DRAW, "draw_agreement");
      case DECLINE -> CompletableFuture.completedFuture(""); // the next move says it
      case RESIGN -> send(game, null, Result.winFor(ours.opponent()), "resignation");
      default -> throw new UnsupportedOperationException("no message of kind 30");
    };
  }

  @Override
  public boolean hasDrawClaims() {
    return false;
  }

  @Override
  public void later(Duration delay, Runnable task) {
    client.later(delay, task);
  }

  private CompletableFuture<String> send(
      GameView view, @Nullable Move move, Result result, String termination) {
    Game game = games.get(view.id());
    Known known = game == null ? null : game.known;
    if (game == null
        || known == null
        || !known.view().position().fen().equals(view.position().fen())) {
      return CompletableFuture.failedFuture(
          new RefusedException("invalid: stale, the position has changed"));
    }
    Tags tags =
        new Tags(
            List.of(
                List.of("e", game.id().hex()),
                List.of("e", known.head().hex()),
                List.of("p", game.opponent.hex())));
    CompletableFuture<String> effect = new CompletableFuture<>();
    client
        .publish(JesterMessage.KIND, tags, content(view, move, result, termination))
        .whenComplete(
            (ok, failure) ->
                client.later(Duration.ZERO, () -> answered(game, known, effect, failure)));
    return effect;
  }

  private static String content(
      GameView view, @Nullable Move last, Result result, String termination) {
    List<Move> moves = new ArrayList<>(view.moves());
    if (last != null) {
      moves.add(last);
    }
    List<String> history =
        Position.initial().sans(moves).stream().map(san -> '"' + san + '"').toList();
    return "{\"version\":\"0\",\"kind\":1,\"fen\":\"%s\"%s,\"history\":[%s]%s}"
        .formatted(
            Position.initial().after(moves).fen(),
            last == null ? "" : ",\"move\":" + history.get(history.size() - 1),
            String.join(",", history),
            result == Result.NONE
                ? ""
                : ",\"result\":\"%s\",\"termination\":\"%s\""
                    .formatted(result.text(), termination));
  }

  /**
   * The relay has answered an event of the bot. Without an effect, the game is over or taken by
   * others, or another event is the head, or the relay does not referee it.
   */
  private void answered(
      Game game, Known at, CompletableFuture<String> effect, @Nullable Throwable failure) {
    if (failure == null && Objects.equals(game.state, at.state()) && !game.isOver) {
      game.effect = effect;
      Throwable none = new RelayFailure("The relay has sent no state of the game.");
      client.later(STATE_TIMEOUT, () -> endWait(game, at.head(), effect, none));
    } else if (failure == null) {
      effect.complete("");
    } else if (failure instanceof RefusedException refused && !refused.mayPass()) {
      endWait(game, at.head(), effect, failure);
    } else {
      effect.completeExceptionally(failure);
    }
  }

  private void endWait(
      Game game, EventId head, CompletableFuture<String> effect, Throwable failure) {
    if (effect.completeExceptionally(failure) && games.containsValue(game)) {
      game.refusedHeads.add(head);
      read(game, LAST_EVENTS);
    }
  }
}
