/** The base of all errors of this library. */
export class GambitError extends Error {
  override name = 'GambitError';
}

/**
 * The relay has refused a request. `prefix` is the machine-readable part of its answer (NIP-01:
 * `invalid`, `rate-limited`, `restricted`, `auth-required`, …), `reason` the text after it.
 */
export class RefusedError extends GambitError {
  override name = 'RefusedError';
  readonly prefix: string;
  readonly reason: string;

  /** @param answer the text of the relay, such as `invalid: not your turn` */
  constructor(answer: string) {
    super(answer);
    const prefix = /^([a-z][a-z-]*): /.exec(answer);
    this.prefix = prefix?.[1] ?? '';
    this.reason = prefix ? answer.slice(prefix[0].length) : answer;
  }
}

/** The client was closed, or an unanswered event became too old to be sent again. */
export class DisconnectedError extends GambitError {
  override name = 'DisconnectedError';
}

/** The signer is missing, has refused, or has returned something else than the signed event. */
export class SignerError extends GambitError {
  override name = 'SignerError';
}

/** The relay has not answered in time. */
export class TimeoutError extends GambitError {
  override name = 'TimeoutError';
}

/** An invite or a rematch has ended without a game. */
export class InviteEndedError extends GambitError {
  override name = 'InviteEndedError';
  readonly reason: 'expired' | 'rejected' | 'withdrawn';

  constructor(reason: 'expired' | 'rejected' | 'withdrawn') {
    super(`the invite is over: ${reason}`);
    this.reason = reason;
  }
}
