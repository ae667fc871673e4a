package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.app.GambitProcess;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import gambit.core.testkit.ThoroughOnly;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Search in the packaged program, switched on and off. */
class SearchIT {
  @TempDir Path data;

  private static Event publish(Client client, String content) {
    long now = System.currentTimeMillis() / 1000;
    return client.publishAccepted(Keys.of("alice").sign(now, 1, Tags.NONE, content));
  }

  @Test
  void eventsAreFoundAndAgainAfterTheProcessWasKilled() throws Exception {
    Event note;
    try (GambitProcess relay = GambitProcess.relay(data, "--set", "nips.50=true");
        Client client = new Client(relay.url())) {
      note = publish(client, "a needle in a haystack");
      assertThat(client.queryIds("{\"search\":\"needle\"}")).containsExactly(note.id().hex());
      relay.kill();
    }
    try (GambitProcess relay = GambitProcess.relay(data, "--set", "nips.50=true");
        Client client = new Client(relay.url())) {
      assertThat(client.queryIds("{\"search\":\"HAYSTACK\"}")).containsExactly(note.id().hex());
    }
  }

  @ThoroughOnly
  @Test
  void nothingIsLoadedAndNoFileIsWrittenUnlessItIsSwitchedOn() throws Exception {
    Path classes = data.resolve("classes.log");
    Path directory = data.resolve("data");
    try (GambitProcess relay =
            GambitProcess.relayWith(
                GambitProcess.quick("-Xlog:class+load:file=" + classes), directory);
        Client client = new Client(relay.url())) {
      publish(client, "a needle");
      client.send("[\"REQ\",\"s\",{\"search\":\"needle\"}]");
      assertThat(client.next())
          .isEqualTo("[\"CLOSED\",\"s\",\"unsupported: unknown filter field\"]");
      assertThat(Files.readString(classes))
          .contains("gambit.core.Relay")
          .doesNotContain("org.apache.lucene", "gambit.app.server.search.IndexFollower");
      assertThat(directory.resolve("search")).doesNotExist();
    }
  }
}
