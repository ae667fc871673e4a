package gambit.app.bench;

/**
 * How large the measurements are.
 *
 * @param runs of each line
 * @param seconds of a run
 * @param warmUpSeconds of a run before the first one, which is not counted; 0 for none
 * @param clients that ask or publish at the same time
 * @param rate operations a second of REQs, ingest and mixed traffic in an open loop; 0 for a closed
 *     one
 * @param subscribers that receive each event of a fan-out
 * @param subscriptions by author
 * @param games at the same time
 * @param connections that are opened and stay idle
 * @param box everything at once
 */
record BenchOptions(
    int runs,
    double seconds,
    double warmUpSeconds,
    int clients,
    int rate,
    int subscribers,
    int subscriptions,
    int games,
    int connections,
    BoxSize box) {}
