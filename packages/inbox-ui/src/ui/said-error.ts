/** An error whose message is of the texts, and said as it is. Those of others are for programmers. */
export class SaidError extends Error {
  override readonly name = 'SaidError';
}
