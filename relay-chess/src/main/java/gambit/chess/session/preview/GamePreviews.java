package gambit.chess.session.preview;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.play.GameRows;
import gambit.chess.session.play.KnownGames;
import gambit.chess.session.preview.PreviewPage.ShownGame;
import gambit.chess.session.preview.PreviewPage.ShownGame.Seat;
import gambit.core.feature.FileHandler;
import gambit.core.feature.RelayBuilder;
import gambit.core.feature.StoredEvents;
import gambit.core.feature.UnreadableRows;
import gambit.core.lane.Lane;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Filter;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Previews of links to games: {@code /game/<id>} is a page for whoever shows the link, which leads
 * browsers to the game, and {@code /game/<id>.png} the picture of the position, the last one of a
 * game that is over. They are made on a lane of their own, one at a time, with at most {@value
 * #MAX_WAITING} requests waiting; the last {@value #MAX_PICTURES} pictures are kept, some 10 KB
 * each.
 */
public final class GamePreviews implements FileHandler {
  private static final String FOLDER = "/game/";
  private static final int MAX_WAITING = 64;
  private static final int MAX_PICTURES = 128;
  private static final int MAX_RECORDS = 4;
  private static final int MAX_NAME_CHARACTERS = 40;

  /** How often a running game is read again that has gone on meanwhile. */
  private static final int ATTEMPTS = 3;

  private static final Pattern PATH = Pattern.compile(FOLDER + "([0-9a-f]{64})(\\.png)?");

  private static final Pattern RELAY = Pattern.compile("relay=([!-%'-~]{1,400})");

  private static final Pattern RELAY_URL = Pattern.compile("wss?://[!-~]{1,300}");

  private static final String HTML = "text/html; charset=utf-8";

  /** Created with the first name: its classes are a tenth of those of a start. */
  private static final class Json {
    static final ObjectMapper MAPPER = new ObjectMapper();
  }

  private final RelayBuilder relay;
  private final GameRows rows;
  private final GameRows jesterRows;
  private final StoredEvents stored;
  private final PubKey referee;
  private final String base;
  private final Lane lane;
  private final BoardPicture pictures = new BoardPicture();
  private final Cache<String, byte[]> drawn =
      Caffeine.newBuilder().maximumSize(MAX_PICTURES).build();

  private GamePreviews(RelayBuilder relay, List<Dialect> dialects, PubKey referee) {
    this.relay = relay;
    this.rows = new GameRows(dialects);
    this.jesterRows = new GameRows(JesterGames.TABLE, dialects);
    this.stored = relay.storedEvents();
    this.referee = referee;
    // From the settings: the header Host is whatever a client writes.
    this.base = relay.urls().primary().replaceFirst("^ws", "http").replaceFirst("/*$", "/");
    this.lane = relay.lane("previews", MAX_WAITING);
  }

  public static void install(RelayBuilder relay, List<Dialect> dialects, PubKey referee) {
    relay.files(FOLDER, new GamePreviews(relay, dialects, referee));
  }

  @Override
  public void handle(FileRequest request, Consumer<MadeFile> answer) {
    if (!lane.submit(() -> answer.accept(made(request)))) {
      answer.accept(page(429, "Too many previews are asked for at the moment.\n"));
    }
  }

  private MadeFile made(FileRequest request) {
    try {
      return file(request);
    } catch (UnreadableRows e) {
      return page(500, "The game cannot be read at the moment.\n");
    }
  }

  private MadeFile file(FileRequest request) {
    Matcher path = PATH.matcher(request.path());
    if (!path.matches()) {
      int depth = (int) request.path().chars().filter(it -> it == '/').count() - 1;
      return page(404, PreviewPage.none(depth));
    }
    String id = path.group(1);
    String query = query(request.query());
    Optional<ShownGame> game = isHidden() ? Optional.empty() : game(EventId.ofHex(id));
    if (game.isEmpty()) {
      return page(404, PreviewPage.unknown(id, query));
    } else if (path.group(2) == null) {
      return page(200, PreviewPage.of(game.get(), base, id, query, this::name));
    }
    String key = game.get().position().fen() + game.get().last();
    return new MadeFile(
        200,
        "image/png",
        drawn.get(key, it -> pictures.draw(game.get().position(), game.get().last())));
  }

  /** Whether some clients may not read games: then who asks over HTTP learns nothing of them. */
  private boolean isHidden() {
    return relay.isGuarded(RefereeEvents.RECORD_KIND) || relay.isGuarded(RefereeEvents.STATE_KIND);
  }

  private static MadeFile page(int status, String text) {
    return new MadeFile(status, HTML, text.getBytes(UTF_8));
  }

  private static String query(String query) {
    Matcher relay = RELAY.matcher(query);
    if (!relay.matches()) {
      return "";
    }
    try {
      String url = URLDecoder.decode(relay.group(1), UTF_8);
      return RELAY_URL.matcher(url).matches() ? "?relay=" + URLEncoder.encode(url, UTF_8) : "";
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  private Optional<ShownGame> game(EventId id) {
    return running(rows, GameRows.TABLE, id)
        .or(() -> running(jesterRows, JesterGames.TABLE, id))
        .or(() -> record(id))
        .or(() -> aborted(id));
  }

  private Optional<ShownGame> running(GameRows rows, String table, EventId id) {
    for (int attempt = 1; ; attempt++) {
      try {
        return rows.find(id, key -> relay.row(table, key))
            .map(found -> ShownGame.running(found.ref(), found.snapshot().game()));
      } catch (UnreadableRows e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private Optional<ShownGame> record(EventId id) {
    Filter records =
        Filter.of(
            Set.of(referee), Set.of(RefereeEvents.RECORD_KIND), Map.of('e', Set.of(id.hex())));
    return stored.find(records, MAX_RECORDS).stream()
        .filter(record -> record.tags().root().filter(id.hex()::equals).isPresent())
        .findFirst()
        .flatMap(ShownGame::finished);
  }

  private Optional<ShownGame> aborted(EventId id) {
    return KnownGames.firstEvent(stored, id.hex())
        .filter(first -> first.pubkey().equals(referee))
        .flatMap(ShownGame::aborted);
  }

  private String name(Seat seat) {
    if (seat.isFree()) {
      return "?";
    }
    String npub = Nip19.npub(seat.player());
    Filter profiles = Filter.of(Set.of(seat.player()), Set.of(0), Map.of());
    String name =
        stored.find(profiles, 1).stream()
            .findFirst()
            .flatMap(GamePreviews::nameIn)
            .orElse(
                seat.level() > 0
                    ? "Computer"
                    : npub.substring(0, 10) + "…" + npub.substring(npub.length() - 4));
    return seat.level() > 0 ? name + ", level " + seat.level() : name;
  }

  /** The name in a profile, in one line; nothing if it has none that can be seen. */
  private static Optional<String> nameIn(Event profile) {
    String name;
    try {
      String text = Json.MAPPER.readTree(profile.content()).path("name").textValue();
      name = text == null ? "" : text;
    } catch (IOException e) {
      return Optional.empty();
    }
    StringBuilder shown = new StringBuilder();
    name.codePoints()
        .filter(it -> Character.isDefined(it) && !isUnseen(it))
        .map(it -> Character.isWhitespace(it) ? ' ' : it)
        .limit(MAX_NAME_CHARACTERS)
        .forEach(shown::appendCodePoint);
    return Optional.of(shown.toString().strip()).filter(it -> !it.isEmpty());
  }

  /** Characters that change the direction or the lines of a text, or are none. */
  private static boolean isUnseen(int character) {
    int type = Character.getType(character);
    return type == Character.FORMAT
        || type == Character.SURROGATE
        || (type == Character.CONTROL && !Character.isWhitespace(character));
  }
}
