import { escapeInvisible } from './escape-invisible.js';

/** Characters that are replaced by one space: visible white space and line breaks. */
const SPACES = /[\p{Zs}\t\n\v\f\r]+/gu;

/**
 * Returns untrusted text as one line: white space becomes one space, and characters that reverse, hide or break text
 * are escaped (`escapeInvisible`).
 *
 * @param length in characters; longer text ends with an ellipsis
 */
export function oneLine(text: string, length = 120): string {
  // Not trim(): it also removes U+2028 and U+FEFF.
  const line = text.replace(SPACES, ' ').replace(/^ | $/g, '');
  const characters = [...line.slice(0, length * 2 + 2)];
  return characters.length > length
    ? `${escapeInvisible(characters.slice(0, length - 1).join(''))}…`
    : escapeInvisible(line);
}
