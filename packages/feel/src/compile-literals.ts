import { childAt, getChildren, createConstantCode, type NodeCompiler } from './compiler.js';
import { parseDecimal } from './numbers/decimal.js';
import { parseTemporal } from './temporal/parse.js';

/**
 * Returns the value of a string literal. As in Camunda's FEEL, `\"`, `\'`, `\n`, `\r`, `\t`, `\b` and `\f` are escape
 * sequences. Every other backslash is literal, so patterns need no doubled backslashes.
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
  const text = compiler.getText(node).replace(/\s/g, '');
  if (/e/i.test(text)) throw compiler.createError(node, `Write the number '${text}' without an exponent`);
  return createConstantCode(parseDecimal(text));
};

const compileAtLiteral: NodeCompiler = (compiler, node) => {
  const literal = childAt(getChildren(node), 0);
  const stringNode = getChildren(literal)[0] ?? literal;
  return createConstantCode(parseTemporal(unquote(compiler.getText(stringNode).replace(/^@/, ''))));
};

export const literalCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['NumericLiteral', compileNumber],
  ['StringLiteral', (compiler, node) => createConstantCode(unquote(compiler.getText(node)))],
  ['BooleanLiteral', (compiler, node) => createConstantCode(compiler.getText(node) === 'true')],
  ['null', () => createConstantCode(null)],
  ['AtLiteral', compileAtLiteral],
];
