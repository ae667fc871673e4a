package gambit.app.tool.play;

import gambit.app.common.CommandFailure;
import gambit.app.common.ConsoleCommand;
import gambit.app.common.ErrorMessages;
import gambit.app.common.SafeText;
import gambit.app.tool.client.EventTags;
import gambit.app.tool.client.GameCommands.Act;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.KeyFile;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.RelayPlace;
import gambit.app.tool.play.GamePainter.Palette;
import gambit.app.tool.play.PlaySession.PlayOptions;
import gambit.app.tool.play.PlaySession.PlayOptions.InviteLink;
import gambit.app.tool.play.PlayerInput.TypedMove;
import gambit.app.tool.play.PlayerInput.Word;
import gambit.app.tool.play.Screen.FullScreen;
import gambit.app.tool.play.Screen.LineScreen;
import gambit.chess.game.Proposal;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Move;
import gambit.core.crypto.Signer;
import gambit.core.model.Nip19;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code gambit play}: plays or watches games in the terminal. */
@Command(
    name = "play",
    description = "Plays a game in the terminal; without an option, searches for an opponent.",
    exitCodeList = {"0:left by the user", "1:the relay or the key is unusable"},
    footer = {
      "  gambit play --bot 3                             against the computer of the local relay",
      "  gambit play wss://relay.example.com --time 300+3",
      "  gambit play --watch 0123...cdef"
    })
public final class PlayCommand extends ConsoleCommand {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "URL",
      defaultValue = "ws://localhost:7447",
      description = "The relay (default: ${DEFAULT-VALUE}).")
  private URI url = URI.create("");

  private static final class Opponent {
    @Option(
        names = "--bot",
        arity = "0..1",
        fallbackValue = "0",
        paramLabel = "LEVEL",
        description = "Plays against the relay's house player, at a level from 1.")
    private @Nullable String bot;

    @Option(names = "--invite", paramLabel = "NPUB", description = "Invites a player.")
    private @Nullable String invite;

    @Option(
        names = "--accept",
        paramLabel = "INVITE",
        description = "Accepts an invite: its id, or the link of the relay's page.")
    private @Nullable String accept;

    @Option(names = "--watch", paramLabel = "GAME", description = "Watches a game (its id).")
    private @Nullable String watch;
  }

  @ArgGroup private @Nullable Opponent opponent;

  @Option(
      names = "--time",
      paramLabel = "TIME",
      description = "Seconds for the game and per move, such as 300+3; 1/600 for each move; or -.")
  private @Nullable String time;

  @Option(
      names = "--color",
      paramLabel = "COLOR",
      description = "Your side in an invite: white, black or random.")
  private String color = "random";

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "File of your secret key (nsec or hex); without it, a guest key is kept.")
  private @Nullable Path key;

  @Option(names = "--ascii", description = "Draws the board with letters.")
  private boolean ascii;

  @Override
  protected int run() throws InterruptedException {
    PlayOptions options = options();
    try {
      Path file = key == null ? KeyFile.ofGuest(System.getenv()) : key.toAbsolutePath();
      Optional<Signer> known = KeyFile.read(file);
      Signer signer = known.isPresent() ? known.get() : KeyFile.create(file);
      String news =
          known.isPresent()
              ? ""
              : "A key was made for you: " + file + ". Who has this file can play as you: keep it.";
      return play(options, signer, news);
    } catch (CommandFailure e) {
      return failed(1, (key == null ? "" : "--key: ") + e.getMessage());
    } catch (IOException e) {
      return failed(1, "The terminal cannot be used: " + ErrorMessages.of(e) + ".");
    }
  }

  private int play(PlayOptions options, Signer signer, String news)
      throws IOException, InterruptedException {
    AtomicReference<@Nullable GameView> shown = new AtomicReference<>();
    try (Terminal terminal =
        TerminalBuilder.builder()
            .system(true)
            .dumb(true)
            .signalHandler(Terminal.SignalHandler.SIG_IGN)
            .build()) {
      boolean isDumb = terminal.getType().startsWith(Terminal.TYPE_DUMB);
      Completer completer =
          (reader, line, candidates) -> {
            if (line.wordIndex() == 0) {
              PlayerInput.firstWords(shown.get())
                  .forEach(word -> candidates.add(new Candidate(word)));
            }
          };
      Screen screen =
          isDumb ? new LineScreen(terminal, completer) : new FullScreen(terminal, completer);
      Palette palette = Palette.of(terminal, ascii, System.getenv().getOrDefault("NO_COLOR", ""));
      PlaySession session = new PlaySession(options, screen, palette, shown);
      try (screen;
          PlayerClient client = new PlayerClient(url, signer, session)) {
        session.say("You are " + Nip19.npub(signer.pubkey()) + ". " + news);
        session.start(client, !isDumb).get();
        readLines(screen, session);
        return 0;
      }
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return failed(1, SafeText.of(String.valueOf(cause.getMessage())));
    }
  }

  private static void readLines(Screen screen, PlaySession session)
      throws InterruptedException, ExecutionException {
    InputHandler handler = new InputHandler(session);
    boolean isOver = false;
    while (!isOver) {
      CompletableFuture<Boolean> handled;
      try {
        String line = screen.readLine();
        handled = session.call(() -> handler.handle(line));
      } catch (UserInterruptException | EndOfFileException e) {
        handled = session.call(handler::interrupt);
      }
      isOver = handled.get();
    }
  }

  // ---- options

  private PlayOptions options() {
    Opponent chosen = opponent == null ? new Opponent() : opponent;
    if (chosen.bot != null && chosen.bot.contains("://")) {
      url = URI.create(chosen.bot); // gambit play --bot URL, where picocli takes the URL as a level
      chosen.bot = "0";
    }
    if (!RelayPlace.isRelayUrl(url)) {
      throw wrong("URL", url.toString(), "a ws:// or wss:// URL");
    }
    TimeControl control =
        read("--time", time, TimeControl::parse, "a time control such as 300+3, 1/600 or -");
    return new PlayOptions(
        read("--bot", chosen.bot, PlayCommand::level, "the number of a level"),
        read("--invite", chosen.invite, Nip19::keyOrHex, "a player's npub"),
        read(
            "--accept",
            chosen.accept,
            InviteLink::parse,
            "an id of 64 hex digits, or a link of the page"),
        read("--watch", chosen.watch, EventTags::id, "an id of 64 hex digits"),
        control,
        read(
            "--color",
            color.equals("random") ? null : color,
            text -> Optional.ofNullable(EventTags.side(text)),
            "white, black or random"));
  }

  private <T> @Nullable T read(
      String option, @Nullable String text, Function<String, Optional<T>> parser, String expected) {
    return text == null
        ? null
        : parser.apply(text).orElseThrow(() -> wrong(option, text, expected));
  }

  private static Optional<Integer> level(String text) {
    return text.matches("[0-9]{1,2}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  private ParameterException wrong(String option, String value, String expected) {
    String shown = value.startsWith("nsec1") ? "nsec1..." : value;
    return wrong(option + " " + shown + ": expected " + expected + ".");
  }

  /** Does what the player types. Owned by the client's thread. */
  static final class InputHandler {
    private static final int MAX_COMMENT_CHARS = 500;

    private final PlaySession session;

    /** What must be typed once more before it is done. */
    private @Nullable Word asked;

    InputHandler(PlaySession session) {
      this.session = session;
    }

    boolean handle(String line) {
      Word before = asked;
      asked = null;
      if (line.isBlank()) {
        return false;
      }
      PlayerInput input = PlayerInput.parse(line);
      if (input.word().isEmpty()) {
        move(input.text());
        return false;
      }
      Word word = input.word().get();
      if (word == Word.QUIT) {
        return quit(before == Word.QUIT);
      }
      if (!handleAlways(word, input.text())) {
        handleInGame(word, before == Word.RESIGN);
      }
      return false;
    }

    /** Ctrl-C or Ctrl-D; true if the program ends. */
    boolean interrupt() {
      return handle(Word.QUIT.text());
    }

    private boolean quit(boolean isConfirmed) {
      if (isConfirmed || !session.isPlaying()) {
        return true;
      }
      asked = Word.QUIT;
      GameView game = session.game();
      boolean isSlow = game != null && game.terms().time().isSlow();
      session.say(
          isSlow
              ? "Your game goes on without you; come back with gambit play. To leave, type quit"
                  + " again."
              : "Your game runs on: you lose it unless you come back "
                  + session.gracePeriod()
                  + " (gambit play). To leave, type quit again; to give it up, resign.");
      return false;
    }

    /** The commands that need no game of this player; false for any other. */
    private boolean handleAlways(Word word, String text) {
      switch (word) {
        case FLIP -> session.flip();
        case NEXT -> session.showNext();
        case HELP -> help();
        case SAY -> comment(text);
        case REMATCH -> rematch();
        case SEARCH -> {
          if (session.isPlayingLive()) {
            session.say("You are playing.");
          } else {
            session.search();
          }
        }
        case ACCEPT, DECLINE -> {
          GameView game = session.game();
          boolean isAsked = game != null && game.isRunning() && game.hasProposalOfOpponent();
          return !session.isPlayingLive() && !isAsked && session.answerInvite(word == Word.ACCEPT);
        }
        default -> {
          return false;
        }
      }
      return true;
    }

    private void help() {
      session.say("Type a move like Nf3 or g1f3 (Tab completes), or:");
      for (Word word : Word.values()) {
        session.say("  %-9s %s".formatted(word.text(), word.description()));
      }
    }

    private void comment(String text) {
      GameView game = session.game();
      if (game == null || text.isBlank()) {
        session.say("Say what, about which game?");
      } else {
        String comment = text.substring(0, Math.min(text.length(), MAX_COMMENT_CHARS));
        session.report(session.client().comment(game, comment));
        if (game.terms().ours() != null) { // a spectator receives the comment
          session.say("You say: " + SafeText.of(comment));
        }
      }
    }

    private void rematch() {
      GameView game = session.game();
      if (game == null || game.isRunning() || game.terms().ours() == null) {
        session.say("There is no finished game of yours.");
      } else {
        session.report(session.client().rematch(game));
        session.say("You ask for a rematch.");
      }
    }

    private void handleInGame(Word word, boolean isResignConfirmed) {
      GameView game = session.game();
      if (game == null || !session.isPlaying()) {
        session.say("You are not playing.");
        return;
      }
      switch (word) {
        case DRAW -> draw(game);
        case ACCEPT -> act(game, Act.ACCEPT);
        case DECLINE -> act(game, Act.DECLINE);
        case CLAIM -> act(game, Act.CLAIM_DRAW);
        case TAKEBACK -> act(game, Act.ASK_TAKEBACK);
        case ABORT -> act(game, Act.ABORT);
        case RESIGN -> {
          if (isResignConfirmed) {
            act(game, Act.RESIGN);
          } else {
            asked = Word.RESIGN;
            session.say("To resign the game, type resign again.");
          }
        }
        default -> throw new IllegalStateException("handled before: " + word);
      }
    }

    private void draw(GameView game) {
      Proposal proposal = game.proposal();
      boolean isOffered =
          game.hasProposalOfOpponent() && proposal != null && proposal.type() == Proposal.Type.DRAW;
      act(game, isOffered ? Act.ACCEPT : Act.OFFER_DRAW);
    }

    private void act(GameView game, Act act) {
      session.report(session.client().act(game, act));
    }

    private void move(String text) {
      GameView game = session.game();
      if (game == null || !session.isPlaying()) {
        session.say("You are not playing. Type help for the commands.");
        return;
      }
      boolean offersDraw = text.endsWith(" draw");
      String written = (offersDraw ? text.substring(0, text.length() - 5) : text).strip();
      Optional<Move> move = TypedMove.in(game.position(), written);
      if (!game.isOurTurn()) {
        session.say("It is your opponent's turn.");
      } else if (move.isEmpty()) {
        session.say(SafeText.of(written) + " is no legal move and no command (see help).");
      } else {
        session.report(session.client().move(game, move.get(), offersDraw));
      }
    }
  }
}
