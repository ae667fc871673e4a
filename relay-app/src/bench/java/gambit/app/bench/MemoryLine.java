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
    return isAnonymous ? "anonymous" : "resident";
  }

  @Override
  public String reasonToSkip() {
    return bench.server() == null ? "it needs --pid" : "";
  }

  @Override
  public Totals run(double seconds) throws RelayFailure {
    Totals totals = new Totals();
    ServerProcess server = bench.server();
    if (server != null) {
      ServerProcess.Memory memory = server.memory();
      totals.bytes(isAnonymous ? memory.anonymous() : memory.resident());
    }
    return totals;
  }
}
