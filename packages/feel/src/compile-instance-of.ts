import type { Run } from './budget.js';
import { childAt, childrenOf, fold, type Compiler, type NodeCompiler } from './compiler.js';
import type { FeelNode } from './parse.js';
import { entryOf, FeelRange, isContext, isList, kindOf, type FeelKind } from './values.js';

type TypeTest = (run: Run, value: unknown) => boolean;

const KINDS: ReadonlyMap<string, FeelKind> = new Map<string, FeelKind>([
  ['number', 'number'],
  ['string', 'string'],
  ['boolean', 'boolean'],
  ['list', 'list'],
  ['context', 'context'],
  ['function', 'function'],
  ['range', 'range'],
  ['date', 'date'],
  ['time', 'time'],
  ['date and time', 'date and time'],
  ['days and time duration', 'days and time duration'],
  ['years and months duration', 'years and months duration'],
]);

/** Compiles `value instance of type`. Null is not an instance of any type, as in Camunda. */
const compileInstanceOf: NodeCompiler = (compiler, node, scope) => {
  const children = childrenOf(node);
  const value = compiler.compile(childAt(children, 0), scope);
  const test = typeTest(compiler, childAt(children, 3));
  return fold((run, local) => test(run, value.evaluate(run, local)), value);
};

function typeTest(compiler: Compiler, node: FeelNode): TypeTest {
  const children = childrenOf(node);
  switch (node.name) {
    case 'Type':
      return typeTest(compiler, childAt(children, 0));
    case 'ListType': {
      const item = typeTest(compiler, childAt(children, 2));
      return (run, value) => {
        if (!isList(value)) return false;
        run.step(value.length);
        return value.every((element) => item(run, element));
      };
    }
    case 'RangeType': {
      const bound = typeTest(compiler, childAt(children, 2));
      return (run, value) => value instanceof FeelRange && bound(run, value.start) && bound(run, value.end);
    }
    case 'ContextType':
      return contextTest(compiler, node);
    case 'FunctionType':
      return (_run, value) => kindOf(value) === 'function';
    default:
      return namedTest(compiler, node);
  }
}

function namedTest(compiler: Compiler, node: FeelNode): TypeTest {
  const name = compiler.text(node).trim().replace(/\s+/g, ' ');
  if (name === 'Any') return (_run, value) => value !== null;
  const kind = KINDS.get(name);
  if (!kind) throw compiler.error(node, `Unknown type '${name}'`);
  return (_run, value) => kindOf(value) === kind;
}

function contextTest(compiler: Compiler, node: FeelNode): TypeTest {
  const entries: { readonly key: string; readonly test: TypeTest }[] = [];
  const visit = (part: FeelNode): void => {
    for (const child of childrenOf(part)) {
      if (child.name === 'ContextEntryTypes') visit(child);
      if (child.name !== 'ContextEntryType') continue;
      const parts = childrenOf(child);
      entries.push({
        key: compiler.text(childAt(parts, 0)).trim(),
        test: typeTest(compiler, childAt(parts, parts.length - 1)),
      });
    }
  };
  visit(node);
  return (run, value) =>
    isContext(value) && entries.every(({ key, test }) => Object.hasOwn(value, key) && test(run, entryOf(value, key)));
}

export const instanceOfCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['InstanceOfExpression', compileInstanceOf],
];
