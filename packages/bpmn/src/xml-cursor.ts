import { MODEL_LIMITS } from './limits.js';
import { collapseWhiteSpace } from './reader/schema-values.js';
import type { XmlText } from './xml-text.js';

/** Thrown when XML is not well-formed, or exceeds a limit. */
export class XmlError extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

export interface OpenTag {
  readonly elementName: string;
  /** The `id` attribute as written; `undefined` if there is none. */
  readonly id: string | undefined;
  readonly namespaceCount: number;
  /** `<name/>` */
  readonly isSelfClosing: boolean;
  readonly offset: number;
}

// XML 1.0, 2.3. Allows letters of any script; the reader refuses unknown names (all known attributes are ASCII).
const NAME_PATTERN = /[\p{L}_][\p{L}\p{M}\p{Nd}_.\-\u00b7]*(?::[\p{L}_][\p{L}\p{M}\p{Nd}_.\-\u00b7]*)?/uy;
const WHITE_SPACE_PATTERN = /[ \t\n\r]*/y;
// XML 1.0, 2.2: no control characters except tab and line ends, no unpaired surrogates, no U+FFFE and U+FFFF.
// eslint-disable-next-line no-control-regex
const ILLEGAL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const REFERENCE_PATTERN = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|apos|quot));/y;

/** Tokenizes XML. Positions are offsets into the text. */
export class XmlCursor {
  readonly #text: string;
  readonly #source: XmlText;
  #offset = 0;

  /**
   * @param source receives patches that replace white space in attribute values with spaces (XML 1.0, 3.3.3), because
   *   the reader does not do so
   */
  constructor(source: XmlText) {
    this.#source = source;
    this.#text = source.text;
  }

  createError(message: string, offset = this.#offset): XmlError {
    return new XmlError('malformed_xml', `The XML is not well-formed: ${message}.`, offset);
  }

  createLimitError(message: string): XmlError {
    return new XmlError('model_too_large', `The model has ${message}.`, this.#offset);
  }

  checkCharacters(): void {
    const found = ILLEGAL_CHARACTER.exec(this.#text);
    if (found !== null) throw this.createError('a character that XML does not allow', found.index);
  }

  /** Reads `<?xml … ?>` at the start of the file. */
  readDeclaration(): string | undefined {
    return /^<\?xml\s/.test(this.#text) ? this.#readUntil('<?', '?>', 'the XML declaration') : undefined;
  }

  /** Skips the text before the next `<`; returns `false` at the end of the file. */
  skipText(isInsideRoot: boolean): boolean {
    const next = this.#text.indexOf('<', this.#offset);
    const end = next === -1 ? this.#text.length : next;
    if (!isInsideRoot) {
      this.#skipSpace();
      if (this.#offset < end) throw this.createError('text outside of the root element');
    } else if (end > this.#offset) {
      this.#checkReferences(this.#offset, end);
      const closing = this.#text.slice(this.#offset, end).indexOf(']]>');
      if (closing !== -1) throw this.createError('"]]>" in text', this.#offset + closing);
    }
    this.#offset = end;
    return next !== -1;
  }

  skipComment(): boolean {
    const start = this.#offset;
    const comment = this.#readUntil('<!--', '-->', 'a comment');
    if (comment === undefined) return false;
    // XML 1.0, 2.5
    const body = comment.slice(4, -3);
    if (body.includes('--') || body.endsWith('-')) throw this.createError('"--" in a comment', start);
    return true;
  }

  /** Skips a processing instruction (for example an `xml-stylesheet`), which is never executed. */
  skipInstruction(): boolean {
    const start = this.#offset;
    const instruction = this.#readUntil('<?', '?>', 'a processing instruction');
    if (instruction === undefined) return false;
    if (/^<\?xml[\s?]/i.test(instruction)) throw this.createError('the XML declaration is not at the start', start);
    return true;
  }

  skipCdata(isInsideRoot: boolean): boolean {
    const start = this.#offset;
    if (this.#readUntil('<![CDATA[', ']]>', 'a CDATA section') === undefined) return false;
    if (!isInsideRoot) throw this.createError('text outside of the root element', start);
    return true;
  }

  assertNoMarkupDeclaration(): void {
    if (/^<!doctype/i.test(this.#text.slice(this.#offset, this.#offset + 9))) {
      throw new XmlError(
        'doctype_refused',
        'The XML has a DOCTYPE, which is not allowed (entities are never expanded).',
        this.#offset,
      );
    }
    if (this.#text.startsWith('<!', this.#offset)) throw this.createError('a declaration ("<!…") is not allowed here');
  }

  /** Reads the name of a closing tag; returns `undefined` if there is none at this position. */
  readCloseTag(): string | undefined {
    if (!this.#text.startsWith('</', this.#offset)) return undefined;
    this.#offset += 2;
    const name = this.#readName('an element');
    this.#skipSpace();
    this.#expect('>');
    return name;
  }

  readOpenTag(): OpenTag {
    const offset = this.#offset;
    this.#expect('<');
    const name = this.#readName('an element');
    const attributes = new Set<string>();
    let id: string | undefined;
    let namespaces = 0;
    for (;;) {
      const before = this.#offset;
      this.#skipSpace();
      if (this.#text.startsWith('/>', this.#offset)) {
        this.#offset += 2;
        return { elementName: name, id, namespaceCount: namespaces, isSelfClosing: true, offset };
      }
      if (this.#text.startsWith('>', this.#offset)) {
        this.#offset += 1;
        return { elementName: name, id, namespaceCount: namespaces, isSelfClosing: false, offset };
      }
      if (this.#offset >= this.#text.length) throw this.createError(`<${name}> is not closed`, offset);
      if (this.#offset === before) throw this.createError(`white space is missing in <${name}>`);
      const attribute = this.#readName('an attribute');
      if (attributes.has(attribute)) throw this.createError(`duplicate attribute "${attribute}"`);
      attributes.add(attribute);
      if (attributes.size > MODEL_LIMITS.attributes) {
        throw this.createLimitError(`more than ${MODEL_LIMITS.attributes} attributes in one <${name}>`);
      }
      const value = this.#readAttributeValue(attribute);
      if (attribute === 'id') id = collapseWhiteSpace(value);
      if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) namespaces += 1;
    }
  }

  #readAttributeValue(attribute: string): string {
    this.#skipSpace();
    this.#expect('=');
    this.#skipSpace();
    const quote = this.#text.charAt(this.#offset);
    if (quote !== '"' && quote !== "'") throw this.createError(`the value of attribute "${attribute}" is not quoted`);
    const start = this.#offset + 1;
    const end = this.#text.indexOf(quote, start);
    if (end === -1) throw this.createError(`the value of attribute "${attribute}" has no closing quote`);
    const value = this.#text.slice(start, end);
    if (value.includes('<')) throw this.createError(`"<" in the value of attribute "${attribute}"`);
    this.#checkReferences(start, end);
    this.#normalizeWhiteSpace(start, value);
    this.#offset = end + 1;
    return value;
  }

  #normalizeWhiteSpace(start: number, value: string): void {
    for (const match of value.matchAll(/[\t\n]+/g)) {
      const offset = start + match.index;
      this.#source.addPatch(offset, offset + match[0].length, ' '.repeat(match[0].length));
    }
  }

  /**
   * Checks the references in a range. XML 1.0, 4.1: without a DOCTYPE, only the five predefined entities and characters
   * can be referenced.
   */
  #checkReferences(start: number, end: number): void {
    // Searches the slice: a search in the whole text would continue past `end` and take quadratic time.
    const slice = this.#text.slice(start, end);
    for (let found = slice.indexOf('&'); found !== -1; found = slice.indexOf('&', found + 1)) {
      const offset = start + found;
      REFERENCE_PATTERN.lastIndex = offset;
      const match = REFERENCE_PATTERN.exec(this.#text);
      if (match === null) throw this.createError('"&" that does not start a known reference', offset);
      if (match[3] !== undefined) continue;
      const code = match[1] === undefined ? Number.parseInt(match[2] ?? '', 16) : Number(match[1]);
      if (code > 0x10ffff || ILLEGAL_CHARACTER.test(String.fromCodePoint(code))) {
        throw this.createError('a reference to a character that XML does not allow', offset);
      }
    }
  }

  #readUntil(start: string, end: string, construct: string): string | undefined {
    if (!this.#text.startsWith(start, this.#offset)) return undefined;
    const found = this.#text.indexOf(end, this.#offset + start.length);
    if (found === -1) throw this.createError(`${construct} is not closed`);
    const from = this.#offset;
    this.#offset = found + end.length;
    return this.#text.slice(from, this.#offset);
  }

  #readName(construct: string): string {
    NAME_PATTERN.lastIndex = this.#offset;
    const name = NAME_PATTERN.exec(this.#text)?.[0];
    if (name === undefined) throw this.createError(`${construct} has no valid name`);
    // Later code uses JavaScript objects as dictionaries, which inherit properties with these names.
    if (name.slice(name.indexOf(':') + 1) in Object.prototype || name in Object.prototype) {
      throw new XmlError(
        'reserved_name',
        `The name "${name}" is reserved and cannot be used in a model.`,
        this.#offset,
      );
    }
    this.#offset = NAME_PATTERN.lastIndex;
    return name;
  }

  #skipSpace(): void {
    WHITE_SPACE_PATTERN.lastIndex = this.#offset;
    WHITE_SPACE_PATTERN.exec(this.#text);
    this.#offset = WHITE_SPACE_PATTERN.lastIndex;
  }

  #expect(character: string): void {
    if (!this.#text.startsWith(character, this.#offset)) throw this.createError(`expected "${character}"`);
    this.#offset += 1;
  }
}
