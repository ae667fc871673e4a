package gambit.app.tool.client;

import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The games of a {@link PlayerClient}, and its subscriptions to what concerns the player: verified
 * events are applied to the games, of which the listener is notified. Games are the player's
 * running ones, those that the client follows, and the last {@link #MAX_ENDED} that have ended;
 * unknown ones are fetched. Owned by the client's thread.
 *
 * <p>There are at most four subscriptions, however many games the player has, and one for each
 * followed game.
 */
final class PlayerGames {
  private static final int MAX_ENDED = 32;

  /** Games and other requests of this kind are served with the pending invites, newest first. */
  private static final int MAX_STORED_INVITES = 2000;

  private static final int MAX_REMEMBERED_INVITES = 1000;
  private static final int MAX_INVITED_PLAYERS = 50;
  private static final int MAX_FOLLOWED = 100;
  private static final int MAX_STORED_COMMENTS = 200;
  private static final int MAX_REMEMBERED_COMMENTS = 1000;
  private static final int MAX_LOADING = 300;
  private static final int MAX_MOVES = 5000;

  private static final class Loading {
    private @Nullable Event state;
    private final CompletableFuture<GameView> result = new CompletableFuture<>();
  }

  private final RelayLink link;
  private final PubKey us;
  private final PlayerListener listener;

  /** Called before the listener when a live game of the player begins or is resumed. */
  private final Runnable onLiveGame;

  private final Map<EventId, TrackedGame> games = new LinkedHashMap<>();
  private final Set<EventId> ended = new LinkedHashSet<>();
  private final Map<EventId, Loading> loading = new HashMap<>();

  /** The followed games with their comments: stored ones are served at each reconnection. */
  private final Map<EventId, RecentIds> followed = new LinkedHashMap<>();

  private final RecentIds knownInvites = new RecentIds(MAX_REMEMBERED_INVITES);
  private final Set<PubKey> invited = new LinkedHashSet<>();
  private @Nullable PubKey referee;

  /** The least difference seen between this client's clock and the relay's, in milliseconds. */
  private long clockDifference;

  private boolean isDifferenceKnown;

  PlayerGames(RelayLink link, PubKey us, PlayerListener listener, Runnable onLiveGame) {
    this.link = link;
    this.us = us;
    this.listener = listener;
    this.onLiveGame = onLiveGame;
  }

  /** Subscribes to everything that concerns the player; called for each connection. */
  void open(PubKey relaysReferee) {
    referee = relaysReferee;
    String ours = "\"#p\":[\"" + us + "\"]";
    String byReferee = "\"authors\":[\"" + referee + "\"]," + ours;
    link.subscribe(
        "relay",
        "{\"kinds\":[5000,64]," + byReferee + ",\"limit\":0}",
        false,
        (event, live) -> readRelay(event));
    link.subscribe(
        "invites",
        "{\"kinds\":[5000]," + ours + ",\"limit\":" + MAX_STORED_INVITES + "}",
        false,
        (event, live) -> readInvite(event));
    link.subscribe(
        "states", "{\"kinds\":[20302,20306]," + byReferee + "}", false, this::readCurrent);
  }

  /** Completes when all games that are being fetched now have been added or have failed. */
  CompletableFuture<Void> loaded() {
    return CompletableFuture.allOf(
        loading.values().stream().map(each -> each.result).toArray(CompletableFuture<?>[]::new));
  }

  private boolean isOfReferee(Event event) {
    return event.pubkey().equals(referee);
  }

  @Nullable TrackedGame get(EventId id) {
    return games.get(id);
  }

  boolean hasRunning(boolean isSlow) {
    return games.values().stream()
        .filter(game -> !game.isOver() && game.terms().ours() != null)
        .anyMatch(game -> game.terms().time().isSlow() == isSlow);
  }

  private void began(TrackedGame game) {
    subscribeToOpponents();
    if (!game.terms().time().isSlow()) {
      onLiveGame.run();
    }
    listener.gameBegan(game.view());
  }

  // ---- events of the relay

  private void readRelay(Event event) {
    if (!isOfReferee(event)) {
      return;
    }
    if (event.content().equals("gameisfound")) {
      readFound(event);
    } else if (event.content().equals("inviteexpired")) {
      listener.inviteExpired(event);
    } else {
      event
          .tags()
          .root()
          .flatMap(EventTags::id)
          .flatMap(id -> Optional.ofNullable(games.get(id)))
          .ifPresent(
              game -> {
                if (event.kind() == ChessKinds.RECORD) {
                  readRecord(game, event);
                } else if (game.readEnding(event, System.currentTimeMillis())) {
                  notifyOfChange(game, false);
                }
              });
    }
  }

  /** A game has begun, or is resumed; the latter also answers an accepted takeback. */
  private void readFound(Event event) {
    Optional<GameTerms> terms = GameTerms.of(event, us).filter(game -> game.ours() != null);
    if (terms.isEmpty()) {
      return;
    }
    boolean isResumed = event.tags().root().isPresent();
    EventId id = terms.get().id();
    TrackedGame known = games.get(id);
    TrackedGame game = known == null ? new TrackedGame(terms.get(), List.of()) : known;
    Loading pending = loading.get(id);
    if (known == null && pending != null && pending.state != null) {
      game.readState(pending.state, startOf(pending.state, false)); // only states have proposals
    }
    boolean isRead = isResumed && game.resume(event, System.currentTimeMillis());
    if (known != null) {
      if (isRead) {
        listener.gameChanged(game.view());
      }
    } else if (isResumed && !isRead) {
      listener.noticed("The relay resumes a game that this client cannot read: " + event.id());
    } else {
      games.put(id, game);
      began(game);
      if (!game.view().complete()) { // the game's announcement and its moves may supply them
        load(id);
      }
    }
  }

  private void readCurrent(Event event, boolean live) {
    Optional<EventId> id = event.tags().first("d").flatMap(EventTags::id);
    if (!isOfReferee(event) || id.isEmpty()) {
      return;
    }
    if (event.tags().first("dialect").filter("jester"::equals).isPresent()) {
      listener.jesterState(event);
      return;
    }
    TrackedGame game = games.get(id.get());
    if (game == null) {
      if (event.kind() == ChessKinds.STATE && event.tags().first("result").isEmpty()) {
        load(id.get(), event);
      }
    } else if (event.kind() == ChessKinds.PRESENCE) {
      if (game.readPresence(event, clockDifference)) {
        listener.gameChanged(game.view());
      }
    } else {
      boolean wasOver = game.isOver();
      if (game.readState(event, startOf(event, live))) {
        notifyOfChange(game, wasOver);
      }
    }
  }

  /** The time by this client's clock at which a state began. */
  private long startOf(Event state, boolean live) {
    long now = System.currentTimeMillis();
    List<String> tag = EventTags.tag(state.tags(), "clock").orElse(List.of());
    long exact = EventTags.number(EventTags.at(tag, 3), -1);
    if (live) {
      if (exact >= 0 && (!isDifferenceKnown || now - exact < clockDifference)) {
        clockDifference = now - exact;
        isDifferenceKnown = true;
      }
      return now;
    }
    long started = exact >= 0 ? exact : state.createdAt() * 1000;
    return Math.min(now, started + clockDifference);
  }

  private void readRecord(TrackedGame game, Event event) {
    boolean wasOver = game.isOver();
    if (game.readRecord(event, System.currentTimeMillis())) {
      notifyOfChange(game, wasOver);
      listener.gameChanged(game.view());
    }
  }

  private void notifyOfChange(TrackedGame game, boolean wasOver) {
    if (game.isOver() && !wasOver) {
      ended.add(game.terms().id());
      listener.gameEnded(game.view());
      forgetOldest();
    } else if (!game.isOver()) {
      listener.gameChanged(game.view());
    }
  }

  /** Forgets the oldest ended games beyond the bound, except those that are followed. */
  private void forgetOldest() {
    Iterator<EventId> oldest = ended.iterator();
    while (ended.size() > MAX_ENDED && oldest.hasNext()) {
      EventId id = oldest.next();
      if (!followed.containsKey(id)) {
        oldest.remove();
        games.remove(id);
      }
    }
  }

  // ---- events of players

  /** Those of ended games, too: their answers and rematches need not name the player. */
  private void subscribeToOpponents() {
    Set<PubKey> authors = new LinkedHashSet<>(invited);
    for (TrackedGame game : games.values()) {
      Side ours = game.terms().ours();
      if (ours != null) {
        authors.add(game.terms().player(ours.opponent()));
      }
    }
    String keys = authors.stream().map(PubKey::hex).collect(Collectors.joining("\",\""));
    link.subscribe(
        "opponents",
        "{\"kinds\":[5000],\"authors\":[\"" + keys + "\"],\"limit\":0}",
        false,
        (event, live) -> readInvite(event));
  }

  /** The rejections of an invited player are delivered to subscribers of the player only. */
  void expectAnswerOf(PubKey player) {
    if (invited.add(player) && invited.size() > MAX_INVITED_PLAYERS) {
      invited.remove(invited.iterator().next());
    }
    subscribeToOpponents();
  }

  private void readInvite(Event event) {
    if (event.pubkey().equals(us) || isOfReferee(event)) {
      return;
    }
    boolean isForUs =
        event.tags().first("p").map(us.hex()::equals).orElse(event.content().equals("rematch"));
    if (event.content().equals("reject")) {
      listener.inviteRejected(event);
    } else if (isForUs && knownInvites.add(event.id())) {
      ReceivedInvite.of(event).filter(this::concernsUs).ifPresent(listener::invited);
    }
  }

  /** An invite; a rematch only after a game of this player, if that game is known. */
  private boolean concernsUs(ReceivedInvite invite) {
    EventId game = invite.rematchOf();
    TrackedGame known = game == null ? null : games.get(game);
    return known == null || known.terms().ours() != null;
  }

  // ---- fetching games: the announcement, the stored moves and the record

  private void load(EventId id, Event state) {
    load(id)
        .exceptionally(
            failure -> {
              listener.noticed("The game " + id + " cannot be shown: " + failure.getMessage());
              return null;
            });
    Loading pending = loading.get(id);
    if (pending != null) {
      pending.state = state;
    }
  }

  /** Fetches a game, unless it is being fetched; the result fails if the relay does not know it. */
  private CompletableFuture<GameView> load(EventId id) {
    Loading known = loading.get(id);
    if (known != null) {
      return known.result;
    } else if (loading.size() >= MAX_LOADING) {
      return CompletableFuture.failedFuture(
          new RelayFailure("The relay has left too many queries unanswered."));
    }
    Loading pending = new Loading();
    loading.put(id, pending);
    CompletableFuture<GameView> view =
        link.query("{\"ids\":[\"" + id + "\"]}")
            .thenCompose(found -> fetch(id, found, pending))
            .whenComplete((done, failure) -> loading.remove(id));
    RelayLink.forward(view, pending.result);
    return pending.result;
  }

  /** Fetches the record and the moves of a game; anybody may have published events that name it. */
  private CompletableFuture<GameView> fetch(EventId id, List<Event> found, Loading pending) {
    Optional<GameTerms> terms =
        found.stream()
            .filter(event -> event.id().equals(id) && isOfReferee(event))
            .findFirst()
            .flatMap(event -> GameTerms.of(event, us));
    if (terms.isEmpty()) {
      return CompletableFuture.failedFuture(
          new RefusedException("invalid: the relay knows no such game"));
    }
    GameTerms known = terms.get();
    String filters =
        """
        {"kinds":[64],"authors":["%2$s"],"#e":["%1$s"]},\
        {"kinds":[5001],"authors":["%2$s","%3$s","%4$s"],"#e":["%1$s"],"limit":%5$d}\
        """
            .formatted(id, referee, known.white(), known.black(), MAX_MOVES);
    return link.query(filters).thenApply(events -> loaded(known, events, pending.state));
  }

  private GameView loaded(GameTerms terms, List<Event> events, @Nullable Event state) {
    EventId id = terms.id();
    TrackedGame known = games.get(id);
    List<Move> moves = moves(events, terms);
    TrackedGame game = known == null ? new TrackedGame(terms, moves) : known;
    games.put(id, game);
    boolean completed = game.complete(terms.initial(), moves);
    if (known == null && state != null) {
      game.readState(state, startOf(state, false));
      if (terms.ours() != null) {
        began(game);
      }
    } else if (completed) {
      listener.gameChanged(game.view());
    }
    events.stream()
        .filter(event -> event.kind() == ChessKinds.RECORD && isOfReferee(event))
        .filter(event -> event.tags().root().equals(Optional.of(id.hex())))
        .forEach(event -> readRecord(game, event));
    return game.view();
  }

  /** The stored moves of a game, as far as they can be played; taken-back ones are replaced. */
  private List<Move> moves(List<Event> events, GameTerms terms) {
    Map<Integer, Event> byPly = new TreeMap<>();
    for (Event event : events) {
      boolean isOfGame =
          event.kind() == ChessKinds.MOVE
              && event.tags().root().equals(Optional.of(terms.id().hex()))
              && (isOfReferee(event) || terms.sideOf(event.pubkey()) != null);
      int ply = EventTags.smallNumber(event.tags(), "ply", -1);
      if (isOfGame && ply > 0) {
        byPly.merge(ply, event, (a, b) -> a.createdAt() >= b.createdAt() ? a : b);
      }
    }
    List<Move> moves = new ArrayList<>();
    Optional<Position> position = Optional.of(terms.initial());
    for (int ply = 1; byPly.containsKey(ply); ply++) {
      Optional<Move> move = Move.parse(byPly.get(ply).content());
      position = position.flatMap(at -> move.flatMap(at::play));
      if (position.isEmpty()) {
        break;
      }
      moves.add(move.orElseThrow());
    }
    return moves;
  }

  // ---- following games

  /** Follows a game of other players, or of this one; the result fails if there is no such game. */
  CompletableFuture<GameView> follow(EventId id) {
    boolean isNew = !followed.containsKey(id);
    if (isNew && followed.size() >= MAX_FOLLOWED) {
      return CompletableFuture.failedFuture(
          new RelayFailure("This client follows too many games."));
    }
    if (isNew) {
      followed.put(id, new RecentIds(MAX_REMEMBERED_COMMENTS));
    }
    return load(id)
        .whenComplete(
            (view, failure) -> {
              if (failure == null && followed.containsKey(id)) {
                subscribeTo(id);
              } else if (isNew) {
                followed.remove(id);
              }
            });
  }

  private void subscribeTo(EventId id) {
    String filters =
        """
        {"kinds":[20302,20306],"authors":["%2$s"],"#d":["%1$s"]},\
        {"kinds":[1111],"#E":["%1$s"],"limit":%3$d},\
        {"kinds":[64],"authors":["%2$s"],"#e":["%1$s"]}\
        """
            .formatted(id, referee, MAX_STORED_COMMENTS);
    link.subscribe(
        "follow-" + id.hex().substring(0, 16),
        filters,
        true,
        (event, live) -> readFollowed(id, event, live));
  }

  private void readFollowed(EventId id, Event event, boolean live) {
    TrackedGame game = games.get(id);
    RecentIds comments = followed.get(id);
    if (game == null || comments == null) {
      return;
    }
    if (event.kind() == ChessKinds.COMMENT) {
      if (comments.add(event.id())) {
        listener.commented(game.view(), event);
      }
    } else if (event.kind() == ChessKinds.RECORD && isOfReferee(event)) {
      readRecord(game, event);
    } else {
      readCurrent(event, live);
    }
  }
}
