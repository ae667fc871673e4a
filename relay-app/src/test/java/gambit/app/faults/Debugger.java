package gambit.app.faults;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** A debugger connected to a program: lists its threads, and throws an error in one of them. */
final class Debugger implements AutoCloseable {
  private final ListeningConnector connector;
  private final Map<String, Connector.Argument> arguments;
  private final String address;
  private final Future<VirtualMachine> accepted;

  /** Listens for a program, which waits at its start until its connection is accepted. */
  Debugger() throws Exception {
    connector =
        Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(it -> it.name().equals("com.sun.jdi.SocketListen"))
            .findFirst()
            .orElseThrow();
    arguments = connector.defaultArguments();
    arguments.get("localAddress").setValue("127.0.0.1");
    arguments.get("port").setValue("0");
    address = connector.startListening(arguments);
    var accepting = new FutureTask<>(() -> connector.accept(arguments));
    new Thread(accepting, "debugger").start();
    accepted = accepting;
  }

  /** The option with which Java connects to this debugger. */
  String javaOption() {
    return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=n,address=127.0.0.1:"
        + address.replaceAll(".*:", "");
  }

  private VirtualMachine machine() throws Exception {
    return accepted.get(2, TimeUnit.MINUTES);
  }

  /** The names of all Java threads of the program. */
  List<String> threads() throws Exception {
    return machine().allThreads().stream().map(ThreadReference::name).toList();
  }

  /** Throws an error in the thread with this name prefix, as soon as it runs again. */
  void throwErrorIn(String thread) throws Exception {
    throwErrorIn(
        machine().allThreads().stream()
            .filter(it -> it.name().startsWith(thread))
            .findFirst()
            .orElseThrow());
  }

  private void throwErrorIn(ThreadReference thread) throws Exception {
    // The JVM allocates instances in advance, for use when there is no memory.
    ObjectReference error =
        machine().classesByName("java.lang.OutOfMemoryError").get(0).instances(1).get(0);
    try {
      thread.stop(error);
    } catch (VMDisconnectedException e) {
      // The error has ended the program before the debugger had its answer.
    }
  }

  /**
   * Throws an error in a thread with this name prefix that runs code of a class; returns its name.
   */
  String throwErrorInThreadAt(String prefix, String type) throws Exception {
    for (ThreadReference thread : machine().allThreads()) {
      String name = thread.name(); // before the program may end
      if (name.startsWith(prefix) && isAt(thread, type)) {
        throwErrorIn(thread);
        return name;
      }
    }
    throw new AssertionError("no thread " + prefix + " at " + type);
  }

  private static boolean isAt(ThreadReference thread, String type) throws Exception {
    thread.suspend();
    try {
      return thread.frames().stream()
          .anyMatch(frame -> frame.location().declaringType().name().equals(type));
    } finally {
      thread.resume();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      connector.stopListening(arguments);
    } catch (com.sun.jdi.connect.IllegalConnectorArgumentsException e) {
      throw new IllegalStateException(e);
    }
  }
}
