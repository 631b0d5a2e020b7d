/** No answer arrived, or it broke off: whether the request had an effect is not known. `cause` says what the platform said. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /** @param peer who gave no answer: the issuer, if the session had to be renewed before the request could be sent */
  constructor(
    cause: unknown,
    readonly peer: 'server' | 'issuer' = 'server',
  ) {
    super(`No complete answer from the ${peer}${cause instanceof Error ? `: ${cause.message}` : '.'}`, { cause });
  }
}
