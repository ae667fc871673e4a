/**
 * The test kit of all modules: a relay on a free port with a clock that tests advance, clients over
 * real sockets, and golden frame files. No production code may depend on it.
 */
package gambit.core.testkit;
