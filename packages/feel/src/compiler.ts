import { MAX_NESTING, EvaluationState } from './budget.js';
import type { Code, Evaluate, Scope } from './compile-scope.js';
import { Local } from './compile-scope.js';
import { FeelLimitError, FeelSyntaxError, isStackOverflow, getPosition } from './errors.js';
import { repairDecimalLibrary } from './numbers/decimal.js';
import type { FeelNode } from './parse.js';
import { isContext, isList } from './values.js';

/** Compiles one kind of node. */
export type NodeCompiler = (compiler: Compiler, node: FeelNode, scope: Scope) => Code;

export const ROOT_LOCAL = new Local(undefined, null);

/** Compiles a syntax tree to closures in one pass. `nodeCompilers` contains the compiler for each kind of node. */
export class Compiler {
  /** Number of nodes compiled so far. The nodes of a loop body determine the cost of one iteration. */
  private nodeCount = 0;
  private depth = 0;
  private maxDepth = 0;
  private readonly readPaths = new Map<string, { readonly path: readonly string[]; readonly readCount: number }>();

  constructor(
    readonly source: string,
    private readonly nodeCompilers: ReadonlyMap<string, NodeCompiler>,
  ) {}

  compile(node: FeelNode, scope: Scope): Code {
    this.nodeCount += 1;
    this.enter(1);
    const compileNode = this.nodeCompilers.get(node.name);
    if (!compileNode) throw this.createError(node, `'${this.getExcerpt(node)}' cannot be used here`);
    const code = compileNode(this, node, scope);
    this.leave(1);
    return code;
  }

  /**
   * Adds nesting levels of the evaluation for the nodes that are compiled until the matching call of `leave`.
   *
   * @throws {FeelLimitError} if the expression is nested too deeply
   */
  enter(levels: number): void {
    this.depth += levels;
    if (this.depth > MAX_NESTING) throw new FeelLimitError('nesting', MAX_NESTING);
    if (this.depth > this.maxDepth) this.maxDepth = this.depth;
  }

  leave(levels: number): void {
    this.depth -= levels;
  }

  /**
   * Compiles the body of a loop or function. `cost` is the number of steps per iteration or call, `levels` the number
   * of nesting levels.
   */
  compileBody(node: FeelNode, scope: Scope): { readonly code: Code; readonly cost: number; readonly levels: number } {
    const nodeCountBefore = this.nodeCount;
    const maxDepthBefore = this.maxDepth;
    this.maxDepth = this.depth;
    const code = this.compile(node, scope);
    const levels = this.maxDepth - this.depth + 2;
    this.maxDepth = Math.max(this.maxDepth, maxDepthBefore);
    return { code, cost: 1 + (this.nodeCount - nodeCountBefore) / 8, levels };
  }

  getText(node: FeelNode): string {
    return this.source.slice(node.from, node.to);
  }

  private getExcerpt(node: FeelNode): string {
    const text = this.getText(node);
    return text.length > 40 ? `${text.slice(0, 40)}…` : text;
  }

  createError(node: FeelNode, reason: string): FeelSyntaxError {
    return new FeelSyntaxError(reason, this.source, getPosition(this.source, node.from));
  }

  /**
   * Records that the expression reads a variable or a path of a variable. If `isExtended` is true, removes one earlier
   * record instead, because the path is only the start of a longer path.
   */
  recordRead(path: readonly string[], isExtended = false): void {
    const key = path.join('\u0000');
    const readCount = (this.readPaths.get(key)?.readCount ?? 0) + (isExtended ? -1 : 1);
    if (readCount > 0) this.readPaths.set(key, { path, readCount });
    else this.readPaths.delete(key);
  }

  get reads(): readonly (readonly string[])[] {
    return [...this.readPaths.values()].map(({ path }) => path);
  }
}

/** Returns the children of a node without comments. */
export function getChildren(node: FeelNode): FeelNode[] {
  const children: FeelNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'LineComment' && child.name !== 'BlockComment') children.push(child);
  }
  return children;
}

/** Returns the child at an index. The grammar guarantees that the child exists. */
export function childAt(children: readonly FeelNode[], index: number): FeelNode {
  const child = children[index];
  if (!child) throw new Error(`FEEL syntax node has no child ${index}`);
  return child;
}

export function createConstantCode(value: unknown): Code {
  return { evaluate: () => value, constant: { value } };
}

/** Evaluates code with only constant operands at compile time, if the result is small and immutable. */
export function foldConstant(evaluate: Evaluate, ...operands: readonly Code[]): Code {
  if (!operands.every((operand) => operand.constant)) return { evaluate };
  try {
    const value = evaluate(new EvaluationState(new Map(), 0, 'UTC', { steps: 1_000, size: 1_000 }), ROOT_LOCAL);
    return isList(value) || isContext(value) ? { evaluate } : createConstantCode(value);
  } catch (error) {
    if (isStackOverflow(error)) repairDecimalLibrary();
    return { evaluate };
  }
}
