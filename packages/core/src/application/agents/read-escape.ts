/** Character that may be written as an escape. */
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
 * Reads the escape that may start with a backslash, percent sign or ampersand, even if it was escaped several times.
 */
export function readEscape(text: string, at: number): Escape {
  switch (text.charCodeAt(at)) {
    case 0x5c:
      return backslashEscape(text, at);
    case 0x25:
      return percentEscape(text, at);
    default:
      return htmlEntity(text, at);
  }
}

/** Reads an escape of JSON, JavaScript, C, Python or the shell: `\n`, `\x70`, `\160`, `\u0070`, `\u{70}`. */
function backslashEscape(text: string, begin: number): Escape {
  let at = begin;
  while (text.charCodeAt(at) === 0x5c) at += 1;
  switch (text[at]) {
    case 'u':
    case 'U': {
      const four = matchAt(HEX_4, text, at + 1);
      if (four !== undefined) return surrogatePair(text, Number.parseInt(four[0], 16), at + 5);
      const braces = matchAt(HEX_BRACES, text, at + 1);
      return braces === undefined
        ? undecoded(at)
        : character(Number.parseInt(braces[1] ?? '', 16), at + 1 + braces[0].length);
    }
    case 'x': {
      const two = matchAt(HEX_2, text, at + 1);
      return two === undefined ? undecoded(at) : character(Number.parseInt(two[0], 16), at + 3);
    }
    case 'n':
    case 'r':
    case 't':
    case 'b':
    case 'f':
    case 'v':
      return undecoded(at + 1, true);
    default: {
      const octal = matchAt(OCTAL, text, at);
      return octal === undefined ? undecoded(at) : character(Number.parseInt(octal[0], 8), at + 3);
    }
  }
}

function surrogatePair(text: string, high: number, at: number): Escape {
  if (high < 0xd800 || high > 0xdbff) return character(high, at);
  let next = at;
  while (text.charCodeAt(next) === 0x5c) next += 1;
  const low = next > at && text[next] === 'u' ? matchAt(HEX_4, text, next + 1) : undefined;
  const unit = low === undefined ? 0 : Number.parseInt(low[0], 16);
  if (unit < 0xdc00 || unit > 0xdfff) return undecoded(at, true);
  return character((high - 0xd800) * 0x400 + (unit - 0xdc00) + 0x10000, next + 5);
}

/** Reads an escape of URLs and forms: the UTF-8 of one character. `%2570` is `%70`, escaped again (RFC 3986, 2.1). */
function percentEscape(text: string, begin: number): Escape {
  const first = percentByte(text, begin);
  if (first === undefined) return undecoded(begin + 1);
  const [lead, end] = first;
  const continuationBytes = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : lead >= 0xc0 ? 1 : 0;
  let value = continuationBytes === 0 ? lead : lead & (0x3f >> continuationBytes);
  let at = end;
  for (let remainingBytes = continuationBytes; remainingBytes > 0; remainingBytes -= 1) {
    const byte = percentByte(text, at);
    if (byte === undefined || (byte[0] & 0xc0) !== 0x80) return undecoded(end, true);
    value = value * 64 + (byte[0] & 0x3f);
    at = byte[1];
  }
  return character(value, at);
}

function percentByte(text: string, begin: number): readonly [byte: number, end: number] | undefined {
  if (text.charCodeAt(begin) !== 0x25) return undefined;
  let at = begin + 1;
  while (text.startsWith('25', at) && matchAt(HEX_2, text, at + 2) !== undefined) at += 2;
  const two = matchAt(HEX_2, text, at);
  return two === undefined ? undefined : [Number.parseInt(two[0], 16), at + 2];
}

/**
 * Reads an entity of HTML or XML: `&#112;`, `&#x70;`. Named entities are separators, except `&amp;`, which may escape
 * another entity.
 */
function htmlEntity(text: string, begin: number): Escape {
  let at = begin + 1;
  while (text.startsWith('amp;', at)) at += 4;
  const reference = matchAt(NUMERIC_REFERENCE, text, at);
  if (reference !== undefined) {
    const [whole, hex, decimal] = reference;
    return character(
      hex === undefined ? Number.parseInt(decimal ?? '', 10) : Number.parseInt(hex, 16),
      at + whole.length,
    );
  }
  const namedReference = matchAt(NAMED_REFERENCE, text, at);
  return undecoded(
    namedReference === undefined ? at : at + namedReference[0].length,
    namedReference !== undefined || at > begin + 1,
  );
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function character(value: number, end: number): Escape {
  return { decodedCharacter: value <= MAX_CODE_POINT ? value : undefined, end, isEscape: true };
}

/** @param isEscape whether the text is an escape of a separator */
function undecoded(end: number, isEscape = false): Escape {
  return { decodedCharacter: undefined, end, isEscape };
}
