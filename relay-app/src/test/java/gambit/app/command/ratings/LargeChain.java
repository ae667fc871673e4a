package gambit.app.command.ratings;

import gambit.chess.dialect.GameRef;
import gambit.chess.dialect.GameRef.Seat;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RatedStart;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.game.Command;
import gambit.chess.game.FinishedGame;
import gambit.chess.game.OngoingGame;
import gambit.chess.game.Referee;
import gambit.chess.game.Result;
import gambit.chess.game.Ruling.Step;
import gambit.chess.game.Termination;
import gambit.chess.game.TimeControl;
import gambit.chess.rating.Category;
import gambit.chess.rating.Rating;
import gambit.chess.rating.RatingChain;
import gambit.chess.rules.Move;
import gambit.chess.rules.Position;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.model.Tags;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * A program that writes a chain of many rated records with their heads, to measure {@code gambit
 * ratings verify}: games of some 60 plies with clocks, between 20,000 players, 50 s apart. Its
 * arguments are the file and the number of records.
 */
final class LargeChain {
  private static final int PLAYERS = 20_000;
  private static final int GAMES = 200;
  private static final int PLIES = 60;
  private static final List<String> CONTROLS = List.of("60", "180+2", "300", "600+5", "1800+20");
  private static final String DATE = "2000.01.01";
  private static final String TIME = "00:00:00";

  /** A game that is played again and again, with the names of its players to be replaced. */
  private record Model(GameRef game, FinishedGame over, Event record, Category category) {}

  private LargeChain() {}

  public static void main(String[] arguments) throws IOException {
    Random random = new Random(1);
    List<PubKey> players = new ArrayList<>();
    for (int i = 0; i < PLAYERS; i++) {
      players.add(PubKey.ofHex(RatedGame.id(random)));
    }
    List<PubKey> names =
        List.of(PubKey.ofHex(RatedGame.id(random)), PubKey.ofHex(RatedGame.id(random)));
    List<Model> models = new ArrayList<>();
    for (int i = 0; i < GAMES; i++) {
      models.add(model(names, CONTROLS.get(i % CONTROLS.size()), random));
    }
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(Path.of(arguments[0])), 1 << 20)) {
      write(out, Integer.parseInt(arguments[1]), players, models, random);
    }
  }

  private static void write(
      OutputStream out, int records, List<PubKey> players, List<Model> models, Random random)
      throws IOException {
    Rating[] ratings = new Rating[PLAYERS * Category.values().length];
    Arrays.fill(ratings, Rating.INITIAL);
    RatingChain chain = RatingChain.START;
    long headTime = 0;
    for (int i = 0; i < records; i++) {
      Model model = models.get(random.nextInt(models.size()));
      int white = random.nextInt(PLAYERS / 2) * 2;
      int black = random.nextInt(PLAYERS / 2) * 2 + 1;
      int category = model.category().ordinal() * PLAYERS;
      long time = SignedChain.START + 50L * i;
      RatingChain.Link link =
          chain.next(
              model.category(),
              players.get(white),
              players.get(black),
              new RatingChain.Pair(ratings[category + white], ratings[category + black]),
              model.over().result(),
              time);
      Event record = record(model, players.get(white), players.get(black), link, time, random);
      line(out, record);
      ratings[category + white] = link.after().white();
      ratings[category + black] = link.after().black();
      chain = link.with(record.id());
      if (i == 0 || chain.length() % 100 == 0 || time - headTime >= 86_400) {
        line(out, SignedChain.REFEREE.head(chain, time * 1000));
        headTime = time;
      }
    }
  }

  private static void line(OutputStream out, Event event) throws IOException {
    out.write(event.json());
    out.write('\n');
  }

  private static Event record(
      Model model, PubKey white, PubKey black, RatingChain.Link link, long time, Random random) {
    String game = RatedGame.id(random);
    String oldWhite = model.game().white().player().hex();
    String oldBlack = model.game().black().player().hex();
    String whiteName = Nip19.npub(white);
    String blackName = Nip19.npub(black);
    String oldWhiteName = Nip19.npub(model.game().white().player());
    String oldBlackName = Nip19.npub(model.game().black().player());
    List<List<String>> tags = new ArrayList<>();
    for (List<String> tag : model.record().tags().list()) {
      String value = tag.get(1);
      tags.add(
          switch (tag.get(0)) {
            case "e" -> List.of("e", game, "", "root");
            case "p" ->
                List.of("p", (value.equals(oldWhite) ? white : black).hex(), "", tag.get(3));
            case "alt" ->
                List.of(
                    "alt", value.replace(oldWhiteName, whiteName).replace(oldBlackName, blackName));
            default -> tag;
          });
    }
    tags.addAll(link.tags());
    Instant start = Instant.ofEpochSecond(time - 7200);
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern("uuuu.MM.dd HH:mm:ss").withZone(ZoneOffset.UTC);
    String[] date = format.format(start).split(" ");
    String pgn =
        model
            .record()
            .content()
            .replace(oldWhiteName, whiteName)
            .replace(oldBlackName, blackName)
            .replace(DATE, date[0])
            .replace(TIME, date[1]);
    return SignedChain.RELAY.sign(time, 64, new Tags(tags), pgn);
  }

  private static Model model(List<PubKey> players, String control, Random random) {
    TimeControl time = TimeControl.parse(control).orElseThrow();
    long start = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();
    OngoingGame game = OngoingGame.start(Position.initial(), time, 30_000, 0, start);
    List<String> plies = new ArrayList<>();
    int most = PLIES / 2 + random.nextInt(PLIES);
    while (plies.size() < most) {
      List<Move> moves = game.position().legalMoves();
      Move move = moves.get(random.nextInt(moves.size()));
      Command play = new Command.Play(game.turn(), move, false);
      if (!(((Step) Referee.decide(game, play, start + plies.size() * 100L)).next()
          instanceof OngoingGame next)) {
        break;
      }
      game = next;
      plies.add(RatedGame.id(random));
    }
    boolean isTimeout = random.nextInt(3) == 0;
    boolean isWhiteToMove = game.turn() == Side.WHITE;
    Result winner = isWhiteToMove ? Result.BLACK_WINS : Result.WHITE_WINS;
    Termination termination = isTimeout ? Termination.TIMEOUT : Termination.RESIGNATION;
    if (isTimeout && !game.position().canMate(game.turn().opponent())) {
      winner = Result.DRAW;
    }
    FinishedGame over = new FinishedGame(game, winner, termination, game.changedAt());
    RefereeEvents referee = SignedChain.REFEREE;
    Category category = Category.of(time).orElseThrow();
    GameRef ref =
        new GameRef(
            new EventId(new byte[32]),
            new Seat(players.get(0), new Nip100(referee)),
            new Seat(players.get(1), new Nip100(referee)),
            false,
            new RatedStart(
                category, new RatedStart.Strength(1500, 90), new RatedStart.Strength(1500, 90)));
    List<List<String>> evidence =
        isTimeout ? List.of() : List.of(List.of("ending", RatedGame.id(random)));
    return new Model(
        ref, over, referee.record(ref, over, plies, evidence).sign(List.of()), category);
  }
}
