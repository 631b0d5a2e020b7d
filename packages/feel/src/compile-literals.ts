import { childAt, getChildren, constantCode, type NodeCompiler } from './compiler.js';
import { parseDecimal } from './numbers/decimal.js';
import { parseTemporal } from './temporal/parse.js';

/**
 * Returns the value of a string literal. As in Camunda's FEEL, `\"`, `\'`, `\n`, `\r`, `\t`, `\b` and `\f` are escapes.
 * Every other backslash is literal, so patterns need no doubled backslashes.
 */
export function unquote(text: string): string {
  const inner = text.slice(1, -1);
  return inner.includes('\\')
    ? inner.replace(/\\(["'nrtbf])/g, (_, escape: string) => ESCAPED_CHARACTERS.get(escape) ?? escape)
    : inner;
}

const ESCAPED_CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
]);

const compileNumber: NodeCompiler = (compiler, node) => {
  const text = compiler.text(node).replace(/\s/g, '');
  if (/e/i.test(text)) throw compiler.error(node, `Write the number '${text}' without an exponent`);
  return constantCode(parseDecimal(text));
};

const compileAtLiteral: NodeCompiler = (compiler, node) => {
  const literal = childAt(getChildren(node), 0);
  const text = getChildren(literal)[0] ?? literal;
  return constantCode(parseTemporal(unquote(compiler.text(text).replace(/^@/, ''))));
};

export const literalCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['NumericLiteral', compileNumber],
  ['StringLiteral', (compiler, node) => constantCode(unquote(compiler.text(node)))],
  ['BooleanLiteral', (compiler, node) => constantCode(compiler.text(node) === 'true')],
  ['null', () => constantCode(null)],
  ['AtLiteral', compileAtLiteral],
];
