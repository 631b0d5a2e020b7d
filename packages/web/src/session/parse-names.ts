/** Returns the names in a text in which they are separated by commas, each once. */
export function parseNames(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}
