/** Parses an absolute URL; `undefined` if it is invalid. Chromium 108 and the oldest Electron lack `URL.canParse`. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
