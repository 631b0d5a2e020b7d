/**
 * Returns the offset after the brace or bracket that closes the one at `begin`, in an arbitrary text; `undefined` if it
 * is not closed. Braces and brackets within JSON strings do not count.
 */
export function endOfJson(text: string, begin: number): number | undefined {
  let depth = 0;
  let isString = false;
  // A regular expression would need a stack as deep as a string is long.
  for (let place = begin; place < text.length; place += 1) {
    const character = text[place];
    if (isString) {
      if (character === '\\') place += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && (depth -= 1) === 0) return place + 1;
  }
  return undefined;
}
