package gambit.app.tool.play;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.CommandResult;
import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.app.Tmux;
import gambit.app.tool.client.KeyFile;
import gambit.core.model.Nip19;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit play} of the packaged jar in real terminals, used as a person would. */
@ThoroughOnly
class PlayCommandIT {
  private static final Pattern GAME = Pattern.compile("--watch\\s+([0-9a-f]{64})");

  @TempDir private Path directory;

  @Test
  void aGameIsTypedToMateWatchedAndSurvivesResizingAndCtrlC() throws Exception {
    Assumptions.assumeTrue(Tmux.isInstalled(), "tmux is not installed");
    try (LocalRelay relay = relay();
        Tmux tmux = new Tmux()) {
      Path bobsKey = directory.resolve("bob.key");
      String bobsNpub = Nip19.npub(KeyFile.create(bobsKey).pubkey());
      Tmux.Terminal bob =
          tmux.open("bob", 100, 30, play(relay, Map.of(), "--time", "77", "--key", "" + bobsKey));
      bob.await("Searching for an opponent (77).");
      Tmux.Terminal alice =
          tmux.open(
              "alice",
              100,
              30,
              play(
                  relay,
                  guest("alice"),
                  "--invite",
                  bobsNpub,
                  "--color",
                  "white",
                  "--time",
                  "300+3"));
      alice.await("A key was made for you:", "Waiting for npub1");
      bob.await("invites you to a game, 300+3: accept or decline.").enter("accept");
      alice.await("Your move.", "You play White against npub1", "5:00");
      bob.await("Your opponent is to move.", "You play Black");
      assertThat(alice.text()).contains("8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜");
      assertThat(bob.text()).contains("1  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜");
      assertThat(alice.styledText()).contains("\u001b[");

      Tmux.Terminal carol =
          tmux.open(
              "carol",
              90,
              24,
              play(
                  relay,
                  Map.of("NO_COLOR", "1", "XDG_CONFIG_HOME", "" + directory.resolve("carol")),
                  "--ascii",
                  "--watch",
                  gameId(alice)));
      carol.await("White is to move.", "8  r  n  b  q  k  b  n  r");
      alice.await("1 spectator");

      alice.type("f").press("Tab").await("f2f3", "f2f4").enter("3");
      bob.await("Your move.", "1. f3");
      carol.await("2  P  P  P  P  P [.] P  P", "3  .  .  .  .  . [P] .  .");

      bob.resize(50, 18).await("Your move.", "You (Black)").enter("e5");
      alice.await("Your move.", "1. f3      e5");
      bob.resize(30, 8).await("Your opponent is to move.");
      bob.resize(120, 35).await("1. f3      e5", "8  ♜  ♞  ♝  ♚  ♛  ♝  ♞  ♜");

      alice.press("C-c").await("To leave, type quit again");
      alice.enter("e2e5").await("e2e5 is no legal move");
      alice.enter("resign").await("To resign the game, type resign again.");
      alice.enter("g4");
      bob.await("Your move.", "2. g4").enter("Qh4");

      alice.await("You lose by checkmate (0-1).");
      bob.await("You win by checkmate (0-1).", "Qh4#");
      carol.await("Black wins by checkmate (0-1).", "Qh4#");
      assertThat(carol.styledText()).doesNotContain("\u001b[3", "\u001b[4", "\u001b[1m");

      bob.enter("rematch").await("You ask for a rematch.");
      alice.await("asks for a rematch").enter("accept").await("You play Black");
      bob.await("You play White", "Your move.").enter("abort");
      alice.await("The game was aborted");
      List.of(alice, bob, carol).forEach(each -> each.enter("quit").awaitEnd());
    }
  }

  @Test
  void aPlayerWhoQuitsDuringAGameResumesItWithTheSameKey() throws Exception {
    Assumptions.assumeTrue(Tmux.isInstalled(), "tmux is not installed");
    try (LocalRelay relay = relay();
        Tmux tmux = new Tmux()) {
      Tmux.Terminal dave = tmux.open("dave", 100, 30, play(relay, guest("dave")));
      Tmux.Terminal erin = tmux.open("erin", 100, 30, play(relay, guest("erin")));
      dave.await("You play ");
      erin.await("You play ");
      boolean isDaveWhite = dave.text().contains("You play White");
      Tmux.Terminal white = isDaveWhite ? dave : erin;
      Tmux.Terminal black = isDaveWhite ? erin : dave;
      white.enter("e4");
      black.await("Your move.").enter("e5");
      white.await("1. e4      e5").enter("quit").await("type quit again").enter("quit").awaitEnd();
      Tmux.Terminal again =
          tmux.open("again", 100, 30, play(relay, guest(isDaveWhite ? "dave" : "erin")));
      again.await("Your running game is resumed.", "1. e4      e5").enter("Nf3");
      black.await("2. Nf3");
    }
  }

  @Test
  void anUnusableRelayOrKeyIsReportedInASentence() throws Exception {
    CommandResult noRelay =
        CommandResult.of("play", "ws://localhost:1", "--key", "" + directory.resolve("made.key"));
    assertThat(noRelay.status()).isEqualTo(1);
    assertThat(noRelay.errors())
        .contains("Cannot connect to ws://localhost:1: is the relay running there?");
    CommandResult noKey = CommandResult.of("play", "--key", "" + directory);
    assertThat(noKey.status()).isEqualTo(1);
    assertThat(noKey.errors()).contains(directory + " is not a file.");
    CommandResult usage = CommandResult.of("play", "--time", "5m");
    assertThat(usage.status()).isEqualTo(2);
    assertThat(usage.errors())
        .startsWith("--time 5m: expected a time control such as 300+3, 1/600 or -.");
  }

  /** A relay on which a first move may wait until another program has started. */
  private LocalRelay relay() {
    return new LocalRelay(directory.resolve("data"), 0, "chess.first_move_limit=600s");
  }

  private Map<String, String> guest(String name) {
    return Map.of("XDG_CONFIG_HOME", "" + directory.resolve(name));
  }

  private static List<String> play(
      LocalRelay relay, Map<String, String> environment, String... options) {
    List<String> command = new ArrayList<>(List.of("env", "LC_ALL=C.UTF-8"));
    environment.forEach((name, value) -> command.add(name + "=" + value));
    command.addAll(GambitProcess.command(GambitProcess.quick(), "play", "" + relay.uri()));
    command.addAll(List.of(options));
    return command;
  }

  private static String gameId(Tmux.Terminal terminal) {
    Matcher game = GAME.matcher(terminal.text());
    assertThat(game.find()).as(terminal.text()).isTrue();
    return game.group(1);
  }
}
