package gambit.chess.simulation;

import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.Nip100;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rules.Side;
import gambit.chess.session.SearchQueues.SearchTerms;
import gambit.chess.session.play.ChessSettings;
import gambit.core.feature.Outgoing;
import gambit.core.model.Event;
import gambit.core.model.PubKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The players who wait for an opponent, derived from the relay's answers. */
final class ExpectedQueue {
  private static final long APART = 10_000;

  /** The end of a time that begins when the relay has noticed the commit. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** Two players who must not meet for a while. */
  private record Apart(PubKey one, PubKey other, long until) {
    boolean is(PubKey a, PubKey b) {
      return (one.equals(a) && other.equals(b)) || (one.equals(b) && other.equals(a));
    }
  }

  /** A difference of ratings in hundredths, and times in milliseconds, as in the protocol. */
  private static final int DIFFERENCE = 10_000;

  private static final int WIDER_PER_SECOND = 2_500;
  private static final long UNBOUNDED_AFTER = 20_000;

  /**
   * A search that began between two times.
   *
   * @param rating at its start, in hundredths
   */
  private record Search(SearchTerms terms, int rating, long earliest, long latest) {
    /** Whether the ratings of two may differ, when the one who has waited longer began then. */
    boolean isClose(Search other, long began, long now) {
      long difference = Math.abs(rating - other.rating);
      long waited = now - began;
      return waited >= UNBOUNDED_AFTER
          || 1000 * (difference - DIFFERENCE) <= WIDER_PER_SECOND * waited;
    }
  }

  private final ManualTime time;
  private final ChessSettings settings;
  private final Function<PubKey, List<InvariantChecker.KnownGame>> games;
  private final ExpectedBindings expectedBindings;
  private final RatingsChecker ratings;
  private final Map<PubKey, Search> waiting = new HashMap<>();

  /** Players who may have left the queue, or returned before that was noticed. */
  private final Set<PubKey> unsure = new HashSet<>();

  /** The authors of events that may have led to a search or a game, by id in hex. */
  private final Map<String, PubKey> leading = new HashMap<>();

  private final List<Apart> apart = new ArrayList<>();

  ExpectedQueue(
      ManualTime time,
      ChessSettings settings,
      Function<PubKey, List<InvariantChecker.KnownGame>> games,
      ExpectedBindings expectedBindings,
      RatingsChecker ratings) {
    this.ratings = ratings;
    this.time = time;
    this.settings = settings;
    this.games = games;
    this.expectedBindings = expectedBindings;
  }

  boolean contains(PubKey player) {
    return waiting.containsKey(player);
  }

  /** The minimum number of waiting players. */
  int size() {
    return waiting.size();
  }

  /** The maximum number of waiting players. */
  int most() {
    return waiting.size() + unsure.size();
  }

  /** A player leaves the queue. */
  void leaves(PubKey player) {
    waiting.remove(player);
    unsure.remove(player);
  }

  /** A player's last connection has closed, or the pairing has failed. */
  void left(@Nullable PubKey player) {
    if (waiting.remove(player) != null) {
      unsure.add(player);
    }
  }

  /** An event was accepted. */
  void accepted(Event event, String text) {
    String content = event.content();
    PubKey player = event.pubkey();
    boolean connect =
        event.kind() == Ephemeral.PLAY
            || (event.kind() == Nip100.LOBBY && content.equals("connect"));
    if (event.kind() == Nip100.LOBBY) {
      leading.put(event.id().hex(), player);
    }
    boolean mayQueue =
        games.apply(player).stream().allMatch(game -> game.ref.isSlow())
            && !settings.simultaneousGames().includes(player);
    if (connect && mayQueue) {
      boolean isNew = event.kind() == Nip100.LOBBY && text.isEmpty();
      if (isNew || (!waiting.containsKey(player) && !unsure.contains(player))) {
        leaves(player);
        begins(player, terms(event));
      }
    } else if (content.equals("cancelsearch")
        || (content.equals("quit") && event.tags().first("d").isEmpty())) {
      leaves(player);
    }
  }

  private void begins(PubKey player, SearchTerms terms) {
    if (expectedBindings.isPresent(player)) {
      int rating =
          terms.isRated()
              ? ratings.of(player, Category.of(terms.time()).orElseThrow()).rating()
              : 0;
      waiting.put(player, new Search(terms, rating, time.millis(), UNKNOWN));
    } else {
      unsure.add(player);
    }
  }

  private SearchTerms terms(Event event) {
    return new SearchTerms(
        event
            .tags()
            .first("time")
            .map(it -> TimeControl.parse(it).orElseThrow())
            .orElse(settings.defaultTime()),
        event.tags().first("rated").orElse("").equals("true"));
  }

  /** Asserts that the players of a new game searched for such a game, and might be paired. */
  void paired(InvariantChecker.KnownGame game) {
    Search white = waiting.get(game.ref.white().player());
    Search black = waiting.get(game.ref.black().player());
    if (white == null || black == null) {
      return; // a player may have left and returned
    }
    long earliest = Math.min(white.earliest(), black.earliest());
    InvariantChecker.check(
        white.terms().equals(black.terms())
            && white.terms().isRated() == (game.ref.rated() != null)
            && white.isClose(black, earliest, time.millis()),
        Invariant.PAIRED_BY_THE_RULES,
        () -> "paired are " + white + " and " + black);
  }

  /** A failed pairing is reported to both players, who may have connected since. */
  void told(Outgoing item) {
    if (item instanceof Outgoing.LateOk late && !late.ok().accepted()) {
      left(leading.get(late.ok().id()));
    } else if (item instanceof Outgoing.Multicast multicast
        && multicast.event().kind() == Ephemeral.ANSWER
        && multicast.event().content().startsWith("error:")) {
      left(PubKey.ofHex(multicast.event().tags().first("p").orElseThrow()));
    }
  }

  /** A game is over; a player whose opponent left before a move is back in the queue. */
  void ended(InvariantChecker.KnownGame game, ExpectedEnding ending) {
    Event cause = ending.cause();
    boolean aborted = ending.termination() == null; // there is no record
    if (cause != null && aborted && Set.of("cancelsearch", "quit").contains(cause.content())) {
      Side side = game.ref.sideOf(cause.pubkey()).opponent();
      PubKey other = game.ref.player(side);
      begins(other, new SearchTerms(game.playing.control(), game.ref.rated() != null));
      apart.add(new Apart(cause.pubkey(), other, UNKNOWN));
    }
  }

  void crashed() {
    waiting.clear();
    unsure.clear();
    leading.clear();
    apart.clear();
  }

  /** Asserts that no two waiting players may be paired. */
  void quiet() {
    unsure.removeIf(player -> !expectedBindings.isPresent(player));
    long now = time.millis();
    apart.replaceAll(
        it -> it.until() == UNKNOWN ? new Apart(it.one(), it.other(), now + APART) : it);
    apart.removeIf(it -> it.until() <= now);
    waiting.replaceAll(
        (player, it) ->
            it.latest() == UNKNOWN ? new Search(it.terms(), it.rating(), it.earliest(), now) : it);
    Map<SearchTerms, List<PubKey>> queues = new HashMap<>();
    waiting.forEach(
        (player, search) ->
            queues.computeIfAbsent(search.terms(), terms -> new ArrayList<>()).add(player));
    queues.values().forEach(this::check);
  }

  private void check(List<PubKey> queue) {
    queue.sort(Comparator.naturalOrder());
    for (PubKey one : queue) {
      for (PubKey other : queue) {
        boolean mayMeet =
            one != other
                && apart.stream().noneMatch(it -> it.is(one, other))
                && isClose(waiting.get(one), waiting.get(other));
        InvariantChecker.check(
            !mayMeet, Invariant.PAIRED_BY_THE_RULES, () -> one + " and " + other + " both wait");
      }
    }
  }

  private boolean isClose(Search one, Search other) {
    return one.isClose(other, Math.min(one.latest(), other.latest()), time.millis());
  }

  @Override
  public String toString() {
    return waiting.keySet() + " and maybe " + unsure;
  }
}
