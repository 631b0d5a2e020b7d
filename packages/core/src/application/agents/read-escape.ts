/** Result of reading a possible escape. */
export interface Escape {
  /** Code point of the character; `undefined` if the text is not an escape or the character is a separator. */
  readonly decodedCharacter: number | undefined;
  /** Index of the text after the escape. */
  readonly end: number;
  /** Whether the text is an escape whose letters or digits are not part of the content. */
  readonly isEscape: boolean;
}

const HEX_2 = /[0-9a-f]{2}/iy;
const HEX_4 = /[0-9a-f]{4}/iy;
const HEX_BRACES = /\{0{0,8}([0-9a-f]{1,6})\}/iy;
const OCTAL = /[0-3][0-7]{2}/y;
const NUMERIC_REFERENCE = /#(?:x0{0,8}([0-9a-f]{1,6})|0{0,8}([0-9]{1,7}));?/iy;
const NAMED_REFERENCE =
  /(?:lt|gt|quot|apos|amp|nbsp|sol|bsol|colon|equals|plus|num|lowbar|period|comma|excl|dollar|percnt|commat);/iy;
const MAX_CODE_POINT = 0x10ffff;

/**
 * Reads a possible escape that starts with a backslash, percent sign or ampersand, even if it was escaped several
 * times.
 */
export function readEscape(text: string, position: number): Escape {
  switch (text.charCodeAt(position)) {
    case 0x5c:
      return readBackslashEscape(text, position);
    case 0x25:
      return readPercentEscape(text, position);
    default:
      return readHtmlEntity(text, position);
  }
}

/** Reads an escape of JSON, JavaScript, C, Python or the shell: `\n`, `\x70`, `\160`, `\u0070`, `\u{70}`. */
function readBackslashEscape(text: string, begin: number): Escape {
  let position = begin;
  while (text.charCodeAt(position) === 0x5c) position += 1;
  switch (text[position]) {
    case 'u':
    case 'U': {
      const fourDigits = matchAt(HEX_4, text, position + 1);
      if (fourDigits !== undefined) return readSurrogatePair(text, Number.parseInt(fourDigits[0], 16), position + 5);
      const braces = matchAt(HEX_BRACES, text, position + 1);
      return braces === undefined
        ? toUndecodedEscape(position)
        : toDecodedEscape(Number.parseInt(braces[1] ?? '', 16), position + 1 + braces[0].length);
    }
    case 'x': {
      const twoDigits = matchAt(HEX_2, text, position + 1);
      return twoDigits === undefined
        ? toUndecodedEscape(position)
        : toDecodedEscape(Number.parseInt(twoDigits[0], 16), position + 3);
    }
    case 'n':
    case 'r':
    case 't':
    case 'b':
    case 'f':
    case 'v':
      return toUndecodedEscape(position + 1, true);
    default: {
      const octal = matchAt(OCTAL, text, position);
      return octal === undefined
        ? toUndecodedEscape(position)
        : toDecodedEscape(Number.parseInt(octal[0], 8), position + 3);
    }
  }
}

function readSurrogatePair(text: string, high: number, position: number): Escape {
  if (high < 0xd800 || high > 0xdbff) return toDecodedEscape(high, position);
  let next = position;
  while (text.charCodeAt(next) === 0x5c) next += 1;
  const low = next > position && text[next] === 'u' ? matchAt(HEX_4, text, next + 1) : undefined;
  const unit = low === undefined ? 0 : Number.parseInt(low[0], 16);
  if (unit < 0xdc00 || unit > 0xdfff) return toUndecodedEscape(position, true);
  return toDecodedEscape((high - 0xd800) * 0x400 + (unit - 0xdc00) + 0x10000, next + 5);
}

/** Reads an escape of URLs and forms: the UTF-8 of one character. `%2570` is `%70`, escaped again (RFC 3986, 2.1). */
function readPercentEscape(text: string, begin: number): Escape {
  const first = readPercentByte(text, begin);
  if (first === undefined) return toUndecodedEscape(begin + 1);
  const [lead, end] = first;
  const continuationBytes = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  let value = continuationBytes === 0 ? lead : lead & (0x3f >> continuationBytes);
  let position = end;
  for (let remainingBytes = continuationBytes; remainingBytes > 0; remainingBytes -= 1) {
    const byte = readPercentByte(text, position);
    if (byte === undefined || (byte[0] & 0xc0) !== 0x80) return toUndecodedEscape(end, true);
    value = value * 64 + (byte[0] & 0x3f);
    position = byte[1];
  }
  return toDecodedEscape(value, position);
}

function readPercentByte(text: string, begin: number): readonly [byte: number, end: number] | undefined {
  if (text.charCodeAt(begin) !== 0x25) return undefined;
  let position = begin + 1;
  while (text.startsWith('25', position) && matchAt(HEX_2, text, position + 2) !== undefined) position += 2;
  const twoDigits = matchAt(HEX_2, text, position);
  return twoDigits === undefined ? undefined : [Number.parseInt(twoDigits[0], 16), position + 2];
}

/**
 * Reads an entity of HTML or XML: `&#112;`, `&#x70;`. Named entities are separators, except `&amp;`, which may escape
 * another entity.
 */
function readHtmlEntity(text: string, begin: number): Escape {
  let position = begin + 1;
  while (text.startsWith('amp;', position)) position += 4;
  const reference = matchAt(NUMERIC_REFERENCE, text, position);
  if (reference !== undefined) {
    const [whole, hex, decimal] = reference;
    return toDecodedEscape(
      hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16),
      position + whole.length,
    );
  }
  const namedReference = matchAt(NAMED_REFERENCE, text, position);
  return toUndecodedEscape(
    namedReference === undefined ? position : position + namedReference[0].length,
    namedReference !== undefined || position > begin + 1,
  );
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text) ?? undefined;
}

function toDecodedEscape(value: number, end: number): Escape {
  return { decodedCharacter: value <= MAX_CODE_POINT ? value : undefined, end, isEscape: true };
}

/** @param isEscape whether the text is an escape of a separator */
function toUndecodedEscape(end: number, isEscape = false): Escape {
  return { decodedCharacter: undefined, end, isEscape };
}
