import { ProblemError } from './problem-error.js';

/**
 * Returns the bearer token to send; `undefined`: none.
 *
 * After a response with 401 (RFC 6750, 3.1) it is called with the token that was refused. If it returns another one, the
 * request is sent once more: the server has not executed it (RFC 9110, 15.5.2). A body that is a stream is not sent twice.
 * It is also called with a second token that is refused; what it returns then is not used.
 *
 * @param refused the token that the server has just refused
 */
export type TokenProvider = (refused?: string) => string | undefined | Promise<string | undefined>;

/**
 * Sends a request once; twice if its token was refused and there is another one.
 *
 * @param send throws a {@link ProblemError} if the server refuses
 * @param isRepeatable whether the same request can be sent again
 * @throws what `token` or `send` throws
 */
export async function sendByToken<T>(
  token: TokenProvider,
  send: (token: string | undefined) => Promise<T>,
  isRepeatable = true,
): Promise<T> {
  let sent = await token();
  for (let repeated = false; ; repeated = true) {
    try {
      return await send(sent);
    } catch (error) {
      if (!sent || !(error instanceof ProblemError) || error.status !== 401) throw error;
      const other = await token(sent);
      if (repeated || !other || other === sent || !isRepeatable) throw error;
      sent = other;
    }
  }
}
