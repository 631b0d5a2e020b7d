const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a string is a valid API id. The API would refuse any other. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
