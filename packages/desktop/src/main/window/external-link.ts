/**
 * Returns the normalized form of an address if it may be opened in the browser, that is, if it uses `https` and has no
 * user name or password.
 */
export function toExternalLink(text: string): string | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== ''
      ? url.href
      : undefined;
  } catch {
    return undefined;
  }
}
