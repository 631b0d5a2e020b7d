/** Characters that could make a text look like another one: controls, and those that turn its direction around. */
const DECEITFUL = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const SHOWN = '\u00b7';

/**
 * A text of somebody's as one line that shows what it is: white space is one space, and what would turn, hide or break it is
 * a dot. @param length in characters; what is longer ends with an ellipsis.
 */
export function oneLine(text: string, length = 120): string {
  const line = text.replace(/\s+/gu, ' ').trim().replace(DECEITFUL, SHOWN);
  const characters = [...line.slice(0, length * 2 + 2)];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}
