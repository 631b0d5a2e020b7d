/**
 * Returns the normalized form of an address that may be opened in the browser: `https`, without user name or password.
 */
export function externalLink(text: string): string | undefined {
  try {
    const url = new URL(text);
    return url.protocol === 'https:' && url.username === '' && url.password === '' && url.hostname !== ''
      ? url.href
      : undefined;
  } catch {
    return undefined;
  }
}
