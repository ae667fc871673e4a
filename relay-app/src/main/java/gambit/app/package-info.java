/**
 * The program: entry point and wiring, and below it three rooms that know each other in one
 * direction only. {@code tool} has what speaks to any relay as its clients do, and knows nothing of
 * the server in this jar; {@code server} has the settings, data directory, log, metrics, TLS and
 * features around relay-core; {@code command} has what an operator runs on a relay's data
 * directory, whether the relay runs or not. All use {@code common}. The benchmarks are in {@code
 * src/bench}.
 */
@NullMarked
package gambit.app;

import org.jspecify.annotations.NullMarked;
