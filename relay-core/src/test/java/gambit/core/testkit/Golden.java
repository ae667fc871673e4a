package gambit.core.testkit;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.core.crypto.EventVerifier;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import gambit.core.wire.ClientMessage;
import gambit.core.wire.MessageReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays a golden frame file against a relay. A line is one of
 *
 * <pre>
 * # a remark
 * alice &gt; ["EVENT",{"kind":1,"content":"hi"}]        alice sends; "as $name" behind names the event
 * alice &lt; ["OK","$name",true,""]                      the next frame that alice gets
 * alice leaves                                        the connection is closed, the relay has noticed
 * alarms 2                                            so many deadlines are set
 * after 60s                                           the clock moves on
 * include parts/pairing                               another file is played here
 * </pre>
 *
 * A name is a person with a key; {@code alice/2} is a second connection of hers. What is missing of
 * a sent event is filled in and signed, unless a field is {@code null}: that one is left out. In
 * what is received, {@code "*"} stands for any string, {@code $name} for a value that was named
 * before or is named here, {@code $alice} for a key; of an object only the fields shown are
 * compared. At the end nobody may have got more than the file shows.
 */
public final class Golden {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final MessageReader READER = new MessageReader(2000, 1, kind -> false);
  private static final Pattern SEND = Pattern.compile("(\\S+) > (.*?)(?: as \\$(\\w+))?");
  private static final Pattern RECEIVE = Pattern.compile("(\\S+) < (.*)");
  private static final Pattern LEAVES = Pattern.compile("(\\S+) leaves");
  private static final Pattern AFTER = Pattern.compile("after (\\d+)s");
  private static final Pattern ALARMS = Pattern.compile("alarms (\\d+)");
  private static final Pattern INCLUDE = Pattern.compile("include (\\S+)");
  private static final Pattern NAME = Pattern.compile("\\$([a-z]\\w*)");

  private final TestRelay relay;
  private final EventVerifier verifier = new EventVerifier();
  private final Map<String, Client> clients = new LinkedHashMap<>();
  private final Map<String, String> names = new HashMap<>();

  private Golden(TestRelay relay) {
    this.relay = relay;
    names.put("relay", relay.signer().pubkey().hex());
  }

  /** The golden files of a folder. */
  public static List<Path> in(Path folder) {
    try (var files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".frames")).sorted().toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Plays the file; fails at the first frame that is not as it says. */
  public static void play(TestRelay relay, Path file) {
    Golden golden = new Golden(relay);
    int number = 0;
    try {
      for (String line : Files.readAllLines(file)) {
        number++;
        golden.step(line.strip(), file);
      }
      golden.expectNothingMore();
    } catch (IOException | AssertionError | RuntimeException e) {
      throw new AssertionError(file.getFileName() + ":" + number + ": " + e.getMessage(), e);
    } finally {
      golden.clients.values().forEach(Client::abort);
    }
  }

  private void step(String line, Path file) throws IOException {
    Matcher match;
    if (line.isEmpty() || line.startsWith("#")) {
      return;
    } else if ((match = SEND.matcher(line)).matches()) {
      send(match.group(1), match.group(2), match.group(3));
    } else if ((match = RECEIVE.matcher(line)).matches()) {
      receive(match.group(1), match.group(2));
    } else if ((match = LEAVES.matcher(line)).matches()) {
      long left = relay.meters().read("connections") - 1;
      clients.remove(match.group(1)).close();
      await().until(() -> relay.meters().read("connections") == left);
    } else if ((match = AFTER.matcher(line)).matches()) {
      relay.time().advance(Duration.ofSeconds(Long.parseLong(match.group(1))));
    } else if ((match = ALARMS.matcher(line)).matches()) {
      relay.time().awaitAlarms(Integer.parseInt(match.group(1)));
    } else if ((match = INCLUDE.matcher(line)).matches()) {
      Path included = file.resolveSibling(match.group(1) + ".frames");
      for (String other : Files.readAllLines(included)) {
        step(other.strip(), included);
      }
    } else {
      throw new AssertionError("cannot read: " + line);
    }
  }

  private Client client(String name) {
    return clients.computeIfAbsent(
        name,
        n -> {
          String person = person(n);
          names.putIfAbsent(person, Keys.of(person).pubkey().hex());
          return relay.connect();
        });
  }

  private static String person(String client) {
    return client.replaceFirst("/.*", "");
  }

  private void send(String sender, String text, String name) throws IOException {
    Client client = client(sender);
    String known = fill(text);
    boolean event = known.startsWith("[\"EVENT\",{") && !known.contains("\"id\":");
    if (!event) {
      client.send(known);
      return;
    }
    JsonNode fields = JSON.readTree(known).get(1);
    Event signed = sign(Keys.of(person(sender)), fields);
    if (name != null) {
      names.put(name, signed.id().hex());
    }
    ObjectNode whole = (ObjectNode) JSON.readTree(signed.toString());
    for (var field : fields.properties()) {
      if (field.getValue().isNull()) {
        whole.remove(field.getKey());
      }
    }
    client.send("[\"EVENT\"," + whole + "]");
  }

  private Event sign(Signer signer, JsonNode fields) {
    long createdAt = relay.now() + fields.path("age").asLong(0);
    List<List<String>> tags = new ArrayList<>();
    for (JsonNode tag : fields.path("tags")) {
      List<String> row = new ArrayList<>();
      tag.forEach(value -> row.add(value.asText()));
      tags.add(row);
    }
    return signer.sign(
        createdAt, fields.path("kind").asInt(1), new Tags(tags), fields.path("content").asText());
  }

  /** Replaces every name that is known. */
  private String fill(String text) {
    return NAME.matcher(text)
        .replaceAll(
            m ->
                Matcher.quoteReplacement(
                    names.getOrDefault(m.group(1), Keys.of(m.group(1)).pubkey().hex())));
  }

  private void receive(String receiver, String pattern) throws IOException {
    String frame = client(receiver).next();
    JsonNode actual = JSON.readTree(frame);
    if (!matches(JSON.readTree(pattern), actual)) {
      throw new AssertionError("expected " + pattern + "\n but got " + frame);
    }
    if (actual.path(0).asText().equals("EVENT")) {
      verify(actual.get(2));
    }
  }

  private boolean matches(JsonNode pattern, JsonNode actual) {
    if (pattern.isTextual() && actual.isTextual()) {
      return matchesText(pattern.asText(), actual.asText());
    } else if (pattern.isObject() && actual.isObject()) {
      boolean all = true;
      for (var field : pattern.properties()) {
        all &= actual.has(field.getKey()) && matches(field.getValue(), actual.get(field.getKey()));
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
    if (pattern.equals("*")) {
      return true;
    }
    if (pattern.startsWith("$")) {
      String known = names.putIfAbsent(pattern.substring(1), actual);
      return known == null || known.equals(actual);
    }
    return pattern.equals(actual);
  }

  /** Every event that comes from the relay is complete and valid. */
  private void verify(JsonNode event) {
    byte[] frame = ("[\"EVENT\"," + event + "]").getBytes(StandardCharsets.UTF_8);
    if (!(READER.read(frame, frame.length) instanceof ClientMessage.Publish received)
        || !verifier.hasRightId(received.event())
        || !verifier.hasRightSignature(received.event())) {
      throw new AssertionError("not a valid event: " + event);
    }
  }

  private void expectNothingMore() {
    for (var entry : clients.entrySet()) {
      entry.getValue().send("[\"REQ\",\"the end\",{\"limit\":0}]");
      String frame = entry.getValue().next();
      if (!frame.equals("[\"EOSE\",\"the end\"]")) {
        throw new AssertionError(entry.getKey() + " got more: " + frame);
      }
    }
  }
}
