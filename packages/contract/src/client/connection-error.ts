/** No answer arrived, or it broke off: whether the request had an effect is not known. `cause` says what the platform said. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';

  constructor(cause: unknown) {
    super(`No complete answer from the server${cause instanceof Error ? `: ${cause.message}` : '.'}`, { cause });
  }
}
