package gambit.app.bench;

import gambit.app.tool.client.RelayFailure;

/** The memory of the relay's process as it is. */
final class MemoryLine implements Line {
  private final Bench bench;
  private final boolean isAnonymous;

  /** Resident memory, or the part of it that is not of files. */
  MemoryLine(Bench bench, boolean isAnonymous) {
    this.bench = bench;
    this.isAnonymous = isAnonymous;
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String parameter() {
    return parameter(isAnonymous);
  }

  static String parameter(boolean isAnonymous) {
    return isAnonymous ? "anonymous" : "resident";
  }

  static Totals totals(ServerProcess.Memory memory, boolean isAnonymous) {
    Totals totals = new Totals();
    totals.bytes(isAnonymous ? memory.anonymous() : memory.resident());
    return totals;
  }

  @Override
  public String reasonToSkip() {
    return bench.server() == null ? "it needs --pid" : "";
  }

  @Override
  public Totals run(Amount amount) throws RelayFailure {
    ServerProcess server = bench.server();
    return server == null ? new Totals() : totals(server.memory(), isAnonymous);
  }
}
