import { StringStream } from '@codemirror/streamparser';
import type { LineParser } from './load-parser.js';

/** What a word is in its language. Everything else has the colour of the text. */
export type TokenKind = 'comment' | 'keyword' | 'name' | 'number' | 'string' | 'type';

/** Part of a line, from the end of the previous token. */
export interface Token {
  readonly end: number;
  readonly kind: TokenKind | undefined;
}

/** Longer lines have no colours: some expressions of the parsers take time that grows faster than the line. */
export const MAX_COLORED_LINE_LENGTH = 400;
/** Number of times that a parser may return without advancing, as in CodeMirror. */
const MAX_EMPTY_TOKENS = 10;

const KINDS: ReadonlyMap<string, TokenKind> = new Map([
  ['comment', 'comment'],
  ['keyword', 'keyword'],
  ['tag', 'keyword'],
  ['string', 'string'],
  ['regexp', 'string'],
  ['character', 'string'],
  ['number', 'number'],
  ['atom', 'number'],
  ['unit', 'number'],
  ['def', 'name'],
  ['property', 'name'],
  ['propertyName', 'name'],
  ['attribute', 'name'],
  ['qualifier', 'name'],
  ['type', 'type'],
  ['builtin', 'type'],
  ['meta', 'type'],
]);

/** Parses the lines of a text, one after another, because a comment or a string can continue on the next line. */
export class LineReader {
  readonly #state: unknown;

  constructor(private readonly parser: LineParser) {
    this.#state = parser.startState?.(2) ?? {};
  }

  /**
   * @returns the tokens of the next line; none for a long line, which is read as an empty one
   * @throws {Error} if the parser does not advance
   */
  readLine(text: string): readonly Token[] {
    if (text === '' || text.length > MAX_COLORED_LINE_LENGTH) {
      this.parser.blankLine?.(this.#state, 2);
      return [];
    }
    const stream = new StringStream(text, 4, 2);
    const tokens: Token[] = [];
    let emptyTokens = 0;
    while (!stream.eol()) {
      stream.start = stream.pos;
      const style = this.parser.token(stream, this.#state);
      if (stream.pos > stream.start) {
        emptyTokens = 0;
        addToken(tokens, text, stream.pos, findKind(style));
      } else if ((emptyTokens += 1) > MAX_EMPTY_TOKENS) throw new Error('The parser does not advance.');
    }
    return tokens;
  }
}

/** @param style name of a style; some parsers return `undefined` for none, contrary to their type */
function findKind(style: string | null | undefined): TokenKind | undefined {
  if (style === null || style === undefined) return undefined;
  const styles = style.split(/[ .]/);
  // The keys of JSON are strings too.
  if (styles.includes('property')) return 'name';
  for (const each of styles) {
    const kind = KINDS.get(each);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

/** Adds a token, or extends the previous one of the same kind. No token ends within a character. */
function addToken(tokens: Token[], text: string, end: number, kind: TokenKind | undefined): void {
  const isWithinCharacter = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1));
  const previous = tokens.at(-1);
  // The rest of a character belongs to the previous token.
  if (previous?.end === end) return;
  if (previous !== undefined && previous.kind === kind) tokens.pop();
  tokens.push({ end: isWithinCharacter ? end + 1 : end, kind });
}
