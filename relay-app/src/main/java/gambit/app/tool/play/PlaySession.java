package gambit.app.tool.play;

import gambit.app.common.SafeText;
import gambit.app.tool.client.GameView;
import gambit.app.tool.client.PlayerClient;
import gambit.app.tool.client.PlayerClient.InviteOptions;
import gambit.app.tool.client.PlayerListener;
import gambit.app.tool.client.ReceivedInvite;
import gambit.app.tool.client.RelayInfo;
import gambit.app.tool.play.GamePainter.Palette;
import gambit.chess.game.TimeControl;
import gambit.chess.rules.Side;
import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.PubKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One run of {@code gambit play}: it shows the current game and the news of the client. Owned by
 * the client's thread, to which the thread that reads lines hands tasks. A terminal that takes no
 * more text, or in which the user chooses a completion, holds the client up meanwhile.
 */
final class PlaySession implements PlayerListener {
  private static final Logger LOG = LoggerFactory.getLogger(PlaySession.class);

  private static final Duration TICK = Duration.ofMillis(100);
  private static final String IDLE = "Type search to find an opponent, or quit.";

  private final PlayOptions options;
  private final Screen screen;
  private final GamePainter painter;
  private @Nullable PlayerClient client;
  private @Nullable RelayInfo relay;

  /** The player's running games, in the order in which they became known. */
  private final Map<EventId, GameView> own = new LinkedHashMap<>();

  /** The game that is shown; any thread reads it. */
  private final AtomicReference<@Nullable GameView> shown;

  private final InviteDialogue invites = new InviteDialogue(this);
  private boolean ticks;
  private boolean hasDrawingFailed;
  private boolean isFlipped;
  private boolean isStarted;
  private boolean isConnected;
  private String doing = "Connecting.";

  PlaySession(
      PlayOptions options,
      Screen screen,
      Palette palette,
      AtomicReference<@Nullable GameView> shown) {
    this.options = options;
    this.screen = screen;
    this.painter = new GamePainter(palette);
    this.shown = shown;
  }

  /** Connects; the result fails if the first attempt does. Ticking draws the clocks. */
  CompletableFuture<RelayInfo> start(PlayerClient player, boolean isTicking) {
    client = player;
    ticks = isTicking;
    if (isTicking) {
      player.later(TICK, this::tick);
    }
    return player.connect();
  }

  private void tick() {
    draw();
    client().later(TICK, this::tick);
  }

  /** Runs a task on the client's thread; the result fails if the task does. */
  <T> CompletableFuture<T> call(Supplier<T> task) {
    return CompletableFuture.supplyAsync(task, run -> client().later(Duration.ZERO, run));
  }

  // ---- state

  PlayerClient client() {
    if (client == null) {
      throw new IllegalStateException("the session has not started");
    }
    return client;
  }

  @Nullable GameView game() {
    return shown.get();
  }

  boolean isPlaying() {
    GameView current = game();
    return current != null && current.isRunning() && current.terms().ours() != null;
  }

  boolean isPlayingLive() {
    return own.values().stream().anyMatch(game -> !game.terms().time().isSlow());
  }

  /** Shows the next of the player's games after the shown one: first those with the turn. */
  void showNext() {
    List<GameView> others = new ArrayList<>(own.values());
    GameView current = game();
    if (current != null && own.containsKey(current.id())) {
      Collections.rotate(others, -1 - List.copyOf(own.keySet()).indexOf(current.id()));
      others.removeIf(this::isShown);
    }
    others.stream()
        .filter(GameView::isOurTurn)
        .findFirst()
        .or(() -> others.stream().findFirst())
        .ifPresentOrElse(this::show, () -> say("You have no other game."));
  }

  /** The time in which a player who has left may return, as in "within 60 seconds". */
  String gracePeriod() {
    long seconds = relay == null ? 0 : relay.abandonGrace();
    return Wording.within(seconds);
  }

  boolean answerInvite(boolean accept) {
    return invites.answer(accept);
  }

  void flip() {
    isFlipped = !isFlipped;
    draw();
  }

  /** Shows a message. Text of the network in it must have been made printable. */
  void say(String text) {
    screen.message(text);
    draw();
  }

  void doing(String text) {
    doing = text;
    draw();
  }

  /** Draws the picture. A failure is logged once: it must not end the game or the ticking. */
  void draw() {
    try {
      drawPicture();
    } catch (RuntimeException e) {
      if (!hasDrawingFailed) {
        hasDrawingFailed = true;
        LOG.error("The picture cannot be drawn", e);
      }
    }
  }

  private void drawPicture() {
    GameView current = game();
    List<AttributedString> lines = new ArrayList<>();
    if (current != null) {
      Side ours = current.terms().ours();
      Side bottom = ours == null ? Side.WHITE : ours;
      lines.addAll(
          painter.draw(
              current,
              isFlipped ? bottom.opponent() : bottom,
              screen.columns(),
              ticks || current.clocks() == null
                  ? System.currentTimeMillis()
                  : current.clocks().at()));
      lines.add(new AttributedString(GamePainter.status(current) + lost()));
    } else {
      lines.add(new AttributedString(doing + lost()));
    }
    screen.show(lines);
  }

  private String lost() {
    return isConnected || !isStarted ? "" : " (Not connected.)";
  }

  // ---- the first action

  private void begin(RelayInfo found) {
    PlayOptions.InviteLink accepted = options.accepted();
    PubKey invited = options.invited();
    Integer level = options.botLevel();
    EventId watched = options.watched();
    PubKey house = found.house();
    boolean isSearch = level == null && invited == null && accepted == null;
    if (isPlayingLive() || (isPlaying() && isSearch && watched == null)) {
      say("Your running game is resumed.");
    } else if (watched != null) {
      doing("Looking for the game.");
      act(client().follow(watched).thenAccept(this::show));
    } else if (accepted != null) {
      doing("Accepting the invite.");
      act(client().accept(accepted.invite(), accepted.secret()));
    } else if (invited != null) {
      invite(invited, 0);
    } else if (level == null) {
      search();
    } else if (house == null) {
      doing("This relay has no house player. " + IDLE);
    } else {
      invite(house, level);
    }
  }

  void search() {
    TimeControl time = options.time();
    String text = time == null && relay != null ? relay.defaultTime() : "";
    String shown = time == null ? SafeText.of(text) : Wording.time(time);
    doing("Searching for an opponent (" + shown + ").");
    act(client().search(time));
  }

  private void invite(PubKey player, int level) {
    String name = Wording.player(player);
    doing("Inviting " + name + ".");
    act(
        client()
            .invite(new InviteOptions(player, options.time(), options.side(), level))
            .thenAccept(
                id -> {
                  if (game() == null) {
                    doing("Waiting for " + name + " to accept your invite.");
                  }
                }));
  }

  private void act(CompletableFuture<?> answer) {
    report(
        answer.whenComplete(
            (ok, failure) -> {
              if (failure != null) {
                doing(IDLE);
              }
            }));
  }

  void report(CompletableFuture<?> answer) {
    answer.whenComplete(
        (ok, failure) -> {
          if (failure != null) {
            Throwable cause = failure.getCause() == null ? failure : failure.getCause();
            say("Refused: " + SafeText.of(String.valueOf(cause.getMessage())));
          }
        });
  }

  void show(GameView view) {
    shown.set(view);
    draw();
  }

  // ---- news of the client

  @Override
  public void connected(RelayInfo found) {
    relay = found;
    isConnected = true;
    if (!isStarted) {
      isStarted = true;
      begin(found);
    } else {
      say("Connected again.");
    }
  }

  @Override
  public void disconnected(String reason, Duration delay) {
    if (isConnected) {
      isConnected = false;
      say(SafeText.of(reason) + " Connecting again.");
    }
  }

  @Override
  public void gameBegan(GameView began) {
    GameView before = game();
    boolean isSlow = began.terms().time().isSlow();
    boolean isOther = before != null && own.containsKey(before.id()) && isSlow;
    own.put(began.id(), began);
    if (isSlow) {
      invites.askAboutNext();
    } else {
      invites.clear();
    }
    if (isOther) {
      say("Another game of yours runs. Type next to see it.");
      return;
    }
    show(began);
    Side ours = began.terms().ours();
    if (isStarted && ours != null) {
      say(
          "You play %s against %s, %s. Others can watch it with gambit play --watch %s"
              .formatted(
                  Wording.name(ours),
                  Wording.player(began.terms().player(ours.opponent())),
                  Wording.time(began.terms().time()),
                  began.id()));
    }
  }

  private boolean isShown(GameView view) {
    GameView current = game();
    return current != null && current.id().equals(view.id());
  }

  @Override
  public void gameChanged(GameView changed) {
    own.replace(changed.id(), changed);
    if (isShown(changed)) {
      show(changed);
    }
  }

  @Override
  public void gameEnded(GameView ended) {
    own.remove(ended.id());
    if (isShown(ended)) {
      show(ended);
      say(
          ended.terms().ours() == null
              ? "The game is over."
              : "The game is over. Type rematch, search or quit.");
    }
  }

  @Override
  public void invited(ReceivedInvite invite) {
    invites.received(invite);
  }

  @Override
  public void inviteRejected(Event rejection) {
    doing(Wording.player(rejection.pubkey()) + " has declined. Type search or quit.");
  }

  @Override
  public void inviteExpired(Event notification) {
    doing("Your invite has expired. Type search or quit.");
  }

  @Override
  public void commented(GameView about, Event comment) {
    if (isShown(about)) {
      say(Wording.player(comment.pubkey()) + " says: " + SafeText.of(comment.content()));
    }
  }

  @Override
  public void noticed(String text) {
    say("The relay says: " + SafeText.of(text));
  }

  /**
   * What the user wants to do first: one of the first four, or to search for an opponent. Level 0
   * is the house player's default, a null time the relay's, and a null side a random one.
   * Immutable.
   */
  record PlayOptions(
      @Nullable Integer botLevel,
      @Nullable PubKey invited,
      @Nullable InviteLink accepted,
      @Nullable EventId watched,
      @Nullable TimeControl time,
      @Nullable Side side) {

    /** The id of an invite, or the page's link with the secret of an unlisted one. Immutable. */
    record InviteLink(EventId invite, String secret) {
      private static final Pattern FORM =
          Pattern.compile("(?:.*#/challenge/)?([0-9a-f]{64})(?:/([!-~]{1,64}))?");

      static Optional<InviteLink> parse(String text) {
        Matcher link = FORM.matcher(text);
        if (!link.matches()) {
          return Optional.empty();
        }
        String secret = link.group(2);
        return Optional.of(
            new InviteLink(EventId.ofHex(link.group(1)), secret == null ? "" : secret));
      }
    }
  }
}
