import { ProblemError } from './problem-error.js';

/**
 * Function that returns the bearer token to send; `undefined` to send none.
 *
 * After a response with 401 (RFC 6750, 3.1), the provider is called with the refused token. If it returns another
 * token, the request is sent again, because the server has not executed it (RFC 9110, 15.5.2). A stream body is not
 * sent twice. The provider is also called if the second token is refused, but its result is then ignored.
 *
 * @param refused the token that the server has just refused
 */
export type TokenProvider = (refusedToken?: string) => string | undefined | Promise<string | undefined>;

/**
 * Sends a request once, or twice if its token was refused and another one is available.
 *
 * @param send throws a {@link ProblemError} if the server refuses
 * @param isRepeatable whether the same request can be sent again
 * @throws the error of `getToken` or `send`
 */
export async function sendWithToken<T>(
  getToken: TokenProvider,
  send: (token: string | undefined) => Promise<T>,
  isRepeatable = true,
): Promise<T> {
  let currentToken = await getToken();
  for (let hasRepeated = false; ; hasRepeated = true) {
    try {
      return await send(currentToken);
    } catch (error) {
      if (!currentToken || !(error instanceof ProblemError) || error.status !== 401) throw error;
      const freshToken = await getToken(currentToken);
      if (hasRepeated || !freshToken || freshToken === currentToken || !isRepeatable) throw error;
      currentToken = freshToken;
    }
  }
}
