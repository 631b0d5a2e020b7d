import { MODEL_LIMITS } from './limits.js';
import { collapse } from './reader/schema-values.js';
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
  readonly name: string;
  /** The `id` attribute as written; `undefined` if there is none. */
  readonly id: string | undefined;
  readonly namespaces: number;
  /** `<name/>` */
  readonly empty: boolean;
  readonly offset: number;
}

// XML 1.0, 2.3. Letters of any script; the reader refuses names that it does not know (its attributes are ASCII).
const NAME = /[\p{L}_][\p{L}\p{M}\p{Nd}_.\-\u00b7]*(?::[\p{L}_][\p{L}\p{M}\p{Nd}_.\-\u00b7]*)?/uy;
const SPACE = /[ \t\n\r]*/y;
// XML 1.0, 2.2: no control characters except tab and line ends, no halves of surrogate pairs, no U+FFFE and U+FFFF.
// eslint-disable-next-line no-control-regex
const ILLEGAL_CHARACTER = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/u;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|(amp|lt|gt|apos|quot));/y;

/** Tokenizes XML. Positions are offsets into the text. */
export class XmlCursor {
  readonly #text: string;
  readonly #source: XmlText;
  #at = 0;

  /**
   * Replaces white space in attribute values with spaces in the source (XML 1.0, 3.3.3), which the reader fails to do.
   */
  constructor(source: XmlText) {
    this.#source = source;
    this.#text = source.text;
  }

  fault(message: string, offset = this.#at): XmlError {
    return new XmlError('malformed_xml', `The XML is not well-formed: ${message}.`, offset);
  }

  limit(message: string): XmlError {
    return new XmlError('model_too_large', `The model has ${message}.`, this.#at);
  }

  checkCharacters(): void {
    const found = ILLEGAL_CHARACTER.exec(this.#text);
    if (found !== null) throw this.fault('a character that XML does not allow', found.index);
  }

  /** Reads `<?xml … ?>` at the very start. */
  declaration(): string | undefined {
    return /^<\?xml\s/.test(this.#text) ? this.#until('<?', '?>', 'the XML declaration') : undefined;
  }

  /** Skips the text before the next `<`; returns `false` at the end of the file. */
  text(inside: boolean): boolean {
    const next = this.#text.indexOf('<', this.#at);
    const end = next === -1 ? this.#text.length : next;
    if (!inside) {
      this.#space();
      if (this.#at < end) throw this.fault('text outside of the root element');
    } else if (end > this.#at) {
      this.#references(this.#at, end);
      const closing = this.#text.slice(this.#at, end).indexOf(']]>');
      if (closing !== -1) throw this.fault('"]]>" in text', this.#at + closing);
    }
    this.#at = end;
    return next !== -1;
  }

  comment(): boolean {
    const start = this.#at;
    const comment = this.#until('<!--', '-->', 'a comment');
    if (comment === undefined) return false;
    // XML 1.0, 2.5
    const body = comment.slice(4, -3);
    if (body.includes('--') || body.endsWith('-')) throw this.fault('"--" in a comment', start);
    return true;
  }

  /** Skips a processing instruction (for example an `xml-stylesheet`), which is never executed. */
  instruction(): boolean {
    const start = this.#at;
    const instruction = this.#until('<?', '?>', 'a processing instruction');
    if (instruction === undefined) return false;
    if (/^<\?xml[\s?]/i.test(instruction)) throw this.fault('the XML declaration is not at the start', start);
    return true;
  }

  cdata(inside: boolean): boolean {
    const start = this.#at;
    if (this.#until('<![CDATA[', ']]>', 'a CDATA section') === undefined) return false;
    if (!inside) throw this.fault('text outside of the root element', start);
    return true;
  }

  refuseDeclarations(): void {
    if (/^<!doctype/i.test(this.#text.slice(this.#at, this.#at + 9))) {
      throw new XmlError(
        'doctype_refused',
        'The XML has a DOCTYPE, which is not allowed (entities are never expanded).',
        this.#at,
      );
    }
    if (this.#text.startsWith('<!', this.#at)) throw this.fault('a declaration');
  }

  /** Reads the name of a closing tag; returns `undefined` if there is none at this position. */
  closeTag(): string | undefined {
    if (!this.#text.startsWith('</', this.#at)) return undefined;
    this.#at += 2;
    const name = this.#name('an element');
    this.#space();
    this.#expect('>');
    return name;
  }

  openTag(): OpenTag {
    const offset = this.#at;
    this.#expect('<');
    const name = this.#name('an element');
    const attributes = new Set<string>();
    let id: string | undefined;
    let namespaces = 0;
    for (;;) {
      const before = this.#at;
      this.#space();
      if (this.#text.startsWith('/>', this.#at)) {
        this.#at += 2;
        return { name, id, namespaces, empty: true, offset };
      }
      if (this.#text.startsWith('>', this.#at)) {
        this.#at += 1;
        return { name, id, namespaces, empty: false, offset };
      }
      if (this.#at >= this.#text.length) throw this.fault(`<${name}> is not closed`, offset);
      if (this.#at === before) throw this.fault(`white space is missing in <${name}>`);
      const attribute = this.#name('an attribute');
      if (attributes.has(attribute)) throw this.fault(`duplicate attribute "${attribute}"`);
      attributes.add(attribute);
      if (attributes.size > MODEL_LIMITS.attributes) {
        throw this.limit(`more than ${MODEL_LIMITS.attributes} attributes in one <${name}>`);
      }
      const value = this.#attributeValue(attribute);
      if (attribute === 'id') id = collapse(value);
      if (attribute === 'xmlns' || attribute.startsWith('xmlns:')) namespaces += 1;
    }
  }

  #attributeValue(attribute: string): string {
    this.#space();
    this.#expect('=');
    this.#space();
    const quote = this.#text.charAt(this.#at);
    if (quote !== '"' && quote !== "'") throw this.fault(`the value of attribute "${attribute}" is not quoted`);
    const start = this.#at + 1;
    const end = this.#text.indexOf(quote, start);
    if (end === -1) throw this.fault(`the value of attribute "${attribute}" has no closing quote`);
    const value = this.#text.slice(start, end);
    if (value.includes('<')) throw this.fault(`"<" in the value of attribute "${attribute}"`);
    this.#references(start, end);
    this.#whiteSpace(start, value);
    this.#at = end + 1;
    return value;
  }

  #whiteSpace(start: number, value: string): void {
    for (const match of value.matchAll(/[\t\n]+/g)) {
      const at = start + match.index;
      this.#source.replace(at, at + match[0].length, ' '.repeat(match[0].length));
    }
  }

  /**
   * Checks the references in a range. XML 1.0, 4.1: without a DOCTYPE, only the five predefined entities and characters
   * can be referenced.
   */
  #references(start: number, end: number): void {
    // Searches the slice: a search in the whole text would go past its end and take quadratic time.
    const slice = this.#text.slice(start, end);
    for (let found = slice.indexOf('&'); found !== -1; found = slice.indexOf('&', found + 1)) {
      const at = start + found;
      REFERENCE.lastIndex = at;
      const match = REFERENCE.exec(this.#text);
      if (match === null) throw this.fault('"&" that does not start a known reference', at);
      if (match[3] !== undefined) continue;
      const code = match[1] === undefined ? Number.parseInt(match[2] ?? '', 16) : Number(match[1]);
      if (code > 0x10ffff || ILLEGAL_CHARACTER.test(String.fromCodePoint(code))) {
        throw this.fault('a reference to a character that XML does not allow', at);
      }
    }
  }

  #until(start: string, end: string, what: string): string | undefined {
    if (!this.#text.startsWith(start, this.#at)) return undefined;
    const found = this.#text.indexOf(end, this.#at + start.length);
    if (found === -1) throw this.fault(`${what} is not closed`);
    const from = this.#at;
    this.#at = found + end.length;
    return this.#text.slice(from, this.#at);
  }

  #name(what: string): string {
    NAME.lastIndex = this.#at;
    const name = NAME.exec(this.#text)?.[0];
    if (name === undefined) throw this.fault(`${what} has no valid name`);
    // Later code uses JavaScript objects as dictionaries, and each of them has such names.
    if (name.slice(name.indexOf(':') + 1) in Object.prototype || name in Object.prototype) {
      throw new XmlError('reserved_name', `The name "${name}" is reserved and cannot be used in a model.`, this.#at);
    }
    this.#at = NAME.lastIndex;
    return name;
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }

  #expect(character: string): void {
    if (!this.#text.startsWith(character, this.#at)) throw this.fault(`"${character}" is expected`);
    this.#at += 1;
  }
}
