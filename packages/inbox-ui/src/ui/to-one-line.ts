import { escapeInvisible } from './escape-invisible.js';

/** Characters that are replaced by one space: visible white space and line breaks. */
const SPACES = /[\p{Zs}\t\n\v\f\r]+/gu;

/**
 * Returns untrusted text as one line: white space becomes one space, and characters that reverse, hide or break text
 * are escaped (`escapeInvisible`).
 *
 * @param maxLength in characters; longer text is shortened and ends with an ellipsis
 */
export function toOneLine(text: string, maxLength = 120): string {
  // Not trim(): it also removes U+2028 and U+FEFF.
  const line = text.replace(SPACES, ' ').replace(/^ | $/g, '');
  const characters = [...line.slice(0, maxLength * 2 + 2)];
  return characters.length > maxLength
    ? `${escapeInvisible(characters.slice(0, maxLength - 1).join(''))}…`
    : escapeInvisible(line);
}
