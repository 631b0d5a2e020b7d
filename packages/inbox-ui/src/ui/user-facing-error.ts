/** An error whose message is of the texts, and said as it is. Those of others are for programmers. */
export class UserFacingError extends Error {
  override readonly name = 'SaidError';
}
