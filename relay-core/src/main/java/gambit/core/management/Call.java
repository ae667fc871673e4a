package gambit.core.management;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import gambit.core.model.EventId;
import gambit.core.model.Hex;
import gambit.core.model.Kind;
import gambit.core.model.PubKey;
import gambit.core.rate.ClientAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A call of a method (NIP-86), with its parameters, and who makes it. Its methods read parameters,
 * and refuse the call if one is missing or invalid. Immutable.
 */
record Call(Caller by, String method, List<JsonNode> params) {
  /** The longest reason, in characters. */
  static final int MAX_REASON_CHARS = 500;

  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  Call {
    params = List.copyOf(params);
  }

  /**
   * Reads the JSON of a call; missing parameters are none.
   *
   * @throws CallRefused when it is not an object with a method and parameters
   */
  static Call read(Caller by, byte[] json) throws CallRefused {
    JsonNode call;
    try {
      call = JSON.readTree(json);
    } catch (IOException e) {
      throw new CallRefused("the body is not JSON");
    }
    JsonNode params = call.path("params");
    if (!call.path("method").isTextual() || !(params.isArray() || params.isMissingNode())) {
      throw new CallRefused("the body is not {\"method\": <name>, \"params\": [...]}");
    }
    List<JsonNode> list = new ArrayList<>();
    params.forEach(list::add);
    return new Call(by, call.path("method").textValue(), list);
  }

  /** The same call without its first parameter. */
  Call withoutFirst() {
    return new Call(by, method, params.isEmpty() ? params : params.subList(1, params.size()));
  }

  PubKey pubkey() throws CallRefused {
    return PubKey.ofHex(hex("a public key"));
  }

  EventId event() throws CallRefused {
    return EventId.ofHex(hex("an event id"));
  }

  /** The first parameter, 64 hex digits. */
  String hex(String meaning) throws CallRefused {
    String text = text(0);
    if (!Hex.isLowerCase(text, 64)) {
      throw new CallRefused("the first parameter is not " + meaning + ": 64 lower-case hex digits");
    }
    return text;
  }

  int kind() throws CallRefused {
    JsonNode number = params.isEmpty() ? JSON.missingNode() : params.get(0);
    if (!number.isInt() || number.intValue() < 0 || number.intValue() > Kind.MAX) {
      throw new CallRefused("the first parameter is not a kind: a number from 0 to " + Kind.MAX);
    }
    return number.intValue();
  }

  ClientAddress address() throws CallRefused {
    String text = text(0);
    return ClientAddress.parse(text)
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

  /** A parameter that is a string. */
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
