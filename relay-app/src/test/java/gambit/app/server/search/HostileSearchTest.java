package gambit.app.server.search;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.nip.StandardNips;
import gambit.core.testkit.Client;
import gambit.core.testkit.FaultyStore;
import gambit.core.testkit.Keys;
import gambit.core.testkit.TestRelay;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Searches and texts that are meant to do harm. */
class HostileSearchTest {
  private static final Signer ALICE = Keys.of("alice");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final TextSearch.TimeLimits LIMITS =
      new TextSearch.TimeLimits(Duration.ofSeconds(5), Duration.ofMinutes(1));

  @TempDir Path index;

  private final FaultyStore store = new FaultyStore();
  private TextSearch search;
  private TestRelay relay;
  private Client client;
  private Event note;

  @BeforeEach
  void start() {
    search = new TextSearch(new SearchSettings(SearchFramesTest.KINDS), store, index, LIMITS);
    relay = new TestRelay(new StandardNips(Set.of(), true, 0), store, search);
    client = relay.connect();
    note = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "a* [b] {c} NOT d~2"));
  }

  @AfterEach
  void close() {
    client.close();
    relay.close();
    search.close();
  }

  private String answer(String text) {
    try {
      client.send("[\"REQ\",\"s\",{\"search\":" + JSON.writeValueAsString(text) + "}]");
      return client.next();
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void searchWithTenThousandWordsIsRefused() {
    String words = "word ".repeat(10_000);
    assertThat(answer(words))
        .isEqualTo("[\"CLOSED\",\"s\",\"invalid: search must have at most 1000 characters\"]");
    assertThat(answer(words.substring(0, 1000)))
        .isEqualTo("[\"CLOSED\",\"s\",\"invalid: a search must have at most 64 words\"]");
    assertThat(answer(words.substring(0, 320))).isEqualTo("[\"EOSE\",\"s\"]");
    assertThat(answer("王".repeat(65))).contains("64 words");
    assertThat(answer("王".repeat(64))).isEqualTo("[\"EOSE\",\"s\"]");
  }

  @Test
  void anyTextIsAnsweredAndTheSyntaxOfLuceneMeansNothing() {
    for (String text :
        List.of(
            "\"".repeat(999),
            "\\\"\\\\",
            "*:*",
            "text:a",
            "a* b c",
            "[a TO z]",
            "/.*/",
            "a^1000000000",
            "((((((((((",
            "\u0000\u0007\u200b\ufeff\uffff",
            "\u0301".repeat(1000),
            "x".repeat(1000),
            "🙂".repeat(32),
            "\u202e a:b:c: ::")) {
      String frame = answer(text);
      if (frame.startsWith("[\"EVENT\"")) {
        assertThat(frame).as(text).contains(note.id().hex());
        frame = client.next();
      }
      assertThat(frame).as(text).isEqualTo("[\"EOSE\",\"s\"]");
    }
    assertThat(client.queryIds("{\"search\":\"d 2\"}")).containsExactly(note.id().hex());
  }

  @Test
  void searchIsRefusedRatherThanMissesAnAcknowledgedEventWhileTheIndexIsBehind() {
    store.setHidesChanges(true);
    Event late = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "a late note"));
    assertThat(answer("late"))
        .isEqualTo("[\"CLOSED\",\"s\",\"error: the search index is behind, try again later\"]");
    store.setHidesChanges(false);
    assertThat(client.queryIds("{\"search\":\"late\"}")).containsExactly(late.id().hex());
  }

  @Test
  void phrasesThatAlmostMatchTheLongestTextDoNotStopLiveEvents() {
    String phrase = "\\\"" + "a ".repeat(63) + "b\\\"";
    for (int i = 0; i < 100; i++) {
      client.send("[\"REQ\",\"" + i + "\",{\"search\":\"" + phrase + "\",\"limit\":0}]");
      assertThat(client.next()).isEqualTo("[\"EOSE\",\"" + i + "\"]");
    }
    try (Client other = relay.connect()) {
      other.send("[\"REQ\",\"all\",{\"kinds\":[1],\"limit\":0}]").until("EOSE");
      Event longest = ALICE.sign(relay.now(), 1, Tags.NONE, "a ".repeat(16_000));
      other.publishAccepted(longest);
      assertThat(other.next()).contains(longest.id().hex());
      Event match = ALICE.sign(relay.now(), 1, Tags.NONE, "a ".repeat(100) + "b");
      other.publishAccepted(match);
      for (int i = 0; i < 100; i++) {
        assertThat(client.next()).contains(match.id().hex());
      }
      assertThat(other.next()).contains(match.id().hex());
    }
  }

  @Test
  void anyNumberIsALimitOrATime() {
    for (String condition :
        List.of(
            "\"limit\":99999999999999999999",
            "\"limit\":9223372036854775807",
            "\"since\":0,\"until\":99999999999999999999")) {
      assertThat(client.queryIds("{\"search\":\"a b c\"," + condition + "}"))
          .containsExactly(note.id().hex());
    }
    assertThat(client.queryIds("{\"search\":\"a\",\"since\":99999999999999999999}")).isEmpty();
  }

  @Test
  void everyFilterOfARequestMaySearchAndEventsAreSentOnce() {
    String filters =
        IntStream.range(0, 20)
            .mapToObj(i -> "{\"search\":\"a b c\"}")
            .collect(Collectors.joining(","));
    assertThat(client.queryIds(filters)).containsExactly(note.id().hex());
  }

  @Test
  void eventsWithAnyTextAreIndexedOrLeftOutAndTheNextOnesAreFound() {
    Random random = new Random(1);
    for (int kind : new int[] {0, 1, 64, 30_023}) {
      for (int i = 0; i < 20; i++) {
        String text =
            random
                .ints(random.nextInt(200), 0, 0x11000)
                .filter(c -> !Character.isSurrogate((char) c) || c > 0xffff)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        Tags tags = new Tags(List.of(List.of("d", "" + i), List.of("t", text), List.of("title")));
        client.publishAccepted(ALICE.sign(relay.now() + i, kind, tags, text));
      }
    }
    Tags longTag = new Tags(List.of(List.of("t", "x".repeat(40_000))));
    Event last =
        client.publishAccepted(ALICE.sign(relay.now(), 1, longTag, "y".repeat(70_000) + " z"));
    Event next = client.publishAccepted(ALICE.sign(relay.now(), 1, Tags.NONE, "findable"));
    assertThat(client.queryIds("{\"search\":\"findable\"}")).containsExactly(next.id().hex());
    assertThat(client.queryIds("{\"search\":\"" + "y".repeat(255) + "\"}"))
        .containsExactly(last.id().hex());
  }
}
