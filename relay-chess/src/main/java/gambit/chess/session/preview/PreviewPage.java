package gambit.chess.session.preview;

import gambit.chess.dialect.GameRef;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.PgnException;
import gambit.chess.game.PgnGame;
import gambit.chess.game.PgnReader;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.chess.session.jester.JesterGames;
import gambit.chess.session.preview.PreviewPage.ShownGame.Seat;
import gambit.core.model.Event;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The small pages that links to games lead to: with Open Graph tags for whoever shows the link, and
 * on to the game for browsers. Texts of strangers are escaped. Pure.
 */
final class PreviewPage {
  private static final Map<String, String> TERMINATIONS =
      Map.of(
          "deadposition", "dead position",
          "threefold", "threefold repetition",
          "fivefold", "fivefold repetition",
          "fiftymoves", "fifty-move rule",
          "seventyfivemoves", "seventy-five-move rule",
          "illegalmoves", "illegal moves");

  private PreviewPage() {}

  /**
   * The page of a game.
   *
   * @param base the URL of the relay's web page, which ends with a slash
   * @param query of the address of the page, for the game
   */
  static String of(
      ShownGame game, String base, String id, String query, Function<Seat, String> nameOf) {
    String title = title(game, nameOf);
    String description = description(game);
    // Another picture after each move, since those who show links keep pictures.
    String picture = base + "game/" + id + ".png?" + game.plies();
    String target = target(id, query);
    return head(title, target, "../")
        + meta("name", "description", description)
        + meta("property", "og:type", "website")
        + meta("property", "og:site_name", "Gambit")
        + meta("property", "og:title", title)
        + meta("property", "og:description", description)
        + meta("property", "og:url", base + "game/" + id)
        + meta("property", "og:image", picture)
        + meta("property", "og:image:type", "image/png")
        + meta("property", "og:image:width", "" + BoardPicture.WIDTH)
        + meta("property", "og:image:height", "" + BoardPicture.HEIGHT)
        + meta("property", "og:image:alt", "The board, White below")
        + meta("name", "twitter:card", "summary_large_image")
        + body(title, description, target, "Open the game");
  }

  /** The page of a game that is not known here, which may be known to the relay of the query. */
  static String unknown(String id, String query) {
    return head("No such game", query.isEmpty() ? "" : target(id, query), "../")
        + body("No such game", "This relay does not know it.", "../" + query, "Go to the lobby");
  }

  /**
   * The page of a path that is none of a game.
   *
   * @param depth the number of folders from the relay's URL
   */
  static String none(int depth) {
    String lobby = "../".repeat(depth);
    return head("No such game", "", lobby)
        + body("No such game", "The address may have been cut off.", lobby, "Go to the lobby");
  }

  private static String target(String id, String query) {
    return "../" + query + "#/game/" + id;
  }

  private static String head(String title, String target, String root) {
    return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>"
        + escaped(title)
        + "</title>\n"
        + "<link rel=\"icon\" href=\""
        + root
        + "icons/icon.svg\">\n"
        + meta("name", "viewport", "width=device-width")
        + (target.isEmpty() ? "" : meta("http-equiv", "refresh", "0; url=" + target));
  }

  private static String meta(String key, String name, String content) {
    return "<meta " + key + "=\"" + name + "\" content=\"" + escaped(content) + "\">\n";
  }

  private static String body(String title, String text, String target, String link) {
    return "</head>\n<body>\n<h1>"
        + escaped(title)
        + "</h1>\n<p>"
        + escaped(text)
        + "</p>\n<p><a href=\""
        + escaped(target)
        + "\">"
        + escaped(link)
        + "</a></p>\n</body>\n</html>\n";
  }

  /** A text as the content of an element or of an attribute in quotation marks. */
  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  private static String title(ShownGame game, Function<Seat, String> nameOf) {
    String players =
        nameOf.apply(game.players().get(0)) + " – " + nameOf.apply(game.players().get(1));
    if (game.result() == null || game.termination() == null) {
      return players
          + (game.players().stream().anyMatch(Seat::isFree)
              ? ", waiting for an opponent"
              : ", in progress");
    }
    String result = game.result().equals("*") ? "" : ", " + game.result().replace("1/2", "½");
    String how = TERMINATIONS.getOrDefault(game.termination(), game.termination());
    return players + result + (how.isEmpty() ? "" : ", " + how);
  }

  private static String description(ShownGame game) {
    int moves = (game.plies() + 1) / 2;
    return (game.rated() == null ? "" : "Rated ")
        + kind(game.time(), game.rated() != null)
        + " · "
        + moves
        + (moves == 1 ? " move" : " moves");
  }

  /** The category and the time control: "Blitz 5+3". */
  private static String kind(TimeControl time, boolean isWithin) {
    Optional<String> category = Category.of(time).map(Category::word);
    String word =
        category
            .map(
                it -> isWithin ? it : it.substring(0, 1).toUpperCase(Locale.ROOT) + it.substring(1))
            .orElse("");
    return (word + " " + text(time)).strip();
  }

  private static String text(TimeControl time) {
    if (time.isUntimed()) {
      return "No clock";
    }
    Duration base = Duration.ofMillis(time.baseMillis());
    if (time.isPerMove()) {
      long days = base.toDays();
      boolean isDays = days > 0 && base.equals(Duration.ofDays(days));
      return isDays
          ? days + (days == 1 ? " day" : " days") + " a move"
          : minutes(base) + " min a move";
    }
    return minutes(base) + "+" + time.incrementMillis() / 1000;
  }

  private static String minutes(Duration base) {
    long seconds = base.toSeconds();
    return seconds % 60 == 0
        ? "" + seconds / 60
        : String.format(Locale.ROOT, "%.2f", seconds / 60.0);
  }

  /**
   * What a preview shows of a game. Immutable.
   *
   * @param players White and Black
   * @param result as in PGN; null while the game runs
   * @param termination the word of the tag of that name; null while the game runs
   */
  record ShownGame(
      List<Seat> players,
      Position position,
      @Nullable Move last,
      int plies,
      TimeControl time,
      @Nullable Category rated,
      @Nullable String result,
      @Nullable String termination) {

    /** A player, with the level of the relay's own player, else 0. */
    record Seat(PubKey player, int level) {
      /** Whether it is the free seat of a game of kind 30 that has only begun for its author. */
      boolean isFree() {
        return JesterGames.isFree(player);
      }
    }

    static ShownGame running(GameRef ref, OngoingGame game) {
      return new ShownGame(
          List.of(seat(ref, Side.WHITE), seat(ref, Side.BLACK)),
          game.position(),
          game.plies() == 0 ? null : game.moves().last(),
          game.plies(),
          game.control(),
          ref.rated() == null ? null : ref.rated().category(),
          null,
          null);
    }

    private static Seat seat(GameRef ref, Side side) {
      return new Seat(ref.player(side), ref.seat(side).level());
    }

    static Optional<ShownGame> finished(Event record) {
      List<Seat> players = seats(record);
      if (players.size() != 2) {
        return Optional.empty();
      }
      try {
        PgnGame game = PgnReader.read(record.content());
        int plies = game.moves().size();
        return Optional.of(
            new ShownGame(
                players,
                game.end(),
                plies == 0 ? null : game.moves().last(),
                plies,
                time(game.tags().getOrDefault("TimeControl", "")),
                rated(record),
                game.result().text(),
                record.tags().first("termination").orElse("")));
      } catch (PgnException e) {
        return Optional.empty();
      }
    }

    /** The game of a first event that neither runs nor has a record. */
    static Optional<ShownGame> aborted(Event first) {
      List<Seat> players = seats(first);
      Optional<Position> from =
          first.tags().first("fen").map(Position::parseFen).orElse(Optional.of(Position.initial()));
      return players.size() != 2
          ? Optional.empty()
          : from.map(
              position ->
                  new ShownGame(
                      players,
                      position,
                      null,
                      0,
                      time(first.tags().first("time").orElse("")),
                      rated(first),
                      "*",
                      "aborted"));
    }

    private static List<Seat> seats(Event event) {
      return event.tags().named("p").flatMap(tag -> seat(tag).stream()).limit(3).toList();
    }

    private static Optional<Seat> seat(List<String> tag) {
      String level = tag.size() > 4 ? tag.get(4) : "";
      return Nip19.keyOrHex(tag.get(1))
          .map(key -> new Seat(key, level.matches("[0-9]{1,2}") ? Integer.parseInt(level) : 0));
    }

    private static TimeControl time(String text) {
      return TimeControl.parse(text).orElse(TimeControl.UNTIMED);
    }

    private static @Nullable Category rated(Event event) {
      return event.tags().first("rated").flatMap(Category::ofWord).orElse(null);
    }
  }
}
