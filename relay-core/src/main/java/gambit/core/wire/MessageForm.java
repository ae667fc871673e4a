package gambit.core.wire;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The form of a message that a feature adds: {@code [verb, id, argument…]}. The id has the form of
 * a subscription id and names the client's request. Immutable.
 */
public record MessageForm(String verb, List<Argument> arguments) {

  /** The form of one argument. */
  public enum Argument {
    /** Any string. */
    TEXT,
    /** One filter. */
    FILTER,
    /** One or more filters, up to the limit of a REQ; the last argument. */
    FILTERS
  }

  public MessageForm {
    arguments = List.copyOf(arguments);
    int filters = arguments.indexOf(Argument.FILTERS);
    if (filters >= 0 && filters < arguments.size() - 1) {
      throw new IllegalArgumentException("FILTERS must be the last argument of " + verb);
    }
  }

  public static MessageForm of(String verb, Argument... arguments) {
    return new MessageForm(verb, List.of(arguments));
  }

  /** The reason that a message does not have this form. */
  Reason refusal() {
    String names =
        arguments.stream()
            .map(argument -> ", " + argument.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
    return Reason.invalid("the form of the message is [" + verb + ", id" + names + "]");
  }
}
