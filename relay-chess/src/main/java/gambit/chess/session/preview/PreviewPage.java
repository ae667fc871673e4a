package gambit.chess.session.preview;

import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.session.preview.ShownGame.Seat;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

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
}
