/** One policy of a file, unchanged. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
  /** Start in the file, in bytes. */
  readonly start: number;
}

/** Part of a file after its last `;`, if it has more than spaces and comments. */
export interface UnterminatedPolicy {
  readonly file: string;
  readonly start: number;
}

/**
 * Splits a policy file at each `;` outside of strings and comments, so that an issue names its policy, and one invalid
 * policy does not hide the others. Cedar parses each part.
 */
export function splitPolicies(
  file: string,
  content: string,
): { readonly policies: readonly PolicyText[]; readonly rest: UnterminatedPolicy | null } {
  const policies: PolicyText[] = [];
  let begin = 0;
  let seen = false;
  let index = 0;
  const byteOffset = createByteOffset(content);
  while (index < content.length) {
    const character = content.charAt(index);
    if (character === '/' && content.charAt(index + 1) === '/') {
      index = endOfLine(content, index);
    } else if (character === '"') {
      seen = markStart(seen, index);
      index = endOfString(content, index);
    } else {
      if (!/\s/.test(character)) seen = markStart(seen, index);
      index += 1;
      if (character === ';') {
        policies.push({ file, text: content.slice(begin, index), start: byteOffset(begin) });
        seen = false;
      }
    }
  }
  return { policies, rest: seen ? { file, start: byteOffset(begin) } : null };

  function markStart(before: boolean, at: number): true {
    if (!before) begin = at;
    return true;
  }
}

/** Returns the line and column of an offset in a file, both from 1. */
export function toLineAndColumn(content: string, bytes: number): { readonly line: number; readonly column: number } {
  const before = Buffer.from(content, 'utf8').subarray(0, bytes).toString('utf8');
  const lines = before.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Returns a function from offsets in a JavaScript string to those in its UTF-8 form, for ascending offsets. */
function createByteOffset(content: string): (index: number) => number {
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

/** Returns the offset after the closing quote; an unclosed string extends to the end of the file. */
function endOfString(content: string, from: number): number {
  for (let index = from + 1; index < content.length; index += 1) {
    const character = content.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '"') return index + 1;
  }
  return content.length;
}
