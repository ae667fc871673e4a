package gambit.core.session;

import gambit.core.feature.ClientSession;

/** The parts of one connection that its subscriptions and queries share. Immutable. */
record ConnectionContext(
    RelayCore relay,
    ClientSession client,
    Outbox outbox,
    QueryTurns turns,
    QueryAdmission admission) {}
