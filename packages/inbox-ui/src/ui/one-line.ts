import { escapeInvisible } from './escape-invisible.js';

/** What may be one space: white space that is seen as such, and breaks of lines. */
const SPACES = /[\p{Zs}\t\n\v\f\r]+/gu;

/**
 * A text of somebody's as one line that shows what it is: white space is one space, and what would turn, hide or break it is
 * named (`escapeInvisible`). @param length in characters; what is longer ends with an ellipsis.
 */
export function oneLine(text: string, length = 120): string {
  // Not trim(): to it U+2028 and U+FEFF are white space as well.
  const line = text.replace(SPACES, ' ').replace(/^ | $/g, '');
  const characters = [...line.slice(0, length * 2 + 2)];
  return characters.length > length
    ? `${escapeInvisible(characters.slice(0, length - 1).join(''))}…`
    : escapeInvisible(line);
}
