package gambit.chess.machines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import gambit.chess.dialect.Dialect;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.Nip100;
import gambit.chess.dialect.RefereeEvents;
import gambit.chess.dialect.Request;
import gambit.chess.game.Result;
import gambit.chess.game.Termination;
import gambit.core.crypto.Signer;
import gambit.core.model.Kind;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Words, kinds, results and terminations in the schemas are those of the code. */
class SchemaWordsTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final RefereeEvents RELAY =
      new RefereeEvents(Keys.of("relay"), "wss://gambit.example/");

  /** The kind of a record (NIP-64). */
  private static final int RECORD = 64;

  @Test
  void terminationsAreThoseOfTheReferee() {
    assertThat(values("common", "/$defs/termination/enum"))
        .containsExactlyElementsOf(Stream.of(Termination.values()).map(Termination::word).toList());
  }

  @Test
  void resultsAreThoseOfTheReferee() {
    assertThat(values("common", "/$defs/result/enum"))
        .containsExactlyInAnyOrderElementsOf(Stream.of(Result.values()).map(Result::text).toList());
  }

  @Test
  void kindsAreThoseOfTheRefereeAndOfLogins() {
    Set<Integer> kinds =
        Schemas.ofEvents().stream()
            .map(name -> Integer.parseInt(name.replaceFirst("-.*", "")))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(kinds)
        .containsExactlyInAnyOrder(
            Kind.GENERIC_REPOST,
            RECORD,
            Nip100.LOBBY,
            Nip100.MOVE,
            Nip100.DRAW,
            Nip100.RESIGN,
            Ephemeral.PLAY,
            Ephemeral.ANSWER,
            Ephemeral.STATE,
            Ephemeral.MOVE,
            Ephemeral.ERROR,
            RefereeEvents.LOBBY_KIND,
            RefereeEvents.PRESENCE_KIND,
            RefereeEvents.LEADERBOARD_KIND,
            RefereeEvents.PLAYER_KIND,
            RefereeEvents.HEAD_KIND,
            RefereeEvents.LOTS_KIND,
            Kind.CLIENT_AUTH);
  }

  @Test
  void theKindInASchemasNameIsTheOneThatItDemands() {
    for (String name : Schemas.ofEvents()) {
      List<JsonNode> demanded = new ArrayList<>();
      Schemas.read(name).findValues("kind").forEach(kind -> demanded.add(kind.path("const")));
      assertThat(demanded)
          .as(name)
          .isNotEmpty()
          .allMatch(kind -> name.startsWith(kind.asInt() + "-"));
    }
  }

  /** The reader refuses an unknown word with a list of all words of its kind. */
  @Test
  void wordsOfNip100AreThoseThatItsReaderNames() {
    Dialect reader = new Nip100(RELAY);
    assertThat(wordsOfKind(Nip100.LOBBY)).isEqualTo(wordsNamed(reader, Nip100.LOBBY, "unknown"));
    assertThat(wordsOfKind(Nip100.DRAW)).isEqualTo(wordsNamed(reader, Nip100.DRAW, "unknown"));
    assertThat(wordsOfKind(Nip100.RESIGN)).isEqualTo(wordsNamed(reader, Nip100.RESIGN, "unknown"));
  }

  @Test
  void wordsOfTheEphemeralDialectAreThoseThatItsReaderNames() {
    Dialect reader = new Ephemeral(RELAY);
    List<String> words = values("20303-command", "/properties/content/anyOf/0/enum");
    assertThat(new TreeSet<>(words)).isEqualTo(wordsNamed(reader, Ephemeral.MOVE, "unknown"));
  }

  private static Set<String> wordsOfKind(int kind) {
    Set<String> words = new TreeSet<>();
    for (String name : Schemas.ofEvents()) {
      JsonNode content = Schemas.read(name).at("/properties/content");
      if (name.startsWith(kind + "-") && !Schemas.isOfReferee(name)) {
        if (content.has("const")) {
          words.add(content.get("const").asText());
        }
        content.path("enum").forEach(word -> words.add(word.asText()));
      }
    }
    return words;
  }

  private static Set<String> wordsNamed(Dialect reader, int kind, String content) {
    Request read = reader.read(ALICE.sign(1, kind, Tags.NONE, content)).request();
    assertThat(read).isInstanceOf(Request.Malformed.class);
    String fault = ((Request.Malformed) read).fault().text();
    String words = fault.replaceFirst("^.*not (one of )?", "");
    return new TreeSet<>(Arrays.asList(words.split(", ")));
  }

  private static List<String> values(String schema, String pointer) {
    List<String> values = new ArrayList<>();
    Schemas.read(schema).at(pointer).forEach(value -> values.add(value.asText()));
    return values;
  }
}
