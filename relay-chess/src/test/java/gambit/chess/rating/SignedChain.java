package gambit.chess.rating;

import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.Result;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** A relay's chain of rated records without moves, and its heads. Not thread-safe. */
public final class SignedChain {
  private static final int DAY = 86_400;
  private static final int HEAD_DISTANCE = 100;

  /** The events so far. */
  public final List<Event> events = new ArrayList<>();

  private final Signer relay = Keys.of("relay");
  private final Map<String, Rating> ratings = new TreeMap<>();
  private RatingChain chain = RatingChain.START;

  /** Adds games of random players. */
  public void addRandomGames(int count, long seed) {
    Random random = new Random(seed);
    Result[] results = {Result.WHITE_WINS, Result.BLACK_WINS, Result.DRAW};
    for (int i = 0; i < count; i++) {
      int white = random.nextInt(20);
      add(
          Category.values()[random.nextInt(Category.values().length)],
          "player " + white,
          "player " + (white + 1 + random.nextInt(19)) % 20,
          results[random.nextInt(results.length)],
          // Sometimes the clock is set back.
          1_700_000_000 + i * 1_000L - (random.nextInt(20) == 0 ? 2 * DAY : 0));
    }
  }

  /** Adds a game. */
  public void add(Category category, String white, String black, Result result, long createdAt) {
    PubKey whiteKey = Keys.of(white).pubkey();
    PubKey blackKey = Keys.of(black).pubkey();
    RatingChain.Pair before =
        new RatingChain.Pair(
            ratings.getOrDefault(category + white, Rating.INITIAL),
            ratings.getOrDefault(category + black, Rating.INITIAL));
    RatingChain.Link link = chain.next(category, whiteKey, blackKey, before, result, createdAt);
    List<List<String>> tags = new ArrayList<>();
    tags.add(List.of("p", whiteKey.hex(), "", "white"));
    tags.add(List.of("p", blackKey.hex(), "", "black"));
    tags.add(List.of("result", result.text()));
    tags.addAll(link.tags());
    Event record = relay.sign(createdAt, RefereeEvents.RECORD_KIND, new Tags(tags), "*");
    events.add(record);
    ratings.put(category + white, link.after().white());
    ratings.put(category + black, link.after().black());
    chain = link.with(record.id());
    if (chain.length() % HEAD_DISTANCE == 0) {
      addHead(chain.ratings());
    }
  }

  /** Adds a head of the last record with a hash of the ratings. */
  public void addHead(byte[] hash) {
    List<List<String>> tags =
        List.of(
            List.of("d", "" + chain.length()),
            List.of("e", chain.last().hex()),
            List.of("ratings", new EventId(hash).hex()));
    events.add(relay.sign(chain.time(), RefereeEvents.HEAD_KIND, new Tags(tags), ""));
  }

  /** The same event with another text in its tags, signed again by the relay. */
  public Event forged(Event event, String text, String replacement) {
    List<List<String>> tags =
        event.tags().list().stream()
            .map(tag -> tag.stream().map(it -> it.equals(text) ? replacement : it).toList())
            .toList();
    return relay.sign(event.createdAt(), event.kind(), new Tags(tags), event.content());
  }
}
