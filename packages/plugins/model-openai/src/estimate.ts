/** About as many as tokenizers make of English. */
const CHARACTERS_A_TOKEN = 4;

/** For servers that do not count. */
export function estimatedTokens(parts: readonly unknown[]): number {
  return Math.ceil(parts.reduce((sum: number, part) => sum + lengthOf(part), 0) / CHARACTERS_A_TOKEN);
}

/** A number stands for so many characters. */
function lengthOf(part: unknown): number {
  if (typeof part === 'number') return part;
  return typeof part === 'string' ? part.length : JSON.stringify(part).length;
}
