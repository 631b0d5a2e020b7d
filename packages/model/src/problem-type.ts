/** Returns the `type` URI of a problem document. */
export function problemType(code: string): string {
  return `urn:countersign:problem:${code}`;
}
