package gambit.app.command.cluster;

import gambit.app.server.nats.NatsServers.Place;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A network for the processes of a cluster, with a network namespace for each of them, and bridges
 * between them in a namespace of their own, where the machine's firewall has no say. There are two
 * bridges: one for clients and relays, one for relays and NATS servers. The latter can be cut for
 * one process without a notice to anybody. Linux, for root only; elsewhere all processes use
 * loopback, and none can be cut off.
 */
final class TestNetwork implements AutoCloseable {
  private static final int FIRST_HOST = 10;

  private final Optional<String> reason;
  private final String name;
  private final String prefix; // the first three numbers of all addresses
  private final List<String> hosts = new ArrayList<>();
  private final Map<String, Place> places = new HashMap<>(); // in the network of NATS
  private boolean isOpen = true;

  private TestNetwork(Optional<String> reason, String name, String prefix) {
    this.reason = reason;
    this.name = name;
    this.prefix = prefix;
  }

  /** Makes the network with these processes, whose names are one letter or two. */
  static TestNetwork create(List<String> relays, List<String> servers) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    String name = "g" + Integer.toString(random.nextInt(36 * 36 * 36, 36 * 36 * 36 * 36), 36);
    String prefix = "10." + random.nextInt(64, 250) + "." + random.nextInt(1, 250) + ".";
    TestNetwork made = new TestNetwork(Optional.empty(), name, prefix);
    Runtime.getRuntime().addShutdownHook(new Thread(made::close));
    try {
      made.makeBridges();
      for (String relay : relays) {
        made.addHost(relay, true);
      }
      for (String server : servers) {
        made.addHost(server, false);
      }
      return made;
    } catch (IOException e) {
      made.close();
      return new TestNetwork(Optional.of("no network namespaces: " + e.getMessage()), name, prefix);
    }
  }

  /** Why no process can be cut off; empty if they can. */
  Optional<String> reasonWithoutCuts() {
    return reason;
  }

  private void makeBridges() throws IOException {
    ip("netns add " + name);
    hosts.add(name);
    for (String bridge : List.of("clients", "nats")) {
      String end = name + bridge.charAt(0);
      ip("-n " + name + " link add " + bridge + " type bridge");
      ip("-n " + name + " link set " + bridge + " up");
      ip("link add " + end + " type veth peer name own-" + bridge + " netns " + name);
      ip("-n " + name + " link set own-" + bridge + " master " + bridge + " up");
      ip("addr add " + address(1, bridge) + "/25 dev " + end);
      ip("link set " + end + " up");
    }
  }

  private String address(int number, String bridge) {
    return prefix + (number + (bridge.equals("nats") ? 128 : 0));
  }

  private void addHost(String host, boolean isRelay) throws IOException {
    int number = FIRST_HOST + hosts.size();
    String namespace = name + host;
    ip("netns add " + namespace);
    hosts.add(namespace);
    ip("-n " + namespace + " link set lo up");
    for (String bridge : isRelay ? List.of("clients", "nats") : List.of("nats")) {
      String end = host + "-" + bridge;
      ip(
          "-n "
              + name
              + " link add "
              + end
              + " type veth peer name "
              + bridge
              + " netns "
              + namespace);
      ip("-n " + name + " link set " + end + " master " + bridge + " up");
      ip("-n " + namespace + " addr add " + address(number, bridge) + "/25 dev " + bridge);
      ip("-n " + namespace + " link set " + bridge + " up");
    }
    List<String> command = List.of("ip", "netns", "exec", namespace);
    places.put(host, new Place(address(number, "nats"), command));
  }

  /** Where a process runs, with its address for NATS. */
  Place place(String host) {
    return places.getOrDefault(host, new Place("127.0.0.1", List.of()));
  }

  /** The address of a relay for clients. */
  String clientAddress(String host) {
    Place place = places.get(host);
    if (place == null) {
      return "127.0.0.1";
    }
    int number = Integer.parseInt(place.address().substring(prefix.length()));
    return prefix + (number - 128);
  }

  /** Cuts a process off from the network of NATS, or connects it again. */
  void setConnected(String host, boolean isConnected) {
    try {
      ip("-n " + name + " link set " + host + "-nats " + (isConnected ? "up" : "down"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void ip(String arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("ip"));
    command.addAll(List.of(arguments.split(" ")));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (InputStream output = process.getInputStream()) {
      String text = new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new IOException("ip " + arguments + ": " + text);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Removes the namespaces, and with them all links. Their processes must have ended. */
  @Override
  public synchronized void close() {
    if (!isOpen) {
      return;
    }
    isOpen = false;
    for (String host : hosts) {
      try {
        ip("netns del " + host);
      } catch (IOException e) {
        System.out.println("A network namespace is left: " + e.getMessage());
      }
    }
  }
}
