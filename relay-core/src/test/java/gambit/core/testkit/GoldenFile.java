package gambit.core.testkit;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.model.Event;
import gambit.core.nip.StandardNips;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Plays a golden frame file against a relay. A line is one of
 *
 * <pre>
 * #     a comment
 * relay without 4,59,42                               the first line, if the relay is not the default:
 *       with 67, difficulty 8, challenge when needed    read by {@link #nips}
 * relay chess require_auth                            a feature's setting, read by {@link #hasSetting}
 * relay managed                                       with an admin (NIP-86)
 * relay policy writers alice                          a policy, read by {@link GoldenPolicies}
 * alice &gt; ["EVENT",{"kind":1,"content":"hi"}]        alice sends; "as $name" at the end names the event
 * alice &gt; $name                                      alice sends the event with that name again
 * alice signs ["EVENT",{"kind":1}] as $name            alice signs an event that is sent later
 * alice &lt; ["OK","$name",true,""]                      the next frame that alice receives
 * admin calls {"method":"banpubkey","params":["$bob"]} = {"result":true}   over HTTP (NIP-86);
 *                                                     an answer without JSON is its status
 * alice leaves                                        alice disconnects; waits until the relay notices
 * alarms 2                                            waits until that number of deadlines is set
 * updates 1                                           waits until that number of publications is due
 * players due                                         waits until one of the players here is due
 * after 60s                                           advances the clock
 * include parts/pairing                               plays another file here
 * </pre>
 *
 * <p>A name is a person with a key; {@code alice/2} is her second connection. The connections of
 * {@code operator} have the operator's token. In all lines {@code $now}, {@code $now+5} and {@code
 * $now-5} are times in seconds, and {@code $nowms} and {@code $nowms-5000} in milliseconds; {@code
 * $name} is a value named before, and {@code $alice} is a key.
 *
 * <p>Missing fields of an event in an EVENT or AUTH are filled in, and the event is signed, unless
 * it has an id; an AUTH gets the tags for the relay and the challenge. {@code "by":"bob"} signs
 * with bob's key, {@code "age":5} adds 5 seconds to the time, {@code "mine":8} mines 8 bits, and
 * {@code "target":"4"} is the target in the nonce tag ({@code ""}: none). Any other field is sent
 * as written, even if it differs from the signed one; {@code null} removes it. {@code $challenge}
 * is the sender's challenge.
 *
 * <p>In received frames, {@code "pow: *"} matches any string with that prefix, and an unknown
 * {@code $name} names the value; a known one may also be a part of a string. Of an object, only the
 * fields shown are compared; {@code null} requires a missing field. Challenges are matched apart
 * from other frames, whatever their order. At the end, no client may have received more frames than
 * the file shows.
 */
public final class GoldenFile {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MessageReader READER = new MessageReader(2000, 1, kind -> false);
  private static final Pattern RELAY = Pattern.compile("relay( .*)");
  private static final Pattern NOW = Pattern.compile("\\$now(ms)?\\b([+-]\\d+)?");
  private static final Pattern NAME = Pattern.compile("\\$([a-z]\\w*)");

  private final TestRelay relay;
  private final EventVerifier verifier = new EventVerifier();
  private final Map<String, Client> clients = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Map<String, String> events = new HashMap<>();
  private final Map<String, String> challenges = new HashMap<>();

  private GoldenFile(TestRelay relay) {
    this.relay = relay;
    names.put("relay", relay.signer().pubkey().hex());
  }

  /** The golden files in a folder. */
  public static List<Path> listIn(Path folder) {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".frames")).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Whether the first line of the file contains that setting. */
  public static boolean hasSetting(Path file, String part) {
    return settings(file).contains(part);
  }

  /** The settings in the first line of the file. */
  public static List<String> settings(Path file) {
    try {
      Matcher relay = RELAY.matcher(Files.readAllLines(file).get(0));
      return relay.matches() ? List.of(relay.group(1).strip().split(", ")) : List.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The NIPs that the first line of the file switches on and off. */
  public static StandardNips nips(Path file) {
    Set<Integer> off = new HashSet<>(StandardNips.DEFAULT.off());
    boolean greet = true;
    int difficulty = 0;
    for (String part : settings(file)) {
      String[] word = part.split(" ", 2);
      switch (word[0]) {
        case "without" ->
            List.of(word[1].split(",")).forEach(nip -> off.add(Integer.parseInt(nip)));
        case "with" ->
            List.of(word[1].split(",")).forEach(nip -> off.remove(Integer.parseInt(nip)));
        case "difficulty" -> difficulty = Integer.parseInt(word[1]);
        case "challenge" -> greet = !word[1].equals("when needed");
        case "chess", "policy", "managed" -> {} // not a NIP
        default -> throw new AssertionError("cannot read: " + part);
      }
    }
    return new StandardNips(off, greet, difficulty);
  }

  /** A step that was played, with the frame that was sent or received in it. */
  public record Played(GoldenStep step, @Nullable String frame) {}

  /** Plays the file; fails at the first frame that differs from it. */
  public static void play(TestRelay relay, Path file) {
    record(relay, file);
  }

  /** Plays the file, as {@link #play}, and returns its steps. */
  public static List<Played> record(TestRelay relay, Path file) {
    GoldenFile golden = new GoldenFile(relay);
    List<Played> played = new ArrayList<>();
    String place = "" + file.getFileName();
    try {
      for (GoldenStep.Located next : GoldenStep.read(file)) {
        place = next.place();
        played.add(new Played(next.step(), golden.step(next.step())));
      }
      golden.expectNothingMore();
      return played;
    } catch (IOException | AssertionError | RuntimeException e) {
      throw new AssertionError(place + ": " + e.getMessage(), e);
    } finally {
      golden.clients.values().forEach(Client::abort);
    }
  }

  /** Plays a step, and returns the frame that was sent or received. */
  private @Nullable String step(GoldenStep step) throws IOException {
    if (step instanceof GoldenStep.Resend resend) {
      String frame = Objects.requireNonNull(events.get(resend.name()), resend.name());
      client(resend.client()).send(frame);
      return frame;
    } else if (step instanceof GoldenStep.Sign sign) {
      write(sign.client(), sign.text(), sign.name());
    } else if (step instanceof GoldenStep.Send send) {
      String frame = write(send.client(), send.text(), send.name());
      client(send.client()).send(frame);
      return frame;
    } else if (step instanceof GoldenStep.Receive receive) {
      return receive(receive.client(), receive.text());
    } else if (step instanceof GoldenStep.Call call) {
      call(call);
    } else if (step instanceof GoldenStep.Leaves leaves) {
      long left = relay.metrics().read("connections") - 1;
      clients.remove(leaves.client()).close();
      challenges.remove(leaves.client());
      await().until(() -> relay.metrics().read("connections") == left);
    } else if (step instanceof GoldenStep.After after) {
      relay.time().advance(Duration.ofSeconds(after.seconds()));
    } else if (step instanceof GoldenStep.Alarms alarms) {
      relay.time().awaitAlarms(alarms.count());
    } else if (step instanceof GoldenStep.Updates updates) {
      relay.time().awaitUpdates(updates.count());
    } else if (step instanceof GoldenStep.PlayersDue) {
      relay.time().awaitUpdateOfPlayers();
    }
    return null;
  }

  private Client client(String name) {
    return clients.computeIfAbsent(
        name,
        n -> {
          String person = GoldenStep.person(n);
          names.putIfAbsent(person, Keys.of(person).pubkey().hex());
          return person.equals("operator") ? relay.connectOperator() : relay.connect();
        });
  }

  /** The frame that a line sends; its event is signed, and gets the name. */
  private String write(String sender, String text, @Nullable String name) throws IOException {
    if (text.contains("$challenge")) {
      text = text.replace("$challenge", challenge(sender));
    }
    String known = substituteNames(text);
    boolean event = known.startsWith("[\"EVENT\",{") || known.startsWith("[\"AUTH\",{");
    if (!event || known.contains("\"id\":")) {
      return known;
    }
    JsonNode message = JSON.readTree(known);
    String verb = message.get(0).asText();
    GoldenEvent draft = new GoldenEvent(message.get(1), GoldenEvent.kindFor(verb), relay.now());
    if (verb.equals("AUTH")) {
      draft.addLoginTags(TestRelay.URL, () -> challenge(sender));
    }
    Event signed = draft.sign(GoldenStep.person(sender));
    ObjectNode whole = (ObjectNode) JSON.readTree(signed.toString());
    draft.overrideFields(whole);
    String frame = "[\"" + verb + "\"," + whole + "]";
    if (name != null) {
      names.put(name, signed.id().hex());
      events.put(name, frame);
    }
    return frame;
  }

  private void call(GoldenStep.Call call) throws IOException {
    HttpResponse<String> response = AdminCalls.call(relay, substituteNames(call.json()));
    boolean isJson = call.answer().startsWith("{");
    String actual = isJson ? response.body() : "" + response.statusCode();
    if (!matches(JSON.readTree(substituteTimes(call.answer())), JSON.readTree(actual))) {
      throw new AssertionError("expected " + call.answer() + "\n but got " + actual);
    }
  }

  private String challenge(String client) {
    Client connected = client(client);
    return challenges.computeIfAbsent(client, name -> connected.nextChallenge());
  }

  /** Replaces times and known names. */
  private String substituteNames(String text) {
    return NAME.matcher(substituteTimes(text))
        .replaceAll(
            m ->
                Matcher.quoteReplacement(
                    names.getOrDefault(m.group(1), Keys.of(m.group(1)).pubkey().hex())));
  }

  private String substituteTimes(String text) {
    return NOW.matcher(text)
        .replaceAll(
            m -> {
              long now = m.group(1) == null ? relay.now() : relay.now() * 1000;
              return "" + (now + (m.group(2) == null ? 0 : Integer.parseInt(m.group(2))));
            });
  }

  private String receive(String receiver, String text) throws IOException {
    JsonNode pattern = JSON.readTree(substituteTimes(text));
    String frame;
    if (pattern.path(0).asText().equals("AUTH")) {
      String challenge = client(receiver).nextChallenge();
      challenges.put(receiver, challenge);
      frame = "[\"AUTH\",\"" + challenge + "\"]";
    } else {
      frame = client(receiver).next();
    }
    JsonNode actual = JSON.readTree(frame);
    if (!matches(pattern, actual)) {
      throw new AssertionError("expected " + pattern + "\n but got " + frame);
    }
    if (actual.path(0).asText().equals("EVENT")) {
      verify(actual.get(2));
    }
    return frame;
  }

  private boolean matches(JsonNode pattern, JsonNode actual) {
    if (pattern.isTextual() && actual.isTextual()) {
      return matchesText(pattern.asText(), actual.asText());
    } else if (pattern.isObject() && actual.isObject()) {
      boolean all = true;
      for (var field : pattern.properties()) {
        JsonNode wanted = field.getValue();
        all &=
            wanted.isNull()
                ? !actual.has(field.getKey())
                : actual.has(field.getKey()) && matches(wanted, actual.get(field.getKey()));
      }
      return all;
    } else if (pattern instanceof ArrayNode && actual.size() == pattern.size()) {
      boolean all = actual.isArray();
      for (int i = 0; all && i < pattern.size(); i++) {
        all = matches(pattern.get(i), actual.get(i));
      }
      return all;
    }
    return pattern.equals(actual);
  }

  private boolean matchesText(String pattern, String actual) {
    if (pattern.endsWith("*")) {
      return actual.startsWith(pattern.substring(0, pattern.length() - 1));
    }
    if (pattern.startsWith("$")) {
      String known = names.putIfAbsent(pattern.substring(1), actual);
      return known == null || known.equals(actual);
    }
    return pattern.equals(actual) || withKnownNames(pattern).equals(actual);
  }

  private String withKnownNames(String text) {
    return NAME.matcher(text)
        .replaceAll(m -> Matcher.quoteReplacement(names.getOrDefault(m.group(1), m.group())));
  }

  /** Asserts that an event from the relay is complete and valid. */
  private void verify(JsonNode event) {
    byte[] frame = ("[\"EVENT\"," + event + "]").getBytes(StandardCharsets.UTF_8);
    if (!(READER.read(frame, frame.length) instanceof ClientMessage.Publish received)
        || !verifier.hasValidId(received.event())
        || !verifier.hasValidSignature(received.event())) {
      throw new AssertionError("not a valid event: " + event);
    }
  }

  private void expectNothingMore() {
    for (var entry : clients.entrySet()) {
      entry.getValue().send("[\"REQ\",\"the end\",{\"ids\":[]}]");
      String frame = entry.getValue().next();
      if (!frame.startsWith("[\"EOSE\",\"the end\"")) {
        throw new AssertionError(entry.getKey() + " got more: " + frame);
      }
    }
  }
}
