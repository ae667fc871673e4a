package gambit.core.management;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Nip19;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method (NIP-86), with its parameters, and who makes it. Its methods read parameters,
 * and refuse the call if one is missing or invalid. Immutable.
 */
public record Call(Caller by, String method, List<JsonNode> params) {
  static final int MAX_REASON_CHARS = 500;

  public static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** A call that has no effect; the message is a sentence for the caller. */
  public static final class CallRefused extends Exception {
    final int status; // of the answer over HTTP

    public CallRefused(String message) {
      this(200, message);
    }

    /** A refusal without a stack trace, since strangers can cause it. */
    CallRefused(int status, String message) {
      super(message, null, false, false);
      this.status = status;
    }
  }

  /**
   * Who makes a call. Immutable.
   *
   * @param key whose rights count; null for the operator at a command line
   * @param signer the key that has signed: the same, or that of a session
   * @param client the address; null for the operator
   * @param login the id of the event that authorizes the request (NIP-98); else empty
   */
  public record Caller(
      @Nullable PubKey key, @Nullable PubKey signer, @Nullable ClientAddress client, String login) {
    static final Caller OPERATOR = new Caller(null, null, null, "");

    boolean isOperator() {
      return key == null;
    }

    public String name() {
      return key == null ? "operator" : Nip19.npub(key);
    }

    /** The key, of a caller that is not the operator. */
    PubKey named() throws CallRefused {
      if (key == null) {
        throw new CallRefused("this call needs a key: it cannot be made by a command");
      }
      return key;
    }

    /** The key that has signed, of a caller that is not the operator. */
    PubKey signed() throws CallRefused {
      return signer == null ? named() : signer;
    }

    boolean isSession() {
      return !Objects.equals(key, signer);
    }
  }

  public Call {
    params = List.copyOf(params);
  }

  /** Reads the JSON of a call; missing parameters are none. */
  static Call read(Caller by, byte[] json) throws CallRefused {
    JsonNode call;
    try {
      call = JSON.readTree(json);
    } catch (IOException e) {
      throw new CallRefused(400, "the body is not JSON");
    }
    JsonNode params = call.path("params");
    if (!call.path("method").isTextual() || !(params.isArray() || params.isMissingNode())) {
      throw new CallRefused(400, "the body is not {\"method\": <name>, \"params\": [...]}");
    }
    List<JsonNode> list = new ArrayList<>();
    params.forEach(list::add);
    return new Call(by, call.path("method").textValue(), list);
  }

  Call withoutFirst() {
    return new Call(by, method, params.isEmpty() ? params : params.subList(1, params.size()));
  }

  PubKey pubkey() throws CallRefused {
    return PubKey.ofHex(hex("a public key"));
  }

  Subject author() throws CallRefused {
    return new Subject.Author(pubkey());
  }

  Subject event() throws CallRefused {
    return new Subject.OneEvent(EventId.ofHex(hex("an event id")));
  }

  String hex(String meaning) throws CallRefused {
    String text = text(0);
    if (!Hex.isLowerCase(text, 64)) {
      throw new CallRefused("the first parameter is not " + meaning + ": 64 lower-case hex digits");
    }
    return text;
  }

  Subject kind() throws CallRefused {
    JsonNode number = param(0);
    if (!number.isInt() || number.intValue() < 0 || number.intValue() > Kind.MAX) {
      throw new CallRefused("the first parameter is not a kind: a number from 0 to " + Kind.MAX);
    }
    return new Subject.OneKind(number.intValue());
  }

  Subject address() throws CallRefused {
    String text = text(0);
    return ClientAddress.parse(text)
        .map(Subject.Address::new)
        .orElseThrow(() -> new CallRefused("the first parameter is not an IP address"));
  }

  /** The optional second parameter. */
  String reason() throws CallRefused {
    return line(1);
  }

  /** An optional parameter, a text of one line; empty if it is missing. */
  String line(int index) throws CallRefused {
    JsonNode param = param(index);
    String line = param.isNull() || param.isMissingNode() ? "" : text(index).strip();
    if (line.length() > MAX_REASON_CHARS || hasControls(line)) {
      throw new CallRefused(
          "parameter "
              + (index + 1)
              + " has line breaks, or more than "
              + MAX_REASON_CHARS
              + " characters");
    }
    return line;
  }

  /** An optional parameter, a whole number within bounds, also as a text; empty if missing. */
  String numberText(int index, int min, int max) throws CallRefused {
    if (param(index).isNumber()) {
      return "" + number(index, min, max);
    }
    String text = line(index);
    boolean isNumber = text.matches("-?[0-9]{1,9}");
    if (!text.isEmpty()
        && (!isNumber || Integer.parseInt(text) < min || Integer.parseInt(text) > max)) {
      throw notBetween(index, min, max);
    }
    return text;
  }

  private static CallRefused notBetween(int index, long min, long max) {
    return new CallRefused(
        "parameter " + (index + 1) + " must be a number from " + min + " to " + max);
  }

  /** A parameter, a whole number within bounds. */
  public long number(int index, long min, long max) throws CallRefused {
    JsonNode param = param(index);
    boolean isNumber = param.isIntegralNumber() && param.canConvertToLong();
    if (!isNumber || param.longValue() < min || param.longValue() > max) {
      throw notBetween(index, min, max);
    }
    return param.longValue();
  }

  /** The same, or a default if the parameter is missing. */
  public long number(int index, long min, long max, long otherwise) throws CallRefused {
    return param(index).isMissingNode() ? otherwise : number(index, min, max);
  }

  public String text(int index) throws CallRefused {
    if (!param(index).isTextual()) {
      throw new CallRefused("parameter " + (index + 1) + " must be a string");
    }
    return param(index).textValue();
  }

  /** A parameter of any form; a missing node if there is none. */
  public JsonNode param(int index) {
    return index < params.size() ? params.get(index) : JSON.missingNode();
  }

  /** The first parameter, a text of NIP-11 of one or several lines. */
  String description() throws CallRefused {
    String text = text(0).strip();
    if (hasControls(text.replace("\n", "").replace("\t", ""))) {
      throw new CallRefused("the text has control characters");
    }
    return text;
  }

  private static boolean hasControls(String text) {
    return text.codePoints().anyMatch(Character::isISOControl);
  }
}
