/** An address that may be opened in the browser: `https`, without a name or password in it. @returns how it is written in full */
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
