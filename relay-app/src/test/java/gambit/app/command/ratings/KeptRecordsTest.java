package gambit.app.command.ratings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.app.CommandResult;
import gambit.app.LocalRelay;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.testkit.Client;
import gambit.core.testkit.Keys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Neither the relay's key nor its operator removes a link of the chain, and a backup has it. */
class KeptRecordsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final Signer BOB = Keys.of("bob");

  @TempDir Path temp;

  private int nonce;

  @Test
  void chainIsVerifiedAfterADeletionABanAndARestoredBackup() throws Exception {
    Path data = temp.resolve("data");
    String verified;
    try (LocalRelay relay = LocalRelay.withControl(data)) {
      String record;
      Path deletion;
      try (Client client = new Client(relay.uri())) {
        play(client);
        play(client);
        record = client.queryIds("{\"kinds\":[64],\"#t\":[\"rated-blitz\"]}").get(1);
        Signer key = key(data);
        List<String> named = List.of("e", record);
        deletion = Files.writeString(temp.resolve("deletion.jsonl"), "" + sign(key, 5, "", named));
      }
      verified = verify(relay);
      assertThat(verified).contains("\n2 rated games of 2 players").endsWith("Everything holds.");
      assertThat(CommandResult.of("import", "--data", "" + data, "" + deletion).status()).isZero();
      assertThat(verify(relay)).isEqualTo(verified);
      assertThat(CommandResult.of("ban", "--data", "" + data, record).errors())
          .contains("keeps this event of its own for ever");
      assertThat(verify(relay)).isEqualTo(verified);
      assertThat(
              CommandResult.of("backup", "" + temp.resolve("copy"), "--data", "" + data).errors())
          .isEmpty();
    }
    Path restored = temp.resolve("restored");
    CommandResult.of("restore", "" + temp.resolve("copy"), "--data", "" + restored);
    try (LocalRelay relay = LocalRelay.withControl(restored);
        Client client = new Client(relay.uri())) {
      assertThat(verify(relay)).isEqualTo(verified);
      play(client);
      assertThat(verify(relay)).contains("\n3 rated games of 2 players").endsWith("holds.");
    }
  }

  private static Signer key(Path data) throws IOException {
    String text = Files.readString(data.resolve("relay.key")).strip();
    return new Signer(HexFormat.of().parseHex(text));
  }

  private static String verify(LocalRelay relay) {
    return CommandResult.of("ratings", "verify", "" + relay.uri()).output();
  }

  /** A rated game of two players with one connection, which ends after a move of each. */
  private void play(Client client) {
    Event invite =
        sign(
            ALICE,
            5000,
            "invite",
            List.of("rated", "true"),
            List.of("time", "180"),
            List.of("color", "white"));
    say(client, invite);
    Event accept = sign(BOB, 5000, "accept", List.of("e", invite.id().hex()));
    client.publish(accept);
    String id = "";
    while (id.isEmpty()) {
      JsonNode event = client.nextJson().path(2);
      id = event.path("content").asText().equals("gameisfound") ? event.get("id").asText() : "";
    }
    List<String> game = List.of("e", id);
    say(client, sign(ALICE, 5001, "e2e4", game));
    say(client, sign(BOB, 5001, "e7e5", game));
    say(client, sign(BOB, 5003, "resign", game));
    client.queryIds("{\"kinds\":[1]}"); // after the last frame about the game
  }

  private static void say(Client client, Event event) {
    client.publish(event);
    JsonNode frame = client.nextJson();
    while (!frame.path(1).asText().equals(event.id().hex())) {
      frame = client.nextJson();
    }
    assertThat(frame.get(2).asBoolean()).as(frame.toString()).isTrue();
  }

  @SafeVarargs
  private final Event sign(Signer key, int kind, String content, List<String>... tags) {
    List<List<String>> all = new ArrayList<>();
    for (List<String> tag : tags) {
      all.add(tag);
    }
    all.add(List.of("nonce", "" + nonce++));
    return key.sign(System.currentTimeMillis() / 1000, kind, new Tags(all), content);
  }
}
