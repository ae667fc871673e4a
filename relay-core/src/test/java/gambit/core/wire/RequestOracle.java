package gambit.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.testkit.AllocationLimit;
import gambit.core.testkit.StrictJson;
import gambit.core.testkit.StrictJson.NumberText;
import gambit.core.wire.ClientMessage.BadEvent;
import gambit.core.wire.ClientMessage.BadFeatureMessage;
import gambit.core.wire.ClientMessage.BadSubscribe;
import gambit.core.wire.ClientMessage.FeatureMessage;
import gambit.core.wire.ClientMessage.Garbage;
import gambit.core.wire.ClientMessage.NotText;
import gambit.core.wire.ClientMessage.Subscribe;
import gambit.core.wire.ClientMessage.Unsubscribe;
import gambit.core.wire.MessageForm.Argument;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The oracle of the reader of REQ, CLOSE and the messages of features: it applies strict JSON and
 * the rules of {@code docs/protocol/relay.md}. Filters are compared by the events they match.
 */
final class RequestOracle {
  private static final int MAX_FILTERS = 5;
  private static final int MAX_DIGITS = 20;
  private static final int MAX_SEARCH_LENGTH = 1000;

  private static final MessageReader READER =
      new MessageReader(
          () -> 100,
          () -> MAX_FILTERS,
          kind -> false,
          Map.of(
              "COUNT",
              MessageForm.of("COUNT", Argument.FILTERS),
              "NEG-OPEN",
              MessageForm.of("NEG-OPEN", Argument.FILTER, Argument.TEXT),
              "NEG-CLOSE",
              MessageForm.of("NEG-CLOSE")),
          true);

  private RequestOracle() {}

  /** Reads the bytes as one message and asserts that the relay and Jackson read them alike. */
  static void check(byte[] frame) {
    ClientMessage message =
        AllocationLimit.requireAtMost(
            256 * 1024 + 256L * frame.length, () -> READER.read(frame, frame.length));
    Optional<String> text = StrictJson.utf8(frame, frame.length);
    assertThat(message instanceof NotText).isEqualTo(text.isEmpty());
    if (text.isPresent()) {
      List<String> strings = StrictJson.leadingStrings(text.get());
      String verb = strings.isEmpty() ? "" : strings.get(0);
      String name = strings.size() > 1 && isName(strings.get(1)) ? strings.get(1) : "";
      List<?> json =
          StrictJson.read(text.get(), JsonScanner.MAX_DEPTH)
              .map(it -> it instanceof List<?> list ? list : List.of())
              .orElse(List.of());
      assertReadAs(message, verb, name, json);
      assertAnswerable(message);
    }
  }

  private static boolean isName(String text) {
    int characters = text.codePointCount(0, text.length());
    return characters > 0 && characters <= 64 && StrictJson.isFreeOfLoneSurrogates(text);
  }

  private static void assertReadAs(ClientMessage message, String verb, String name, List<?> json) {
    switch (verb) {
      case "REQ" -> assertSubscribe(message, name, arguments(json));
      case "COUNT", "NEG-OPEN", "NEG-CLOSE" -> assertFeatureMessage(message, verb, name, json);
      case "CLOSE" -> {
        if (!name.isEmpty() && json.size() == 2) {
          assertThat(message).isEqualTo(new Unsubscribe(name));
        } else {
          assertThat(message).isInstanceOf(Garbage.class);
        }
      }
      case "EVENT", "AUTH" ->
          assertThat(message)
              .isInstanceOfAny(
                  ClientMessage.Publish.class, ClientMessage.Authenticate.class, BadEvent.class);
      default -> assertThat(message).isInstanceOf(Garbage.class);
    }
  }

  /** The elements after the verb and the id. */
  private static List<?> arguments(List<?> json) {
    return json.subList(Math.min(2, json.size()), json.size());
  }

  private static void assertSubscribe(ClientMessage message, String name, List<?> arguments) {
    if (name.isEmpty()) {
      assertThat(message).isInstanceOf(Garbage.class);
    } else if (!areFilters(arguments, true)) {
      assertThat(message).isInstanceOf(BadSubscribe.class);
      assertThat(((BadSubscribe) message).subscription()).isEqualTo(name);
    } else {
      assertThat(message).isInstanceOf(Subscribe.class);
      assertThat(((Subscribe) message).subscription()).isEqualTo(name);
      assertSameMatches(((Subscribe) message).filters(), arguments);
    }
  }

  private static void assertFeatureMessage(
      ClientMessage message, String verb, String name, List<?> json) {
    List<?> arguments = arguments(json);
    int most = verb.equals("NEG-OPEN") ? 1 : Integer.MAX_VALUE;
    List<?> filters = arguments.subList(0, Math.min(most, arguments.size()));
    List<?> texts = arguments.subList(filters.size(), arguments.size());
    boolean isValid =
        switch (verb) {
          case "COUNT" -> areFilters(filters, false);
          case "NEG-OPEN" ->
              areFilters(filters, false) && texts.size() == 1 && isText(texts.get(0));
          default -> json.size() == 2;
        };
    if (name.isEmpty()) {
      assertThat(message).isInstanceOf(Garbage.class);
    } else if (!isValid) {
      assertThat(message).isInstanceOf(BadFeatureMessage.class);
      assertThat(((BadFeatureMessage) message).verb()).isEqualTo(verb);
      assertThat(((BadFeatureMessage) message).id()).isEqualTo(name);
    } else {
      assertThat(message).isInstanceOf(FeatureMessage.class);
      FeatureMessage read = (FeatureMessage) message;
      assertThat(read.verb()).isEqualTo(verb);
      assertThat(read.id()).isEqualTo(name);
      assertSameMatches(read.filters(), filters);
      assertThat(read.texts()).isEqualTo(texts);
    }
  }

  private static boolean isText(Object value) {
    return value instanceof String text && StrictJson.isFreeOfLoneSurrogates(text);
  }

  private static boolean areFilters(List<?> values, boolean maySearch) {
    return !values.isEmpty()
        && values.size() <= MAX_FILTERS
        && values.stream()
            .allMatch(
                it ->
                    it instanceof Map<?, ?> fields
                        && fields.entrySet().stream()
                            .allMatch(
                                field ->
                                    isCondition((String) field.getKey(), field.getValue())
                                        || (maySearch && isSearch(field))));
  }

  private static boolean isSearch(Map.Entry<?, ?> field) {
    return field.getKey().equals("search")
        && isText(field.getValue())
        && ((String) field.getValue()).length() <= MAX_SEARCH_LENGTH;
  }

  private static boolean isCondition(String field, Object value) {
    return switch (field) {
      case "since", "until", "limit" -> value instanceof NumberText it && it.isNatural(MAX_DIGITS);
      case "kinds" -> isListOf(value, RequestOracle::isKind);
      case "ids", "authors", "#e", "#p" -> isListOf(value, it -> EventOracle.isHex(it, 64));
      default ->
          field.matches("#[a-zA-Z]")
              && isListOf(
                  value, it -> it instanceof String && StrictJson.isFreeOfLoneSurrogates(it));
    };
  }

  private static boolean isKind(Object value) {
    return value instanceof NumberText it
        && it.isNatural(MAX_DIGITS)
        && new BigInteger(it.text()).compareTo(BigInteger.valueOf(65_535)) <= 0;
  }

  private static boolean isListOf(Object value, Predicate<Object> form) {
    return value instanceof List<?> values && values.stream().allMatch(form);
  }

  private static void assertSameMatches(List<Filter> filters, List<?> json) {
    assertThat(filters).hasSameSizeAs(json);
    for (int i = 0; i < filters.size(); i++) {
      Filter filter = filters.get(i);
      Map<?, ?> fields = (Map<?, ?>) json.get(i);
      assertThat(filter.limit()).isEqualTo(limitOf(fields));
      assertThat(filter.search()).isEqualTo(fields.get("search"));
      for (Event event : BorderlineEvents.of(filter)) {
        boolean matches = matches(fields, event);
        assertThat(filter.matches(event)).as("%s", event).isEqualTo(matches);
        assertThat(matches && filter.isImpossible()).isFalse();
      }
    }
  }

  private static @Nullable Long limitOf(Map<?, ?> fields) {
    String digits = fields.get("limit") instanceof NumberText limit ? limit.text() : "";
    if (digits.isEmpty()) {
      return null;
    }
    return digits.length() > 18 ? Long.MAX_VALUE : Long.valueOf(digits);
  }

  /** The rules of NIP-01 for filters, in their simplest form. */
  private static boolean matches(Map<?, ?> filter, Event event) {
    BigInteger time = BigInteger.valueOf(event.createdAt());
    for (Map.Entry<?, ?> condition : filter.entrySet()) {
      String field = (String) condition.getKey();
      Object value = condition.getValue();
      boolean holds =
          switch (field) {
            case "ids" -> ((List<?>) value).contains(event.id().hex());
            case "authors" -> ((List<?>) value).contains(event.pubkey().hex());
            case "kinds" ->
                ((List<?>) value).contains(new NumberText(Integer.toString(event.kind())));
            case "since" -> new BigInteger(((NumberText) value).text()).compareTo(time) <= 0;
            case "until" -> new BigInteger(((NumberText) value).text()).compareTo(time) >= 0;
            case "limit", "search" -> true;
            default ->
                event.tags().list().stream()
                    .anyMatch(
                        tag ->
                            tag.size() > 1
                                && ("#" + tag.get(0)).equals(field)
                                && ((List<?>) value).contains(tag.get(1)));
          };
      if (!holds) {
        return false;
      }
    }
    return true;
  }

  /** The answer names the request, and is valid JSON for any name. */
  private static void assertAnswerable(ClientMessage message) {
    if (message instanceof BadSubscribe bad) {
      assertClosedIsJson(bad.subscription(), bad.reason());
    } else if (message instanceof BadFeatureMessage bad) {
      assertClosedIsJson(bad.id(), bad.reason());
    } else if (message instanceof Garbage garbage) {
      String notice = new RelayMessage.Notice(garbage.reason().toString()).frame().toString();
      assertThat(StrictJson.read(notice, 2))
          .contains(List.of("NOTICE", garbage.reason().toString()));
    }
  }

  private static void assertClosedIsJson(String name, Reason reason) {
    assertThat(reason.prefix()).isIn(Reason.Prefix.INVALID, Reason.Prefix.UNSUPPORTED);
    String closed = new RelayMessage.Closed(name, reason).frame().toString();
    assertThat(StrictJson.read(closed, 2)).contains(List.of("CLOSED", name, reason.toString()));
  }
}
