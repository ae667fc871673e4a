package gambit.core.management;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.Npub;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call of a method (NIP-86), with its parameters, and who makes it. Its methods read parameters,
 * and refuse the call if one is missing or invalid. Immutable.
 */
record Call(Caller by, String method, List<JsonNode> params) {
  static final int MAX_REASON_CHARS = 500;

  static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  /** A call that has no effect; the message is a sentence for the caller. */
  static final class CallRefused extends Exception {
    private static final long serialVersionUID = 1;
    final int status; // of the answer over HTTP

    CallRefused(String message) {
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
   * @param name in the audit log
   * @param client the address of an admin; null for the operator at a command line
   * @param login the id of the event that authorizes an admin's request (NIP-98); else empty
   */
  record Caller(String name, @Nullable ClientAddress client, String login) {
    static final Caller OPERATOR = new Caller("operator", null, "");

    static Caller admin(PubKey key, ClientAddress client, String login) {
      return new Caller(Npub.of(key), client, login);
    }

    boolean isOperator() {
      return client == null;
    }
  }

  Call {
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

  Subject author() throws CallRefused {
    return new Subject.Author(PubKey.ofHex(hex("a public key")));
  }

  Subject event() throws CallRefused {
    return new Subject.OneEvent(EventId.ofHex(hex("an event id")));
  }

  /** The first parameter, 64 hex digits. */
  String hex(String meaning) throws CallRefused {
    String text = text(0);
    if (!Hex.isLowerCase(text, 64)) {
      throw new CallRefused("the first parameter is not " + meaning + ": 64 lower-case hex digits");
    }
    return text;
  }

  Subject kind() throws CallRefused {
    JsonNode number = params.isEmpty() ? JSON.missingNode() : params.get(0);
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
    String reason = params.size() < 2 || params.get(1).isNull() ? "" : text(1).strip();
    if (reason.length() > MAX_REASON_CHARS || hasControls(reason)) {
      throw new CallRefused(
          "the reason has line breaks, or more than " + MAX_REASON_CHARS + " characters");
    }
    return reason;
  }

  String text(int index) throws CallRefused {
    if (index >= params.size() || !params.get(index).isTextual()) {
      throw new CallRefused("parameter " + (index + 1) + " must be a string");
    }
    return params.get(index).textValue();
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
