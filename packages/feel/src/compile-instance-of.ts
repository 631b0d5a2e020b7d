import type { EvaluationState } from './budget.js';
import { childAt, getChildren, foldConstant, type Compiler, type NodeCompiler } from './compiler.js';
import type { FeelNode } from './parse.js';
import { getEntry, FeelRange, isContext, isList, getKind, type FeelKind } from './values.js';

type TypeTest = (state: EvaluationState, value: unknown) => boolean;

const FEEL_KINDS: ReadonlyMap<string, FeelKind> = new Map<string, FeelKind>([
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
  const children = getChildren(node);
  const value = compiler.compile(childAt(children, 0), scope);
  const test = compileTypeTest(compiler, childAt(children, 3));
  return foldConstant((state, local) => test(state, value.evaluate(state, local)), value);
};

function compileTypeTest(compiler: Compiler, node: FeelNode): TypeTest {
  const children = getChildren(node);
  switch (node.name) {
    case 'Type':
      return compileTypeTest(compiler, childAt(children, 0));
    case 'ListType': {
      const itemTest = compileTypeTest(compiler, childAt(children, 2));
      return (state, value) => {
        if (!isList(value)) return false;
        state.chargeSteps(value.length);
        return value.every((element) => itemTest(state, element));
      };
    }
    case 'RangeType': {
      const boundTest = compileTypeTest(compiler, childAt(children, 2));
      return (state, value) =>
        value instanceof FeelRange && boundTest(state, value.start) && boundTest(state, value.end);
    }
    case 'ContextType':
      return compileContextTypeTest(compiler, node);
    case 'FunctionType':
      return (_state, value) => getKind(value) === 'function';
    default:
      return compileNamedTypeTest(compiler, node);
  }
}

function compileNamedTypeTest(compiler: Compiler, node: FeelNode): TypeTest {
  const name = compiler.getText(node).trim().replace(/\s+/g, ' ');
  if (name === 'Any') return (_state, value) => value !== null;
  const kind = FEEL_KINDS.get(name);
  if (!kind) throw compiler.createError(node, `Unknown type '${name}'`);
  return (_state, value) => getKind(value) === kind;
}

function compileContextTypeTest(compiler: Compiler, node: FeelNode): TypeTest {
  const entries: { readonly key: string; readonly test: TypeTest }[] = [];
  const visit = (part: FeelNode): void => {
    for (const child of getChildren(part)) {
      if (child.name === 'ContextEntryTypes') visit(child);
      if (child.name !== 'ContextEntryType') continue;
      const parts = getChildren(child);
      entries.push({
        key: compiler.getText(childAt(parts, 0)).trim(),
        test: compileTypeTest(compiler, childAt(parts, parts.length - 1)),
      });
    }
  };
  visit(node);
  return (state, value) =>
    isContext(value) &&
    entries.every(({ key, test }) => Object.hasOwn(value, key) && test(state, getEntry(value, key)));
}

export const instanceOfCompilers: readonly (readonly [string, NodeCompiler])[] = [
  ['InstanceOfExpression', compileInstanceOf],
];
