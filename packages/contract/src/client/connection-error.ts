/**
 * Thrown when no complete response arrives, so it is unknown whether the request had an effect. `cause` is the error of
 * the platform.
 */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  /**
   * @param peer the party that did not respond: the issuer, if the session had to be renewed before the request could
   * be sent
   */
  constructor(
    cause: unknown,
    readonly peer: 'server' | 'issuer' = 'server',
  ) {
    super(`No complete response from the ${peer}${cause instanceof Error ? `: ${cause.message}` : '.'}`, { cause });
  }
}
