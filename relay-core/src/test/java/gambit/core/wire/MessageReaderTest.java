package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.EventId;
import gambit.core.model.Tags;
import gambit.core.testkit.Keys;
import gambit.core.wire.ClientMessage.BadEvent;
import gambit.core.wire.ClientMessage.BadSubscribe;
import gambit.core.wire.ClientMessage.Garbage;
import gambit.core.wire.ClientMessage.NotText;
import gambit.core.wire.ClientMessage.Publish;
import gambit.core.wire.ClientMessage.Subscribe;
import gambit.core.wire.ClientMessage.Unsubscribe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every input is read as a value, and an invalid one has its reason. */
class MessageReaderTest {
  private static final String ID =
      "00000000000000000000000000000000000000000000000000000000000000ab";
  private static final String KEY =
      "00000000000000000000000000000000000000000000000000000000000000cd";
  private static final String SIG = "ef".repeat(64);
  private static final int CHESS = 5000;

  private final MessageReader reader = new MessageReader(5, 3, kind -> kind == CHESS);

  static Stream<Arguments> wrongEvents() {
    return Stream.of(
        Arguments.of("{}", "missing id"),
        Arguments.of("7", "an event must be an object"),
        Arguments.of("null", "an event must be an object"),
        Arguments.of("[]", "an event must be an object"),
        Arguments.of(without("pubkey"), "missing pubkey"),
        Arguments.of(without("created_at"), "missing created_at"),
        Arguments.of(without("kind"), "missing kind"),
        Arguments.of(without("tags"), "missing tags"),
        Arguments.of(without("content"), "missing content"),
        Arguments.of(without("sig"), "missing sig"),
        Arguments.of(
            with("id", "\"" + ID.toUpperCase() + "\""), "id must be 64 lower-case hex digits"),
        Arguments.of(with("id", "\"ab\""), "id must be 64 lower-case hex digits"),
        Arguments.of(with("id", "17"), "id must be a string"),
        Arguments.of(with("pubkey", "\"" + ID + "0\""), "pubkey must be 64 lower-case hex digits"),
        Arguments.of(with("sig", "\"" + ID + "\""), "sig must be 128 lower-case hex digits"),
        Arguments.of(with("kind", "1.0"), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "1e3"), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "\"1\""), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "-1"), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "-0"), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "01"), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "null"), "kind must be a non-negative integer"),
        Arguments.of(with("kind", "65536"), "kind must be at most 65535"),
        Arguments.of(with("created_at", "1.5"), "created_at must be a non-negative integer"),
        Arguments.of(with("created_at", "9999999999999999999"), "created_at is too large"),
        Arguments.of(with("tags", "{}"), "tags must be an array"),
        Arguments.of(with("tags", "[[]]"), "a tag must not be empty"),
        Arguments.of(with("tags", "[\"e\"]"), "a tag must be an array of strings"),
        Arguments.of(with("tags", "[[\"e\",7]]"), "a tag must be an array of strings"),
        Arguments.of(with("tags", "[[\"e\",null]]"), "a tag must be an array of strings"),
        Arguments.of(with("tags", "[[\"e\",[\"x\"]]]"), "a tag must be an array of strings"),
        Arguments.of(
            with("tags", "[[\"a\"],[\"a\"],[\"a\"],[\"a\"],[\"a\"],[\"a\"]]"), "more than 5 tags"),
        Arguments.of(with("content", "null"), "content must be a string"),
        Arguments.of(with("content", "\"\\ud800\""), "lone surrogate in a string"),
        Arguments.of(with("content", "\"\\udc00\\ud800\""), "lone surrogate in a string"),
        Arguments.of(with("content", "\"\\ud800\\u0041\""), "lone surrogate in a string"),
        Arguments.of(with("content", "\"a\nb\""), "raw control character in a string"),
        Arguments.of(with("content", "\"\\x41\""), "unknown escape in a string"),
        Arguments.of(with("content", "\"\\u00g1\""), "malformed \\u escape"),
        Arguments.of(with("content", "\"\",\"content\":\"\""), "duplicate key content"),
        Arguments.of(with("content", "\"\",\"c\\u006fntent\":\"\""), "duplicate key content"),
        Arguments.of(with("content", "\"\",\"x\":[[[[[[[[[]]]]]]]]]"), "JSON nested too deep"),
        Arguments.of(with("content", "\"\",\"x\":{\"a\":1,\"a\":2}"), "duplicate key"),
        Arguments.of(with("content", "\"\",\"x\":01"), "malformed JSON"),
        Arguments.of(with("content", "\"\",\"x\":tru"), "malformed JSON"),
        Arguments.of(with("content", "\"\","), "malformed JSON"));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrongEvents")
  void invalidEventIsReadWithItsReason(String event, String reason) {
    ClientMessage message = read("[\"EVENT\"," + event + "]");
    assertThat(message).isInstanceOf(BadEvent.class);
    assertThat(((BadEvent) message).reason()).isEqualTo(Reason.invalid(reason));
  }

  @Test
  void idOfAnInvalidEventIsReadWhenPossible() {
    assertThat(idOf(without("pubkey"))).isEqualTo(ID);
    assertThat(idOf(with("kind", "\"x\""))).isEqualTo(ID);
    assertThat(idOf(with("id", "\"short\""))).isEqualTo("short");
    assertThat(idOf("{\"kind\":1,  \"id\" :\t\"" + ID + "\",")).isEqualTo(ID);
    assertThat(idOf("{\"meta\":{\"id\":\"wrong\"},\"id\":\"right\",\"kind\":1}"))
        .isEqualTo("right");
    assertThat(idOf("{\"kind\":\"\",\"id\":\"\\u0061b\"}")).isEqualTo("ab");
    assertThat(idOf("{\"content\":\"a\nb\",\"id\":\"" + ID + "\"}")).isEqualTo(ID);
    assertThat(idOf("{\"content\":broken,\"id\":\"" + ID + "\"}")).isEqualTo(ID);
    assertThat(idOf("{\"kind\":x")).isNull();
    assertThat(idOf("{\"id\":\"" + "a".repeat(129) + "\"}")).isNull();
    assertThat(idOf("{\"id\":\"\"}")).isNull();
    assertThat(idOf("{\"id\":7}")).isNull();
  }

  @Test
  void trailingBytesAreRefused() {
    String whole = "[\"EVENT\"," + with("kind", "1") + "]";
    assertThat(read(whole)).isInstanceOf(Publish.class);
    assertThat(read(whole + " \n")).isInstanceOf(Publish.class);
    assertThat(read(whole + "x")).isInstanceOf(BadEvent.class);
    assertThat(read(whole + "[]")).isInstanceOf(BadEvent.class);
    assertThat(read(whole + "é")).isInstanceOf(BadEvent.class);
    assertThat(read(whole.substring(0, whole.length() - 1) + ",1]")).isInstanceOf(BadEvent.class);
  }

  @Test
  void tagsMayBeMissingForTheKindsThatAllowIt() {
    ClientMessage message =
        read("[\"EVENT\"," + without("tags").replace("\"kind\":1", "\"kind\":5000") + "]");
    assertThat(((Publish) message).event().tags()).isEqualTo(Tags.NONE);
  }

  @Test
  void fieldsAreReadInAnyOrderAndUnknownOnesAreDropped() {
    String odd =
        " [ \"EVENT\" ,\r\n { \"sig\":\"%s\", \"x\":[1,{\"y\":null}], \"content\":\"\\u0061\\/\", \"tags\":[ [ \"e\" , \"v\" ] ],"
            + " \"kind\":1, \"created_at\":0, \"pubkey\":\"%s\", \"id\":\"%s\" } ] ";
    Event event = ((Publish) read(odd.formatted(SIG, KEY, ID))).event();
    assertThat(event)
        .hasToString(
            "{\"id\":\"%s\",\"pubkey\":\"%s\",\"created_at\":0,\"kind\":1,\"tags\":[[\"e\",\"v\"]],\"content\":\"a/\",\"sig\":\"%s\"}"
                .formatted(ID, KEY, SIG));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{}",
        "7",
        "\"EVENT\"",
        "[",
        "[]",
        "[7]",
        "[null]",
        "[[]]",
        "[\"",
        "[\"HELLO\"]",
        "[\"event\",{}]",
        "[\"REQ\"]",
        "[\"REQ\",7,{}]",
        "[\"REQ\",\"\",{}]",
        "[\"REQ\",null,{}]",
        "[\"CLOSE\"]",
        "[\"CLOSE\",1]",
        "[\"CLOSE\",\"a\",\"b\"]",
        "[\"CLOSE\",\"a\"] x",
        "[\"REQ\" \"a\",{}]",
        "\ufeff[\"CLOSE\",\"a\"]",
        "[\"REQ\",\"\\ud800\",{}]"
      })
  void textThatIsNotAMessageIsGarbage(String text) {
    assertThat(read(text)).isInstanceOf(Garbage.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",",
        ",7",
        ",null",
        ",[]",
        ",{},",
        ",{\"kinds\":1}",
        ",{\"kinds\":[\"1\"]}",
        ",{\"kinds\":[1.0]}",
        ",{\"kinds\":[-1]}",
        ",{\"kinds\":[65536]}",
        ",{\"kinds\":null}",
        ",{\"ids\":[1]}",
        ",{\"ids\":[\"ab\"]}",
        ",{\"authors\":[\"AB\"]}",
        ",{\"#e\":[\"ab\"]}",
        ",{\"#p\":\"ab\"}",
        ",{\"#t\":[1]}",
        ",{\"#t\":[\"\\ud800\"]}",
        ",{\"since\":-1}",
        ",{\"since\":1.5}",
        ",{\"until\":\"1\"}",
        ",{\"limit\":-1}",
        ",{\"limit\":1e2}",
        ",{\"kinds\":[1],\"kinds\":[2]}",
        ",{},{},{},{}",
        ",{\"#t\":[[[[[[[[[]]]]]]]]]}"
      })
  void invalidFilterIsRefusedWithItsSubscriptionId(String filters) {
    ClientMessage message = read("[\"REQ\",\"sub\"" + filters + "]");
    assertThat(message).isInstanceOf(BadSubscribe.class);
    assertThat(((BadSubscribe) message).subscription()).isEqualTo("sub");
    assertThat(((BadSubscribe) message).reason().prefix()).isEqualTo(Reason.Prefix.INVALID);
  }

  @Test
  void loneSurrogateInAFilterIsRefusedByName() {
    ClientMessage message = read("[\"REQ\",\"sub\",{\"#t\":[\"\\ud800\"]}]");
    assertThat(message)
        .isEqualTo(new BadSubscribe("sub", Reason.invalid("lone surrogate in a string")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"search\":\"x\"}",
        "{\"#\":[]}",
        "{\"#ab\":[]}",
        "{\"#1\":[]}",
        "{\"&t\":[]}",
        "{\"\":1}"
      })
  void unknownFilterFieldIsUnsupported(String filter) {
    ClientMessage message = read("[\"REQ\",\"sub\"," + filter + "]");
    assertThat(((BadSubscribe) message).reason().prefix()).isEqualTo(Reason.Prefix.UNSUPPORTED);
  }

  @Test
  void highestKindAndLongestIdAreAcceptedAndLargerOnesAreNot() {
    assertThat(read("[\"REQ\",\"sub\",{\"kinds\":[65535]}]")).isInstanceOf(Subscribe.class);
    assertThat(read("[\"REQ\",\"sub\",{\"kinds\":[65536]}]")).isInstanceOf(BadSubscribe.class);
    String longest = "x".repeat(128);
    ClientMessage named = read("[\"EVENT\",{\"kind\":1,\"id\":\"" + longest + "\"}]");
    assertThat(((ClientMessage.BadEvent) named).id()).isEqualTo(longest);
    ClientMessage nameless = read("[\"EVENT\",{\"kind\":1,\"id\":\"" + longest + "x\"}]");
    assertThat(((ClientMessage.BadEvent) nameless).id()).isNull();
  }

  @Test
  void allFieldsOfAFilterAreRead() {
    ClientMessage message =
        read(
            "[\"REQ\",\"sub\",{\"ids\":[\"%s\"],\"kinds\":[1,0],\"#t\":[\"a\",\"b\",\"a\"],\"#T\":[],\"since\":1,\"until\":2,\"limit\":3},{}]"
                .formatted(ID));
    var filter = ((Subscribe) message).filters().get(0);
    assertThat(filter.ids()).containsExactly(EventId.ofHex(ID));
    assertThat(filter.authors()).isNull();
    assertThat(filter.kinds()).containsExactlyInAnyOrder(0, 1);
    assertThat(filter.tags().get('t')).containsExactlyInAnyOrder("a", "b");
    assertThat(filter.tags().get('T')).isEmpty();
    assertThat(List.of(filter.since(), filter.until(), filter.limit())).containsExactly(1L, 2L, 3L);
    assertThat(filter.valueCount()).isEqualTo(5);
  }

  @Test
  void numberBeyondLongIsReadAsTheHighestLong() {
    ClientMessage message =
        read("[\"REQ\",\"sub\",{\"until\":18446744073709551615,\"limit\":9999999999999999999}]");
    assertThat(((Subscribe) message).filters().get(0).until()).isEqualTo(Long.MAX_VALUE);
    assertThat(((Subscribe) message).filters().get(0).limit()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void subscriptionIdHasUpTo64CodePoints() {
    String longest = "😀".repeat(64);
    assertThat(read("[\"CLOSE\",\"" + longest + "\"]")).isEqualTo(new Unsubscribe(longest));
    assertThat(read("[\"CLOSE\",\"" + longest + "x\"]")).isInstanceOf(Garbage.class);
  }

  @Test
  void frameThatIsNotUtf8IsNotText() {
    for (String good :
        List.of(
            "[\"REQ\",\"a?\",{}]",
            "[\"EVENT\",{\"content\":\"?\"}]",
            "[\"EVENT\"," + whole() + "]?",
            "?",
            "[?",
            "[\"?")) {
      for (byte[] bad :
          List.of(
              new byte[] {(byte) 0x80},
              new byte[] {(byte) 0xc0, (byte) 0xaf},
              new byte[] {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
              new byte[] {(byte) 0xf5, (byte) 0x80, (byte) 0x80, (byte) 0x80},
              new byte[] {(byte) 0xe2, (byte) 0x82})) {
        int hole = good.indexOf('?');
        byte[] head = good.substring(0, hole).getBytes(StandardCharsets.UTF_8);
        byte[] tail = good.substring(hole + 1).getBytes(StandardCharsets.UTF_8);
        byte[] frame = new byte[head.length + bad.length + tail.length];
        System.arraycopy(head, 0, frame, 0, head.length);
        System.arraycopy(bad, 0, frame, head.length, bad.length);
        System.arraycopy(tail, 0, frame, head.length + bad.length, tail.length);
        assertThat(reader.read(frame, frame.length)).as(good).isInstanceOf(NotText.class);
      }
    }
  }

  @Test
  void signedEventIsReadBackUnchanged() {
    Event event =
        Keys.of("alice")
            .sign(
                1, 1, new Tags(List.of(List.of("t", "\u0000\"\\\n😀\u007f"))), "\u2028\ufffe/\b\f");
    Event again = ((Publish) read("[\"EVENT\"," + event + "]")).event();
    assertThat(again).hasToString(event.toString());
    assertThat(again.content()).isEqualTo(event.content());
    assertThat(again.tags()).isEqualTo(event.tags());
  }

  private ClientMessage read(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return reader.read(bytes, bytes.length);
  }

  private String idOf(String event) {
    return ((BadEvent) read("[\"EVENT\"," + event + "]")).id();
  }

  private static String whole() {
    return "{\"id\":\"%s\",\"pubkey\":\"%s\",\"created_at\":1,\"kind\":1,\"tags\":[],\"content\":\"\",\"sig\":\"%s\"}"
        .formatted(ID, KEY, SIG);
  }

  private static String with(String field, String value) {
    return whole()
        .replaceFirst(
            "(\"" + field + "\":)(\"[^\"]*\"|\\[]|\\d+)",
            "$1" + java.util.regex.Matcher.quoteReplacement(value));
  }

  private static String without(String field) {
    return whole().replaceFirst(",?\"" + field + "\":(\"[^\"]*\"|\\[]|\\d+)", "");
  }
}
