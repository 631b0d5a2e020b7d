/**
 * Ends a `switch` over a closed set: if a case is missing, the call does not compile.
 *
 * @throws {Error} if data has a value that the types rule out
 */
export function unreachable(value: never): never {
  throw new Error(`Unexpected value ${JSON.stringify(value)}.`);
}
