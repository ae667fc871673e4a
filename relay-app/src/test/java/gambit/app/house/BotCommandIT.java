package gambit.app.house;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import gambit.app.GambitProcess;
import gambit.app.LocalRelay;
import gambit.app.tool.bot.TestUciEngine;
import gambit.app.tool.client.GameCommands.Act;
import gambit.core.model.PubKey;
import gambit.core.testkit.ThoroughOnly;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gambit bot}, and a person who invites it. */
@ThoroughOnly
class BotCommandIT {
  @TempDir Path directory;

  private GambitProcess bot(LocalRelay relay, String... more) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "bot",
                "--relay",
                relay.uri().toString(),
                "--key",
                directory.resolve("bot.key").toString()));
    arguments.addAll(List.of(more));
    return GambitProcess.runWith(GambitProcess.quick(), arguments.toArray(String[]::new));
  }

  /** Waits until the bot is connected; returns its key. */
  private static PubKey awaitReady(GambitProcess bot) {
    Matcher key = Pattern.compile("\\(([0-9a-f]{64})\\)").matcher(bot.firstLine());
    assertThat(key.find()).isTrue();
    String line = bot.firstLine();
    while (!line.startsWith("connected")) {
      assertThat(line).startsWith("game "); // a game that it resumes
      line = bot.firstLine();
    }
    return PubKey.ofHex(key.group(1));
  }

  @Test
  void aBotPlaysOneGameAtATimeOnAnOrdinaryRelayAndResumesItAfterASignal() throws Exception {
    try (LocalRelay relay = new LocalRelay(directory.resolve("data"), 0);
        EnginePlayer first = new EnginePlayer(relay.uri(), 8);
        EnginePlayer second = new EnginePlayer(relay.uri(), 2)) {
      PubKey key;
      String engine = String.join(" ", TestUciEngine.command(TestUciEngine.Behaviour.CORRECT));
      try (GambitProcess bot = bot(relay, "--engine", engine)) {
        key = awaitReady(bot);
        first.invite(key, 1, "300+3").awaitMoves(3);
        second.invite(key, 1, "300+3");
        bot.terminate();
        assertThat(bot.exitStatus()).isZero();
        assertThat(bot.output()).contains("its running games go on", first.game().id().hex());
      }
      try (GambitProcess bot = bot(relay, "--level", "1")) {
        assertThat(awaitReady(bot)).isEqualTo(key);
        first.awaitMoves(8);
        first.client().act(first.game(), Act.RESIGN);
        second.awaitMoves(2);
        second.client().act(second.game(), Act.RESIGN);
        second.awaitEnd();
        await().until(() -> bot.outputSoFar().split("ended  ", -1).length == 3);
        bot.terminate();
        assertThat(bot.exitStatus()).isZero();
        assertThat(bot.output()).contains("it has no running game");
      }
    }
  }
}
