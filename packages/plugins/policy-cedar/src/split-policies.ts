/** One policy of a file, unchanged. */
export interface PolicyText {
  readonly file: string;
  readonly text: string;
  /** Offset of the policy in the file, in bytes. */
  readonly start: number;
}

/** Part of a file after its last `;`, if it contains more than white space and comments. */
export interface UnterminatedPolicy {
  readonly file: string;
  readonly start: number;
}

/**
 * Splits a policy file at each `;` outside of strings and comments, so that each issue refers to its policy, and one
 * invalid policy does not hide the issues of the others. Cedar parses each part.
 */
export function splitPolicies(
  file: string,
  content: string,
): { readonly policies: readonly PolicyText[]; readonly rest: UnterminatedPolicy | null } {
  const policies: PolicyText[] = [];
  let policyStart = 0;
  let isInPolicy = false;
  let index = 0;
  const byteOffset = createByteOffsetConverter(content);
  while (index < content.length) {
    const character = content.charAt(index);
    if (character === '/' && content.charAt(index + 1) === '/') {
      index = findEndOfLine(content, index);
    } else if (character === '"') {
      isInPolicy = markStart(isInPolicy, index);
      index = findEndOfString(content, index);
    } else {
      if (!/\s/.test(character)) isInPolicy = markStart(isInPolicy, index);
      index += 1;
      if (character === ';') {
        policies.push({ file, text: content.slice(policyStart, index), start: byteOffset(policyStart) });
        isInPolicy = false;
      }
    }
  }
  return { policies, rest: isInPolicy ? { file, start: byteOffset(policyStart) } : null };

  function markStart(wasInPolicy: boolean, position: number): true {
    if (!wasInPolicy) policyStart = position;
    return true;
  }
}

/** Returns the line and column of an offset in a file, both from 1. */
export function toLineAndColumn(
  content: string,
  byteOffset: number,
): { readonly line: number; readonly column: number } {
  const textBefore = Buffer.from(content, 'utf8').subarray(0, byteOffset).toString('utf8');
  const lines = textBefore.split('\n');
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
}

/** Returns a function from offsets in a JavaScript string to those in its UTF-8 form, for ascending offsets. */
function createByteOffsetConverter(content: string): (index: number) => number {
  let [lastIndex, lastBytes] = [0, 0];
  return (index) => {
    lastBytes += Buffer.byteLength(content.slice(lastIndex, index), 'utf8');
    lastIndex = index;
    return lastBytes;
  };
}

function findEndOfLine(content: string, from: number): number {
  const end = content.indexOf('\n', from);
  return end === -1 ? content.length : end + 1;
}

/** Returns the offset after the closing quote; an unclosed string extends to the end of the file. */
function findEndOfString(content: string, from: number): number {
  for (let index = from + 1; index < content.length; index += 1) {
    const character = content.charAt(index);
    if (character === '\\') index += 1;
    else if (character === '"') return index + 1;
  }
  return content.length;
}
