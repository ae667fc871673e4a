package gambit.app.tool.client;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/**
 * The subscriptions of a {@link PlayerClient}: it routes their events to {@link TrackedGames}, and
 * fetches games that it does not know yet. Owned by the client's thread.
 *
 * <p>There are at most four subscriptions, however many games the player has, and one for each
 * followed game.
 */
final class PlayerSubscriptions {
  private static final String RELAY = "relay";
  private static final String INVITES = "invites";
  private static final String STATES = "states";
  private static final String OPPONENTS = "opponents";

  /** Games and other requests of this kind are served with the pending invites, newest first. */
  private static final int MAX_STORED_INVITES = 2000;

  private static final int MAX_REMEMBERED_INVITES = 1000;
  private static final int MAX_INVITED_PLAYERS = 50;
  private static final int MAX_FOLLOWED = 100;

  /** The stored comments on a followed game that are requested. */
  private static final int MAX_STORED_COMMENTS = 200;

  private static final int MAX_REMEMBERED_COMMENTS = 1000;

  private final RelayLink link;
  private final TrackedGames games;
  private final PubKey us;
  private final PlayerListener listener;
  private final GameLoader loader;
  private final Runnable onGame;

  /** The followed games with their comments: stored ones are served at each reconnection. */
  private final Map<EventId, RecentIds> followed = new LinkedHashMap<>();

  private final RecentIds knownInvites = new RecentIds(MAX_REMEMBERED_INVITES);
  private final Set<PubKey> invited = new LinkedHashSet<>();

  /**
   * No subscriptions yet.
   *
   * @param onGame called before the listener when a game of the player begins or is resumed
   */
  PlayerSubscriptions(RelayLink link, TrackedGames games, Runnable onGame) {
    this.link = link;
    this.onGame = onGame;
    this.games = games;
    this.us = games.us();
    this.listener = games.listener();
    this.loader = new GameLoader(link, games, this::began);
  }

  /**
   * Subscribes to everything that concerns the player; called for each connection.
   *
   * @param referee the only author of events about games, but for the opponents
   */
  void open(PubKey referee) {
    String ours = "\"#p\":[\"" + us + "\"]";
    String byReferee = "\"authors\":[\"" + referee + "\"]," + ours;
    link.subscribe(
        RELAY,
        "{\"kinds\":[5000,64]," + byReferee + ",\"limit\":0}",
        false,
        (event, live) -> readRelay(event));
    link.subscribe(
        INVITES,
        "{\"kinds\":[5000]," + ours + ",\"limit\":" + MAX_STORED_INVITES + "}",
        false,
        (event, live) -> readInvite(event));
    link.subscribe(STATES, "{\"kinds\":[20302,20306]," + byReferee + "}", false, this::readCurrent);
  }

  /** Completes when all games that are being fetched now have been added or have failed. */
  CompletableFuture<Void> loaded() {
    return loader.loaded();
  }

  // ---- events of the relay

  private void readRelay(Event event) {
    if (!games.isOfReferee(event)) {
      return;
    }
    if (event.kind() == ChessKinds.LOBBY && event.content().equals("gameisfound")) {
      readFound(event);
    } else if (event.content().equals("inviteexpired")) {
      listener.inviteExpired(event);
    } else {
      EventTags.id(event.tags().root()).ifPresent(game -> games.readAbout(game, event));
      games.forgetOldest(followed::containsKey);
    }
  }

  private void readFound(Event event) {
    Optional<GameTerms> terms = GameTerms.of(event, us).filter(game -> game.ours() != null);
    if (terms.isEmpty()) {
      return;
    }
    boolean isResumed = event.tags().root().isPresent();
    TrackedGame known = games.get(terms.get().id());
    if (known != null) {
      if (isResumed) {
        games.resume(known, event);
      }
      return;
    }
    TrackedGame game = games.add(terms.get(), List.of());
    if (isResumed && !game.resume(event, System.currentTimeMillis())) {
      games.remove(terms.get().id());
      listener.noticed("The relay resumes a game that this client cannot read: " + event.id());
      return;
    }
    began(game);
    if (game.isIncomplete()) {
      loader.load(terms.get().id());
    }
  }

  private void began(TrackedGame game) {
    subscribeToOpponents();
    onGame.run();
    listener.gameBegan(game.view());
  }

  /**
   * Updates the subscription to opponents: their answers and rematches need not name the player.
   */
  private void subscribeToOpponents() {
    Set<PubKey> authors = games.opponents();
    authors.addAll(invited);
    String keys = authors.stream().map(PubKey::hex).collect(Collectors.joining("\",\""));
    link.subscribe(
        OPPONENTS,
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
    if (event.pubkey().equals(us) || games.isOfReferee(event)) {
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

  private void readCurrent(Event event, boolean live) {
    Optional<EventId> id = EventTags.id(event.tags().first("d"));
    if (!games.isOfReferee(event) || id.isEmpty()) {
      return;
    }
    TrackedGame game = games.get(id.get());
    if (game != null) {
      games.readCurrent(game, event, live);
      games.forgetOldest(followed::containsKey);
    } else if (event.kind() == ChessKinds.STATE && event.tags().first("result").isEmpty()) {
      loader.load(id.get(), event);
    }
  }

  // ---- following games

  /** Follows a game of other players, or of this one; the result fails if there is no such game. */
  CompletableFuture<GameView> follow(EventId id) {
    boolean isNew = !followed.containsKey(id);
    if (isNew && followed.size() >= MAX_FOLLOWED) {
      return CompletableFuture.failedFuture(
          new UnansweredException("This client follows too many games."));
    }
    if (isNew) {
      followed.put(id, new RecentIds(MAX_REMEMBERED_COMMENTS));
    }
    return loader
        .load(id)
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
        {"kinds":[64],"authors":["%2$s"],"#e":["%1$s"]}"""
            .formatted(id, games.referee(), MAX_STORED_COMMENTS);
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
    } else if (event.kind() == ChessKinds.RECORD && games.isOfReferee(event)) {
      games.readAbout(id, event);
    } else {
      readCurrent(event, live);
    }
  }
}
