/**
 * The test kit of all modules: a relay on a free port with a clock that tests advance, clients over
 * real sockets, golden frame files, and {@link MemoryEventStore}, a simple store in memory. No
 * production code may depend on it.
 */
package gambit.core.testkit;
