package gambit.app.server.nats;

import gambit.app.games.GameState;
import gambit.core.crypto.Signer;
import gambit.core.model.Event;
import gambit.core.model.Tags;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A player of either dialect at one node of a cluster, who follows the states of the own games. One
 * thread.
 */
final class NodePlayer extends StateReader {
  private final RelayCluster cluster;
  private final Signer key;
  private final boolean isEphemeral;
  private final String relay;
  private int node;
  private String time = "";
  private @Nullable Event last; // that was published
  private boolean hasMoved;
  private int events;

  private NodePlayer(
      RelayCluster cluster, int node, Signer key, boolean isEphemeral, String relay) {
    super(
        cluster.url(node),
        "{\"authors\":[\""
            + relay
            + "\"],\"kinds\":[20302,20304],\"#p\":[\""
            + key.pubkey().hex()
            + "\"]}");
    this.cluster = cluster;
    this.node = node;
    this.key = key;
    this.isEphemeral = isEphemeral;
    this.relay = relay;
  }

  /** A player of kinds 5000 to 5003. */
  static NodePlayer ofNip100(RelayCluster cluster, int node, String relay) {
    return new NodePlayer(cluster, node, Signer.random(), false, relay);
  }

  /** A player of kinds 20300 to 20304. */
  static NodePlayer ephemeral(RelayCluster cluster, int node, String relay) {
    return new NodePlayer(cluster, node, Signer.random(), true, relay);
  }

  String pubkey() {
    return key.pubkey().hex();
  }

  int node() {
    return node;
  }

  /** Connects to another node, and comes back to the game if there is one. */
  void moveTo(int other) {
    node = other;
    hasMoved = true;
    connect(cluster.url(other));
    client().publishWithoutWaiting(search());
  }

  /** It returns to the node, and sends its last event again, which may have had its effect. */
  @Override
  void restarted() {
    moveTo(node);
    if (last != null) {
      client().publishWithoutWaiting(last);
    }
  }

  /** Whether it has had one connection only, and thus has been sent no state twice. */
  boolean hasStayed() {
    return !hasMoved;
  }

  /** Whether it plays White in the game of a state. */
  boolean isWhite(GameState state) {
    return state.players().get(0).equals(pubkey());
  }

  Event search(String control) {
    time = control;
    return search();
  }

  private Event search() {
    List<String> tag = List.of("time", time);
    return isEphemeral ? sign(20300, "", tag) : sign(5000, "connect", tag);
  }

  Event move(String uci) {
    return sign(isEphemeral ? 20303 : 5001, uci);
  }

  Event offerDraw() {
    return isEphemeral ? sign(20303, "draw") : sign(5002, "offer");
  }

  Event acceptDraw() {
    return isEphemeral ? sign(20303, "draw") : sign(5002, "accept");
  }

  Event takeback() {
    return sign(isEphemeral ? 20303 : 5002, "takeback");
  }

  Event acceptTakeback() {
    return isEphemeral ? sign(20303, "takeback") : sign(5002, "accept");
  }

  Event resign() {
    return sign(isEphemeral ? 20303 : 5003, "resign");
  }

  @SafeVarargs
  @SuppressWarnings("varargs") // the list is a copy
  private Event sign(int kind, String content, List<String>... more) {
    List<List<String>> tags = new ArrayList<>(List.of(more));
    tags.add(List.of("nonce", "" + ++events));
    if (isEphemeral) {
      tags.add(List.of("p", relay));
    }
    return key.sign(System.currentTimeMillis() / 1000, kind, new Tags(tags), content);
  }

  /** Sends an event; its answer is read later. */
  void publish(Event event) {
    last = event;
    client().publishWithoutWaiting(event);
  }

  /** Sends an event and waits for its answer; it must be accepted. */
  void send(Event event) {
    publish(event);
    awaitAnswer(event);
  }
}
