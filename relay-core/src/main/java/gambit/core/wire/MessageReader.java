package gambit.core.wire;

import gambit.core.model.Event;
import gambit.core.model.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * Parses the bytes of a text frame into a {@link ClientMessage} (NIP-01, 42, and the verbs that
 * features add). It returns a message for any bytes and never throws. Thread-safe.
 *
 * <p>An EVENT that is not JSON is refused with what is wrong with it, another message as malformed.
 *
 * @param tagsMayBeMissing accepts kinds whose missing {@code tags} are read as an empty list
 * @param forms of the messages that features add, by their verbs, which are others
 */
public record MessageReader(
    LongSupplier maxTags,
    LongSupplier maxFilters,
    IntPredicate tagsMayBeMissing,
    Map<String, MessageForm> forms,
    boolean takesSearch) {
  /** Maximum length of a subscription id, in code points (NIP-01: 64 characters). */
  public static final int MAX_SUBSCRIPTION_ID_LENGTH = 64;

  private static final Set<String> STANDARD_VERBS = Set.of("EVENT", "AUTH", "REQ", "CLOSE");

  private static final Reason MALFORMED = Reason.invalid("malformed JSON");
  private static final Reason NO_FILTER = Reason.invalid("a filter must be an object");
  private static final Reason NO_ID =
      Reason.invalid(
          "a subscription id must be a string of 1 to "
              + MAX_SUBSCRIPTION_ID_LENGTH
              + " characters");

  public MessageReader {
    forms = Map.copyOf(forms);
  }

  /** Creates a reader with fixed limits that knows no verbs of features. */
  public MessageReader(int maxTags, int maxFilters, IntPredicate tagsMayBeMissing) {
    this(() -> maxTags, () -> maxFilters, tagsMayBeMissing, Map.of(), false);
  }

  public static boolean isStandard(String verb) {
    return STANDARD_VERBS.contains(verb);
  }

  /** Reads the first {@code length} bytes of the array as one message. */
  public ClientMessage read(byte[] frame, int length) {
    JsonScanner in = new JsonScanner(frame, length);
    ClientMessage message = read(in, frame, length);
    return in.failed() && !Utf8.isValid(frame, length) ? new ClientMessage.NotText() : message;
  }

  private ClientMessage read(JsonScanner in, byte[] frame, int length) {
    if (in.peek() != '[') {
      return garbage(in, "a message must be a JSON array");
    }
    in.expect('[');
    if (in.peek() != '"') {
      return garbage(in, "a message must begin with its verb");
    }
    String verb = in.takeText();
    if (in.failed()) {
      return garbage(in, MALFORMED.text());
    }
    return switch (verb) {
      case "EVENT" -> readEvent(verb, in, frame, length, ClientMessage.Publish::new);
      case "AUTH" -> readEvent(verb, in, frame, length, ClientMessage.Authenticate::new);
      case "REQ" -> readSubscribe(in);
      case "CLOSE" -> readUnsubscribe(in);
      default -> {
        MessageForm form = forms.get(verb);
        yield form == null ? garbage(in, "unknown verb") : readFeatureMessage(form, in);
      }
    };
  }

  private static ClientMessage garbage(JsonScanner in, String text) {
    in.fail(text);
    return new ClientMessage.Garbage(Reason.invalid(text));
  }

  private ClientMessage readEvent(
      String verb,
      JsonScanner in,
      byte[] frame,
      int length,
      Function<Event, ClientMessage> message) {
    if (in.peek() == ']') {
      return garbage(in, "the message " + verb + " needs an event");
    }
    in.expect(',');
    EventReader reader =
        new EventReader(in, Math.toIntExact(maxTags.getAsLong()), tagsMayBeMissing);
    Event event = reader.read();
    in.expect(']');
    in.expectEnd();
    String error = in.error();
    if (event != null && error == null) {
      return message.apply(event);
    }
    return new ClientMessage.BadEvent(
        reader.idOfInvalid(frame, length),
        Reason.invalid(error == null ? "malformed event" : error));
  }

  private ClientMessage readSubscribe(JsonScanner in) {
    String id = takeId(in);
    if (in.failed()) {
      return new ClientMessage.Garbage(reason(in));
    }
    List<Filter> filters = takeFilters("REQ", takesSearch, in);
    expectEnd(in);
    return in.failed()
        ? new ClientMessage.BadSubscribe(id, reason(in))
        : new ClientMessage.Subscribe(id, filters);
  }

  private static ClientMessage readUnsubscribe(JsonScanner in) {
    String id = takeId(in);
    if (in.peek() == ',') {
      in.refuse(Reason.invalid("CLOSE has one argument"));
    }
    expectEnd(in);
    return in.failed() ? new ClientMessage.Garbage(reason(in)) : new ClientMessage.Unsubscribe(id);
  }

  private ClientMessage readFeatureMessage(MessageForm form, JsonScanner in) {
    String id = takeId(in);
    if (in.failed()) {
      return new ClientMessage.Garbage(reason(in));
    }
    List<Filter> filters = new ArrayList<>(1);
    List<String> texts = new ArrayList<>(1);
    for (MessageForm.Argument argument : form.arguments()) {
      switch (argument) {
        case TEXT -> texts.add(takeString(in, form.refusal()));
        case FILTER -> {
          beginArgument(in, NO_FILTER);
          filters.add(new FilterReader(in, false).read());
        }
        case FILTERS -> filters.addAll(takeFilters(form.verb(), false, in));
      }
    }
    if (in.peek() == ',') {
      in.refuse(form.refusal());
    }
    expectEnd(in);
    return in.failed()
        ? new ClientMessage.BadFeatureMessage(form.verb(), id, reason(in))
        : new ClientMessage.FeatureMessage(
            form.verb(), id, List.copyOf(filters), List.copyOf(texts));
  }

  private static Reason reason(JsonScanner in) {
    return Objects.requireNonNullElse(in.refusal(), MALFORMED);
  }

  private static String takeId(JsonScanner in) {
    String id = takeString(in, NO_ID);
    int length = id.codePointCount(0, id.length());
    if (length == 0 || length > MAX_SUBSCRIPTION_ID_LENGTH) {
      in.refuse(NO_ID);
    }
    return id;
  }

  /** Reads an argument that must be a string. */
  private static String takeString(JsonScanner in, Reason otherwise) {
    beginArgument(in, otherwise);
    if (in.peek() != '"') {
      in.refuse(otherwise);
    }
    return in.takeText();
  }

  /** Refuses a message that ends before an argument. */
  private static void beginArgument(JsonScanner in, Reason missing) {
    if (in.peek() == ']') {
      in.refuse(missing);
    }
    in.expect(',');
  }

  private List<Filter> takeFilters(String verb, boolean takesSearch, JsonScanner in) {
    List<Filter> filters = new ArrayList<>();
    long max = maxFilters.getAsLong();
    while (in.take(',')) {
      if (filters.size() == max) {
        in.refuse(Reason.invalid("more than " + max + " filters"));
      }
      filters.add(new FilterReader(in, takesSearch).read());
    }
    if (filters.isEmpty() && in.peek() == ']') {
      in.refuse(Reason.invalid("a " + verb + " needs a filter"));
    }
    return List.copyOf(filters);
  }

  private static void expectEnd(JsonScanner in) {
    in.expect(']');
    in.expectEnd();
  }
}
