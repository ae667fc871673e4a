package gambit.chess.session;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.InviteTerms;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Request;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.Result;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.play.GameSession;
import gambit.chess.session.play.Games;
import gambit.chess.session.play.KnownGames;
import gambit.chess.session.play.PlayerRequest;
import gambit.chess.session.play.SessionContext;
import gambit.core.feature.StoredEvents;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.wire.Reason;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Rematches, and the last games of each player that they need: as many as the player may have at
 * once. Late events about these games are answered with how they ended. Bounded: beyond {@value
 * #MAX_GAMES}, those of the players who have not finished a game for longest are forgotten. Games
 * that are not remembered, such as those before a restart, are found by their records. Owned by the
 * chess lane.
 */
public final class Rematches {
  /** The maximum of remembered games; one counts for each of its players. */
  private static final int MAX_GAMES = 20_000;

  private static final Reason NO_LAST_GAME = Reason.invalid("you have finished no game here");
  private static final Reason NOT_THE_LAST_GAME =
      Reason.invalid("the e tag names none of your last games");
  private static final Reason NOT_THE_OPPONENT =
      Reason.invalid("the p tag does not name the opponent of that game");

  public record LastGame(GameRef ref, FinishedGame over) {
    public String how() {
      String result = over.result() == Result.NONE ? "" : ", " + over.result().text();
      return over.termination().word() + result;
    }
  }

  private final SessionContext context;
  private final Games games;
  private final Invites invites;
  private final StoredEvents stored;

  /** The last games of each player, the latest first; last the player with the latest. */
  private final Map<PubKey, List<LastGame>> lastGames = new LinkedHashMap<>();

  private final long startedAt;
  private int remembered;

  public Rematches(SessionContext context, Games games, Invites invites, StoredEvents stored) {
    this.stored = stored;
    this.context = context;
    this.games = games;
    this.invites = invites;
    this.startedAt = context.now();
  }

  public void gameEnded(GameSession game, FinishedGame over) {
    LastGame last = new LastGame(game.ref(), over);
    game.players().forEach(player -> remember(player, last));
    Iterator<List<LastGame>> oldest = lastGames.values().iterator();
    while (remembered > MAX_GAMES) {
      remembered -= oldest.next().size();
      oldest.remove();
    }
  }

  private void remember(PubKey player, LastGame last) {
    List<LastGame> before = lastGamesOf(player);
    int max = context.settings().maxGamesOf(player);
    List<LastGame> own = Stream.concat(Stream.of(last), before.stream().limit(max - 1)).toList();
    remembered += own.size() - before.size();
    lastGames.remove(player); // it becomes the last one
    lastGames.put(player, own);
  }

  private List<LastGame> lastGamesOf(PubKey player) {
    return lastGames.getOrDefault(player, List.of());
  }

  /**
   * The finished game that a player's event is about, if it is about one.
   *
   * @param named the game that the event names, in hex; without a live game, an event that names
   *     none is about the player's last one (of several slow games, it was about none) while it may
   *     have been signed before the player knew of the end: it must not end a slow game
   */
  public Optional<LastGame> endedGame(PubKey player, Optional<String> named) {
    Stream<LastGame> last = lastGamesOf(player).stream();
    if (named.isPresent()) {
      return last.filter(it -> it.ref().id().hex().equals(named.get())).findFirst();
    }
    boolean hasSeveral = games.of(player).size() > 1;
    long knownIfEndedBy = context.now() - context.settings().maxClockSkew().toMillis();
    return games.liveOf(player).isEmpty()
        ? last.filter(it -> !(hasSeveral && it.ref().isSlow()))
            .findFirst()
            .filter(it -> it.over().endedAt() > knownIfEndedBy)
        : Optional.empty();
  }

  /** Whether {@link #endedGame} finds a game for an event without a name, or a record has one. */
  public boolean hasJustEnded(PubKey player) {
    long skew = context.settings().maxClockSkew().toMillis();
    boolean isRestarted = context.now() < startedAt + skew;
    return endedGame(player, Optional.empty()).isPresent()
        || (isRestarted && !records(player, (context.now() - skew) / 1000, 1).isEmpty());
  }

  /** Invites the opponent of the last game, or accepts the opponent's invite. */
  public void rematch(PlayerRequest request, Request.Rematch rematch) {
    Optional<Event> last = lastGame(request.player(), rematch.game());
    Optional<PendingInvite> asked =
        Optional.ofNullable(rematch.game())
            .or(() -> last.map(Event::id))
            .flatMap(id -> invites.pending().rematch(id, request.player(), request.arrival()));
    if (asked.isPresent()) { // also after a game that ended before a restart
      if (namesOther(rematch, asked.get().author())) {
        context.refuse(request, NOT_THE_OPPONENT);
      } else {
        invites.accept(request, asked.get(), Optional.empty());
      }
    } else if (last.isEmpty()) {
      context.refuse(request, rematch.game() == null ? NO_LAST_GAME : NOT_THE_LAST_GAME);
    } else {
      inviteAgain(request, rematch, last.get());
    }
  }

  /**
   * Invites the opponent of a game to another one, with the colours swapped.
   *
   * @param last the first event of the game, in which White's key is before Black's
   */
  private void inviteAgain(PlayerRequest request, Request.Rematch rematch, Event last) {
    Tags tags = last.tags();
    List<String> players = tags.values("p").toList();
    Side side = request.player().hex().equals(players.get(0)) ? Side.WHITE : Side.BLACK;
    PubKey opponent = PubKey.ofHex(players.get(side.opponent().index()));
    long now = context.now() / 1000;
    Optional<Reason> objection =
        namesOther(rematch, opponent)
            ? Optional.of(NOT_THE_OPPONENT)
            : rematch.expiration().objection(now);
    if (objection.isPresent()) {
      context.refuse(request, objection.get());
      return;
    }
    long expiresAt = InviteTerms.rematchExpiresAt(rematch.expiration(), now);
    InviteTerms terms =
        new InviteTerms(
            opponent,
            side.opponent(),
            tags.first("time").flatMap(TimeControl::parse).orElseThrow(),
            tags.first("fen").flatMap(Position::parseFen).orElse(Position.initial()),
            level(last),
            RatedStart.isIn(tags),
            expiresAt,
            false,
            null);
    invites.invite(request, terms, last.id());
  }

  /** The first event of one of the last games of a player, or of the last one. */
  private Optional<Event> lastGame(PubKey player, @Nullable EventId named) {
    List<LastGame> known = lastGamesOf(player);
    int max = context.settings().maxGamesOf(player);
    List<Event> records = known.size() < max ? records(player, null, max) : List.of();
    return Stream.concat(
            known.stream().map(it -> it.ref().id().hex()),
            records.stream().flatMap(record -> record.tags().root().stream()))
        .filter(id -> named == null || id.equals(named.hex()))
        .findFirst()
        .flatMap(id -> KnownGames.firstEvent(stored, id))
        .filter(first -> first.pubkey().equals(context.relay().pubkey()));
  }

  /** The records of a player's last games, perhaps only of those that ended since a Unix time. */
  private List<Event> records(PubKey player, @Nullable Long since, int max) {
    Set<PubKey> relay = Set.of(context.relay().pubkey());
    Map<Character, Set<String>> of = Map.of('p', Set.of(player.hex()));
    Set<Integer> kinds = Set.of(RefereeEvents.RECORD_KIND);
    return stored.find(new Filter(null, relay, kinds, of, since, null, null), max);
  }

  private static int level(Event gameIsFound) {
    return gameIsFound
        .tags()
        .named("p")
        .filter(tag -> tag.size() == 5)
        .map(tag -> Integer.valueOf(tag.get(4)))
        .findFirst()
        .orElse(0);
  }

  private static boolean namesOther(Request.Rematch rematch, PubKey opponent) {
    return rematch.opponent().filter(it -> !it.equals(opponent.hex())).isPresent();
  }
}
