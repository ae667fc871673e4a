package gambit.chess.machines;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import gambit.chess.dialect.Ephemeral;
import gambit.chess.dialect.RefereeEvents;
import gambit.core.model.Kind;
import gambit.core.testkit.GoldenFile;
import gambit.core.testkit.GoldenStep;
import gambit.core.testkit.Keys;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Converts a golden file that was played into a test vector, see docs/protocol/vectors/README.md.
 */
final class VectorWriter {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The difference in seconds that the relay allows between its clock and an event's time. */
  private static final int ALLOWED_SKEW = 60;

  /** Seconds added to an age beyond the allowed skew: real time passes before the event arrives. */
  private static final int AGE_MARGIN = 5;

  private static final Set<String> TEMPLATE = Set.of("kind", "content", "tags");

  private final Set<String> clients = new LinkedHashSet<>();
  private final Set<String> informed = new LinkedHashSet<>();
  private final ArrayNode steps = JSON.createArrayNode();
  private long seconds;
  private boolean publicationDue;

  private VectorWriter() {}

  /** The text of the vector. */
  static String write(Path file, List<GoldenFile.Played> played) {
    try {
      VectorWriter writer = new VectorWriter();
      for (GoldenFile.Played step : played) {
        writer.add(step);
      }
      return writer.text(file);
    } catch (JsonProcessingException e) {
      throw new AssertionError(file.toString(), e);
    }
  }

  private String text(Path file) throws JsonProcessingException {
    String name = file.getFileName().toString().replace(".frames", "");
    StringBuilder text = new StringBuilder("{\n");
    text.append("  \"name\": \"" + file.getParent().getFileName() + "/" + name + "\",\n");
    text.append("  \"settings\": " + settings(file) + ",\n");
    text.append("  \"idle\": " + showsAllPlayers() + ",\n");
    text.append("  \"seconds\": " + seconds + ",\n");
    ArrayNode players = JSON.createArrayNode();
    clients.stream().map(GoldenStep::person).distinct().forEach(players::add);
    text.append("  \"players\": " + JSON.writeValueAsString(players) + ",\n");
    text.append("  \"clients\": " + JSON.writeValueAsString(clients) + ",\n");
    text.append("  \"steps\": [");
    String separator = "\n";
    for (JsonNode step : steps) {
      text.append(separator).append("    ").append(JSON.writeValueAsString(step));
      separator = ",\n";
    }
    return text.append("\n  ]\n}\n").toString();
  }

  /** Whether a frame shows how many play or search on the relay. */
  private boolean showsAllPlayers() {
    return steps.toString().contains("" + RefereeEvents.LOBBY_KIND);
  }

  private static ObjectNode settings(Path file) {
    ObjectNode settings = JSON.createObjectNode();
    for (String part : GoldenFile.settings(file)) {
      String[] words = part.split(" ", 2);
      if (part.equals("challenge when needed")) {
        settings.put("nips.challenge_on_connect", false);
      } else if (part.matches("chess require_\\w+")) {
        settings.put(part.replace(' ', '.'), true);
      } else if (part.equals("chess house has 2 games")) {
        settings.put("house", "house").put("chess.house.max_games", 2);
      } else if (part.equals("chess has 2 jester games")) {
        settings.put("chess.jester_games", 2);
      } else if (part.equals("chess has 2 slow games")) {
        settings.put("chess.slow_games", 2);
      } else if (words[0].equals("without")) {
        List.of(words[1].split(",")).forEach(nip -> settings.put("nips." + nip, false));
      } else {
        throw new AssertionError("no setting is known for: " + part);
      }
    }
    return settings;
  }

  private void add(GoldenFile.Played played) throws JsonProcessingException {
    GoldenStep step = played.step();
    if (step instanceof GoldenStep.Comment comment) {
      steps.addObject().put("note", comment.text());
    } else if (step instanceof GoldenStep.Sign sign) {
      addSend(new GoldenStep.Send(sign.client(), sign.text(), sign.name()), "sign");
    } else if (step instanceof GoldenStep.Send send) {
      addSend(send, "send");
    } else if (step instanceof GoldenStep.Resend resend) {
      step(resend.client()).put("resend", resend.name());
    } else if (step instanceof GoldenStep.Receive receive) {
      ObjectNode expected = step(receive.client());
      expected.set("expect", withoutAge(VectorText.expected(receive.text())));
      drawnColour(GoldenStep.person(receive.client()), JSON.readTree(played.frame()))
          .ifPresent(colour -> expected.put("draws", colour));
    } else if (step instanceof GoldenStep.Leaves leaves) {
      step(leaves.client()).put("disconnect", true);
    } else if (step instanceof GoldenStep.After after) {
      seconds += after.seconds();
      ObjectNode wait = steps.addObject().put("wait", after.seconds());
      if (publicationDue) {
        wait.put("publication", true);
      }
      publicationDue = false;
    } else if (step instanceof GoldenStep.Updates updates) {
      publicationDue = updates.count() > 0;
    } else if (step instanceof GoldenStep.PlayersDue) {
      publicationDue = true;
    } // deadlines are the relay's own affair
  }

  /** A lobby is as old as its last change, which may be from before the play. */
  private static JsonNode withoutAge(JsonNode frame) {
    if (frame.path(2).path("kind").asInt() == RefereeEvents.LOBBY_KIND) {
      ((ObjectNode) frame.get(2)).remove("created_at");
    }
    return frame;
  }

  private ObjectNode step(String client) {
    clients.add(client);
    return steps.addObject().put("client", client);
  }

  private void addSend(GoldenStep.Send send, String action) throws JsonProcessingException {
    JsonNode message = VectorText.sent(send.text());
    ObjectNode step = step(send.client());
    String verb = message.path(0).asText();
    if (!message.path(1).isObject() || !verb.equals("EVENT") && !verb.equals("AUTH")) {
      step.set(action, message);
    } else {
      JsonNode draft = message.get(1);
      if (draft.has("id") || draft.has("mine")) {
        throw new AssertionError("a vector cannot express " + send.text());
      }
      step.putArray(action).add(verb).add(template(verb, draft));
      addDirectives(step, draft);
    }
    if (send.name() != null) {
      step.put("as", send.name());
    }
  }

  private static ObjectNode template(String verb, JsonNode draft) {
    boolean login = verb.equals("AUTH");
    ObjectNode template = JSON.createObjectNode();
    template.put("kind", draft.path("kind").asInt(login ? Kind.CLIENT_AUTH : 1));
    template.put("content", draft.path("content").asText());
    if (draft.path("tags").isArray()) {
      template.set("tags", draft.get("tags"));
    } else if (login) {
      ArrayNode tags = template.putArray("tags");
      tags.addArray().add("relay").add("${url}");
      tags.addArray().add("challenge").add("${challenge}");
    } else {
      template.putArray("tags");
    }
    return template;
  }

  private static void addDirectives(ObjectNode step, JsonNode draft) {
    if (draft.has("by")) {
      step.put("by", draft.get("by").asText());
    }
    String created = draft.path("created_at").path("$number").asText();
    String difference = created.replaceAll("\\$\\{now|}", "");
    int age = draft.path("age").asInt(difference.isEmpty() ? 0 : Integer.parseInt(difference));
    if (age != 0) {
      step.put("age", age > ALLOWED_SKEW ? age + AGE_MARGIN : age);
    }
    ArrayNode removed = JSON.createArrayNode();
    ObjectNode set = JSON.createObjectNode();
    for (var field : draft.properties()) {
      if (field.getValue().isNull()) {
        removed.add(field.getKey());
      } else if (!TEMPLATE.contains(field.getKey())
          && !Set.of("by", "age").contains(field.getKey())
          && !(field.getKey().equals("created_at") && field.getValue().has("$number"))) {
        set.set(field.getKey(), field.getValue());
      }
    }
    if (!removed.isEmpty()) {
      step.set("remove", removed);
    }
    if (!set.isEmpty()) {
      step.set("set", set);
    }
  }

  /** The player's colour in the new game that the frame reports. */
  private Optional<String> drawnColour(String player, JsonNode frame) {
    String key = Keys.of(player).pubkey().hex();
    if (frame.path(0).asText().equals("EVENT")) {
      Optional<String> colour = colourIn(frame.path(2), key);
      colour.ifPresent(known -> informed.add(player));
      return colour;
    }
    String text = frame.path(3).asText();
    boolean first = !informed.contains(player) && text.matches("white|black");
    return first ? Optional.of(text) : Optional.empty();
  }

  private static Optional<String> colourIn(JsonNode event, String key) {
    boolean found = event.path("content").asText().equals("gameisfound");
    boolean started = event.path("kind").asInt() == Ephemeral.ANSWER;
    String colour = "";
    for (JsonNode tag : event.path("tags")) {
      String name = tag.path(0).asText();
      if (found && name.equals("e")) {
        return Optional.empty(); // resumed
      } else if (found && name.equals("p") && tag.path(1).asText().equals(key)) {
        colour = tag.path(3).asText();
      } else if (started && name.equals("color")) {
        colour = tag.path(1).asText();
      }
    }
    return colour.isEmpty() ? Optional.empty() : Optional.of(colour);
  }
}
