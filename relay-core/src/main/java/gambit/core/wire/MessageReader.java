package gambit.core.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import gambit.core.model.Event;
import gambit.core.model.Filter;
import gambit.core.wire.JsonScanner.ExpectedTexts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Parses the bytes of a text frame into a {@link ClientMessage} (NIP-01, 42, and the verbs that
 * features add). It returns a message for any bytes and never throws. Thread-safe.
 *
 * <p>The strict scanner of this package reads EVENT and AUTH messages and creates the canonical
 * encoding while reading. Jackson, with every leniency disabled, reads all others.
 */
public final class MessageReader {
  /** Maximum length of a subscription id, in code points (NIP-01: 64 characters). */
  public static final int MAX_SUBSCRIPTION_ID_LENGTH = 64;

  private static final Set<String> STANDARD_VERBS = Set.of("EVENT", "AUTH", "REQ", "CLOSE");

  private static final ExpectedTexts EVENT_VERBS = new ExpectedTexts(List.of("EVENT", "AUTH"));

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // a table that clients could fill
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(JsonScanner.MAX_DEPTH)
                  .maxNumberLength(Integer.MAX_VALUE) // FilterReader refuses long ones by name
                  .maxStringLength(1 << 20)
                  .build())
          .build();

  private final LongSupplier maxTags;
  private final LongSupplier maxFilters;
  private final IntPredicate tagsMayBeMissing;
  private final Map<String, MessageForm> forms;
  private final boolean takesSearch;

  /** Creates a reader with fixed limits that knows no verbs of features. */
  public MessageReader(int maxTags, int maxFilters, IntPredicate tagsMayBeMissing) {
    this(() -> maxTags, () -> maxFilters, tagsMayBeMissing, List.of(), false);
  }

  /**
   * Creates a reader.
   *
   * @param maxTags the limit in force on the number of tags of an event
   * @param maxFilters the limit in force on the number of filters of a message
   * @param tagsMayBeMissing accepts the kinds for which missing {@code tags} are read as an empty
   *     list
   * @param forms the messages that features add; verbs that are not standard, each once
   * @param takesSearch whether the filters of a REQ may have {@code search} (NIP-50)
   */
  public MessageReader(
      LongSupplier maxTags,
      LongSupplier maxFilters,
      IntPredicate tagsMayBeMissing,
      Collection<MessageForm> forms,
      boolean takesSearch) {
    this.maxTags = maxTags;
    this.maxFilters = maxFilters;
    this.tagsMayBeMissing = tagsMayBeMissing;
    this.takesSearch = takesSearch;
    this.forms = forms.stream().collect(Collectors.toMap(MessageForm::verb, form -> form));
  }

  /** Whether the verb is one of those that every relay knows. */
  public static boolean isStandard(String verb) {
    return STANDARD_VERBS.contains(verb);
  }

  /** Reads the first {@code length} bytes of the array as one message. */
  public ClientMessage read(byte[] frame, int length) {
    JsonScanner in = new JsonScanner(frame, length);
    if (in.peek() != '[') {
      return garbage(frame, length, "a message must be a JSON array");
    }
    in.expect('[');
    if (in.peek() != '"') {
      return garbage(frame, length, "a message must begin with its verb");
    }
    String verb = in.takeText(EVENT_VERBS);
    if (in.failed()) {
      return garbage(frame, length, "malformed JSON");
    }
    return switch (verb) {
      case "EVENT" -> readEvent(verb, in, frame, length, ClientMessage.Publish::new);
      case "AUTH" -> readEvent(verb, in, frame, length, ClientMessage.Authenticate::new);
      default ->
          Utf8.isValid(frame, length)
              ? readOther(new String(frame, 0, length, StandardCharsets.UTF_8))
              : new ClientMessage.NotText();
    };
  }

  private ClientMessage readEvent(
      String verb,
      JsonScanner in,
      byte[] frame,
      int length,
      Function<Event, ClientMessage> message) {
    if (in.peek() == ']') {
      return garbage(frame, length, "the message " + verb + " needs an event");
    }
    in.expect(',');
    EventReader reader =
        new EventReader(in, Math.toIntExact(maxTags.getAsLong()), tagsMayBeMissing);
    Event event = reader.read();
    if (event != null) {
      in.expect(']');
      in.expectEnd();
    }
    String error = in.error();
    if (event != null && error == null) {
      return message.apply(event);
    }
    if (!Utf8.isValid(frame, length)) {
      return new ClientMessage.NotText();
    }
    Reason reason = Reason.invalid(error == null ? "malformed event" : error);
    String id = reader.id() == null ? LenientIdReader.read(frame, length) : reader.id();
    return new ClientMessage.BadEvent(id, reason);
  }

  /**
   * The text up to the backslash of its first Unicode escape without four hex digits, where parsing
   * then fails: Jackson looks at the lowest byte of a digit only, and takes U+0433 for 3.
   */
  private static String upToBadEscape(String text) {
    for (int at = text.indexOf('\\'); at >= 0; at = text.indexOf('\\', at + 2)) {
      if (text.startsWith("u", at + 1) && !hasFourHexDigits(text, at + 2)) {
        return text.substring(0, at + 1);
      }
    }
    return text;
  }

  private static boolean hasFourHexDigits(String text, int at) {
    return at + 4 <= text.length()
        && text.substring(at, at + 4).chars().allMatch(HexFormat::isHexDigit);
  }

  private ClientMessage readOther(String text) {
    String name = null;
    MessageForm form = null;
    try (JsonParser in = JSON.createParser(upToBadEscape(text))) {
      in.nextToken();
      in.nextToken();
      String verb = in.getText();
      switch (verb) {
        case "REQ" -> {
          name = takeSubscriptionId(in);
          List<Filter> filters = takeFilters(verb, takesSearch, in);
          expectEnd(in);
          return new ClientMessage.Subscribe(name, filters);
        }
        case "CLOSE" -> {
          String closed = takeSubscriptionId(in);
          if (in.nextToken() != JsonToken.END_ARRAY) {
            throw new FilterReader.RefusedException(Reason.invalid("CLOSE has one argument"));
          }
          expectEnd(in);
          return new ClientMessage.Unsubscribe(closed);
        }
        default -> {
          form = forms.get(verb);
          if (form == null) {
            return new ClientMessage.Garbage(Reason.invalid("unknown verb"));
          }
          name = takeSubscriptionId(in);
          return takeFeatureMessage(form, name, in);
        }
      }
    } catch (FilterReader.RefusedException e) {
      return refused(name, form, e.reason());
    } catch (IOException e) {
      return refused(name, form, Reason.invalid("malformed JSON"));
    }
  }

  private static ClientMessage refused(
      @Nullable String name, @Nullable MessageForm form, Reason reason) {
    if (name == null) {
      return new ClientMessage.Garbage(reason);
    }
    return form == null
        ? new ClientMessage.BadSubscribe(name, reason)
        : new ClientMessage.BadFeatureMessage(form.verb(), name, reason);
  }

  private ClientMessage takeFeatureMessage(MessageForm form, String id, JsonParser in)
      throws IOException {
    List<Filter> filters = new ArrayList<>(1);
    List<String> texts = new ArrayList<>(1);
    for (MessageForm.Argument argument : form.arguments()) {
      switch (argument) {
        case TEXT -> texts.add(takeText(form, in));
        case FILTER -> {
          in.nextToken();
          filters.add(new FilterReader(in, false).read());
        }
        case FILTERS -> filters.addAll(takeFilters(form.verb(), false, in));
      }
    }
    if (!form.endsWithFilters() && in.nextToken() != JsonToken.END_ARRAY) {
      throw new FilterReader.RefusedException(form.refusal());
    }
    expectEnd(in);
    return new ClientMessage.FeatureMessage(
        form.verb(), id, List.copyOf(filters), List.copyOf(texts));
  }

  private static String takeText(MessageForm form, JsonParser in) throws IOException {
    if (in.nextToken() != JsonToken.VALUE_STRING || hasLoneSurrogate(in.getText())) {
      throw new FilterReader.RefusedException(form.refusal());
    }
    return in.getText();
  }

  private static String takeSubscriptionId(JsonParser in) throws IOException {
    String id = in.nextToken() == JsonToken.VALUE_STRING ? in.getText() : "";
    int length = id.codePointCount(0, id.length());
    if (length == 0 || length > MAX_SUBSCRIPTION_ID_LENGTH || hasLoneSurrogate(id)) {
      throw new FilterReader.RefusedException(
          Reason.invalid(
              "a subscription id must be a string of 1 to "
                  + MAX_SUBSCRIPTION_ID_LENGTH
                  + " characters"));
    }
    return id;
  }

  private List<Filter> takeFilters(String verb, boolean takesSearch, JsonParser in)
      throws IOException {
    List<Filter> filters = new ArrayList<>();
    long max = maxFilters.getAsLong();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      if (filters.size() == max) {
        throw new FilterReader.RefusedException(Reason.invalid("more than " + max + " filters"));
      }
      filters.add(new FilterReader(in, takesSearch).read());
    }
    if (filters.isEmpty()) {
      throw new FilterReader.RefusedException(Reason.invalid("a " + verb + " needs a filter"));
    }
    return List.copyOf(filters);
  }

  private static void expectEnd(JsonParser in) throws IOException {
    if (in.nextToken() != null) {
      throw new FilterReader.RefusedException(Reason.invalid("trailing bytes after the message"));
    }
  }

  private static ClientMessage garbage(byte[] frame, int length, String text) {
    return Utf8.isValid(frame, length)
        ? new ClientMessage.Garbage(Reason.invalid(text))
        : new ClientMessage.NotText();
  }

  static boolean hasLoneSurrogate(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          return true;
        }
        i++;
      }
    }
    return false;
  }
}
