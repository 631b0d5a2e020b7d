const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text can be an id of the API: what can't be would only be refused. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
