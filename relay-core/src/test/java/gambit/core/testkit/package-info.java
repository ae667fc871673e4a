/**
 * What every module's tests play with: a relay on a free port with a hand-moved clock, clients over
 * real sockets, and golden frame files. No production code may depend on it.
 */
package gambit.core.testkit;
