const UUID_PATTERN = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns whether a string has the format of an API id. The API refuses all other strings. */
export function isUuid(value: string): boolean {
  return UUID_PATTERN.test(value);
}
