import { parser, trackVariables } from '@bpmn-io/lezer-feel';
import { MAX_NESTING, MAX_SOURCE_LENGTH } from './budget.js';
import { FeelLimitError, FeelSyntaxError, getPosition } from './errors.js';

/** Entry points of the grammar that are used. */
export type FeelRootNode = 'Expression' | 'UnaryTests';

/** A node of the Lezer syntax tree, as the compiler reads it. */
export type FeelNode = ReturnType<ReturnType<typeof parser.parse>['resolve']>;

interface NameContext {
  readonly tokens: readonly string[];
  contextCache(): { readonly keys: ReadonlySet<string>; readonly prefixes: ReadonlySet<string> };
}

interface TokenInput {
  readonly pos: number;
  read(from: number, to: number): string;
}

/** Names that contain a keyword. The tokenizer needs this list to read each of them as one name. */
const NAMES_WITH_KEYWORDS = ['get or else'];

/** Maximum number of words that the tracker keeps; every name in `NAMES_WITH_KEYWORDS` has fewer. */
const MAX_NAME_TOKENS = 8;

/**
 * Creates a tracker that keeps only the words of the current name. The grammar's own tracker computes the shape of
 * every context to find names with spaces. It is quadratic, and Camunda's dialect has no such names (they need
 * backticks).
 */
function createTracker(): ReturnType<typeof trackVariables> {
  const keys = new Set(NAMES_WITH_KEYWORDS);
  const prefixes = new Set(NAMES_WITH_KEYWORDS.flatMap((name) => Array.from(name, (_, i) => name.slice(0, i + 1))));
  const cache = { keys, prefixes };
  const contextCache = () => cache;
  const emptyContext: NameContext = { tokens: [], contextCache };
  const identifierTerms = findTermIds('Identifier', 'AdditionalIdentifier', 'PropertyIdentifier');
  const nameTerms = findTermIds('VariableName', 'PathName', 'Name', 'PropertyName');
  const reduce = (context: NameContext, term: number, stack: { readonly pos: number }, input: TokenInput) => {
    if (nameTerms.has(term)) return emptyContext;
    if (!identifierTerms.has(term) || context.tokens.length >= MAX_NAME_TOKENS) return context;
    return { tokens: [...context.tokens, input.read(input.pos, stack.pos)], contextCache };
  };
  return Object.assign(trackVariables({}), { start: emptyContext, reduce });
}

function findTermIds(...names: string[]): ReadonlySet<number> {
  return new Set(parser.nodeSet.types.filter((type) => names.includes(type.name)).map((type) => type.id));
}

const contextTracker = createTracker();
const parsers = {
  Expression: parser.configure({ top: 'Expression', strict: true, dialect: 'camunda', contextTracker }),
  UnaryTests: parser.configure({ top: 'UnaryTests', strict: true, dialect: 'camunda', contextTracker }),
};

/**
 * Parses a complete source.
 *
 * @throws {FeelSyntaxError} with the position at which the source is no longer valid FEEL
 * @throws {FeelLimitError} if the source is too long or nested too deeply
 */
export function parse(source: string, top: FeelRootNode): FeelNode {
  if (source.length > MAX_SOURCE_LENGTH) throw new FeelLimitError('source', MAX_SOURCE_LENGTH);
  checkNesting(source);
  try {
    return parsers[top].parse(source).topNode;
  } catch (error) {
    if (error instanceof RangeError) throw new FeelLimitError('nesting', MAX_NESTING);
    const noParseMatch = error instanceof Error ? /No parse at (\d+)/.exec(error.message) : null;
    throw createSyntaxError(source, Number(noParseMatch?.[1] ?? 0));
  }
}

/** Refuses deeply nested brackets before parsing. Strings and comments do not count. */
function checkNesting(source: string): void {
  const tokens = /"(?:\\[\s\S]|[^"\\])*"|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|[([{]|[)\]}]/g;
  let depth = 0;
  for (const [token] of source.matchAll(tokens)) {
    if ('([{'.includes(token)) depth += 1;
    else if (')]}'.includes(token)) depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) throw new FeelLimitError('nesting', MAX_NESTING);
  }
}

function createSyntaxError(source: string, offset: number): FeelSyntaxError {
  let tokenOffset = offset;
  while (tokenOffset < source.length && /\s/.test(source.charAt(tokenOffset))) tokenOffset += 1;
  const rest = source.slice(tokenOffset, tokenOffset + 200);
  const token = /^(?:[\p{L}_][\p{L}\p{N}_]*|[\d.]+|"[^"\n]{0,20}"?|[<>!=]=|\*\*|.)/u.exec(rest)?.[0];
  if (source.trim() === '') return new FeelSyntaxError('The expression is empty', source, getPosition(source, 0));
  const reason =
    token === undefined
      ? 'Unexpected end of the expression'
      : `Unexpected ${token.startsWith('"') ? token : `'${token}'`}`;
  return new FeelSyntaxError(
    `${reason}${getHint(source, tokenOffset, token)}`,
    source,
    getPosition(source, tokenOffset),
  );
}

/** Offset after which the parser may have stopped at its own depth limit, which it reports like a syntax error. */
const DEEP_NESTING_OFFSET = 2_000;

function getHint(source: string, tokenOffset: number, token: string | undefined): string {
  if (tokenOffset > DEEP_NESTING_OFFSET)
    return `, or the expression is nested too deeply (at most ${MAX_NESTING} levels)`;
  if (token === undefined) return /\bif\b/.test(source) && !/\belse\b/.test(source) ? "; 'if' needs 'else'" : '';
  if (token === "'") return '; strings need double quotes';
  if ((token === 'and' || token === 'or') && source.charAt(tokenOffset + token.length) === '(')
    return token === 'and' ? '; use all(…)' : '; use any(…)';
  if (token === '%') return '; use modulo(a, b)';
  if (token === '&' || token === '|') return "; use 'and' and 'or'";
  if (token === '!') return '; use not(…)';
  if (token === '=' && source.charAt(tokenOffset - 1) === '=') return "; equality is written '='";
  if (token === '$') return '; names with this character need backticks';
  if (source.charAt(tokenOffset - 1) === '.' || source.charAt(tokenOffset) === '.')
    return '; a keyword as a name needs backticks';
  return '';
}
