/** One policy of a file, as it stands there. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
  /** Where it begins in the file, in bytes. */
  readonly start: number;
}

/** The part of a file behind its last `;`, where there is more than space and comments. */
export interface Rest {
  readonly file: string;
  readonly start: number;
}

/**
 * Takes a file of policies apart at the `;` outside of strings and comments, so that a fault can be told of the policy it
 * is in, and one faulty policy hides none of the others. Each part is left to Cedar's own parser.
 */
export function splitPolicies(
  file: string,
  content: string,
): { readonly policies: readonly PolicyText[]; readonly rest: Rest | null } {
  const policies: PolicyText[] = [];
  let begin = 0;
  let seen = false;
  let index = 0;
  const byteOffset = bytesOf(content);
  while (index < content.length) {
    const character = content.charAt(index);
    if (character === '/' && content.charAt(index + 1) === '/') {
      index = endOfLine(content, index);
    } else if (character === '"') {
      seen = mark(seen, index);
      index = endOfString(content, index);
    } else {
      if (!/\s/.test(character)) seen = mark(seen, index);
      index += 1;
      if (character === ';') {
        policies.push({ file, text: content.slice(begin, index), start: byteOffset(begin) });
        seen = false;
      }
    }
  }
  return { policies, rest: seen ? { file, start: byteOffset(begin) } : null };

  function mark(before: boolean, at: number): true {
    if (!before) begin = at;
    return true;
  }
}

/** Line and column of a place in a file, both counted from 1. */
export function placeOf(content: string, bytes: number): { readonly line: number; readonly column: number } {
  const before = Buffer.from(content, 'utf8').subarray(0, bytes).toString('utf8');
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** From places in a JavaScript string to those in its UTF-8 form, for ascending places. */
function bytesOf(content: string): (index: number) => number {
  let [lastIndex, lastBytes] = [0, 0];
  return (index) => {
    lastBytes += Buffer.byteLength(content.slice(lastIndex, index), 'utf8');
    lastIndex = index;
    return lastBytes;
  };
}

function endOfLine(content: string, from: number): number {
  const end = content.indexOf('\n', from);
  return end === -1 ? content.length : end + 1;
}

/** Behind the closing quote; a string that is not closed goes on to the end of the file. */
function endOfString(content: string, from: number): number {
  for (let index = from + 1; index < content.length; index += 1) {
    const character = content.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '"') return index + 1;
  }
  return content.length;
}
