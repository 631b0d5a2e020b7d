/**
 * Returns the offset after the brace or bracket that closes the one at `start`, in an arbitrary text; `undefined` if it
 * is not closed. Ignores braces and brackets in JSON strings.
 */
export function findJsonEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  // A regular expression would need a stack whose depth is the length of a string.
  for (let index = start; index < text.length; index += 1) {
    const character = text[index];
    if (isInString) {
      if (character === '\\') index += 1;
      else if (character === '"') isInString = false;
    } else if (character === '"') isInString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return index + 1;
  }
  return undefined;
}
