const CHARACTER_REFERENCE = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|&#(?:x([\da-fA-F]{5,6})|(\d{5,7}));/g;

/**
 * Replaces references to characters beyond U+FFFF in an XML text with the characters. moddle's parser truncates such
 * references to 16 bits: it would read `&#x10073;` as `s`.
 */
export function decodeWideCharacters(xml: string): string {
  return xml.replaceAll(CHARACTER_REFERENCE, (text, hexadecimal?: string, decimal?: string) => {
    const code = hexadecimal === undefined ? Number(decimal ?? 0) : Number.parseInt(hexadecimal, 16);
    return code > 0xffff && code <= 0x10ffff ? String.fromCodePoint(code) : text;
  });
}
