import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';

/** Parts of the context with an unknown shape. */
export const DATA_NAMES = Object.freeze(['headers', 'properties', 'inputs', 'arguments'] as const);
export type DataName = (typeof DATA_NAMES)[number];

/**
 * Data that policies read. Only this data is passed to Cedar: data that no policy reads has no effect, and may have any
 * size.
 */
export interface Reads {
  /** Names after a dot or in a `has`: attributes of the context, of entities or of values. */
  readonly attributes: ReadonlySet<string>;
  /** Whether the context is used as one value. */
  readonly readsWholeContext: boolean;
  /** Paths read from the data; `all` if a path is not a literal. */
  readonly data: ReadonlyMap<DataName, ReadonlySet<string> | 'all'>;
}

/** Data that policies read, by kind of request, so that a policy that concerns only calls does not slow down steps. */
export interface ReadsByKind {
  readonly step: Reads;
  readonly call: Reads;
}

/** Thrown when a policy reads data in an unsupported way. The message is for the author of the policy. */
export class PolicyReadError extends Error {}

/**
 * Maximum depth of a condition. The evaluation of deeper ones approaches the stack limit. Each `&&` and each dot is a
 * level.
 */
const MAX_DEPTH = 80;

/**
 * Collects the data that policies read.
 *
 * @throws {PolicyReadError} if a condition is too deep, or reads data in an unsupported way
 */
export function collectReads(policies: readonly PolicyJson[]): Reads {
  const attributes = new Set<string>();
  const data = new Map<DataName, Set<string> | 'all'>();
  let readsWholeContext = false;

  const findDataName = (name: string): DataName | undefined => DATA_NAMES.find((known) => known === name);
  const readAll = (name: DataName): void => void data.set(name, 'all');
  const readPath = (name: DataName, path: string): void => {
    const known = data.get(name);
    if (known === 'all') return;
    if (known === undefined) data.set(name, new Set([path]));
    else known.add(path);
  };

  const visit = (node: unknown, depth: number): void => {
    if (depth > MAX_DEPTH)
      throw new PolicyReadError(
        `the condition is nested more than ${MAX_DEPTH} levels deep; split it into several policies`,
      );
    if (Array.isArray(node)) return node.forEach((each) => visit(each, depth + 1));
    if (typeof node !== 'object' || node === null) return;
    for (const [operator, operand] of Object.entries(node) as [string, Record<string, unknown>][]) {
      if (operator === 'Value') {
        rejectNamedData(operand);
      } else if (operator === 'Var') {
        if ((operand as unknown) === 'context') readsWholeContext = true;
      } else if (operator === '.' || operator === 'has') {
        const names = ([] as unknown[]).concat(operand['attr']).map(String);
        names.forEach((name) => attributes.add(name));
        const isOnContext = isContext(operand['left']);
        const name = isOnContext ? findDataName(names[0] ?? '') : undefined;
        if (name !== undefined && (operator === '.' || names.length > 1)) readAll(name);
        if (!isOnContext) visit(operand['left'], depth + 1);
      } else if (operator === 'getTag' || operator === 'hasTag') {
        const name = findContextData(operand['left'], findDataName);
        if (name === undefined) visit(operand['left'], depth + 1);
        else attributes.add(name);
        const path = readStringLiteral(operand['right']);
        if (path === undefined) visit(operand['right'], depth + 1);
        if (name !== undefined && path !== undefined) readPath(name, path);
        else if (name !== undefined) readAll(name);
      } else {
        visit(operand, depth + 1);
      }
    }
  };
  for (const { conditions } of policies) for (const { body } of conditions) visit(body, 0);
  return { attributes, readsWholeContext, data };
}

function isContext(node: unknown): boolean {
  return typeof node === 'object' && node !== null && (node as Record<string, unknown>)['Var'] === 'context';
}

function findContextData(node: unknown, findDataName: (name: string) => DataName | undefined): DataName | undefined {
  const dot = (node as Record<string, Record<string, unknown>> | null)?.['.'];
  return dot !== undefined && isContext(dot['left']) ? findDataName(String(dot['attr'])) : undefined;
}

function readStringLiteral(node: unknown): string | undefined {
  const value = (node as Record<string, unknown> | null)?.['Value'];
  return typeof value === 'string' ? value : undefined;
}

/**
 * Rejects entity literals of data. Data is only available under `context`; a literal would refer to data that was not
 * passed to Cedar, and find nothing.
 */
function rejectNamedData(value: unknown): void {
  if (Array.isArray(value)) return value.forEach(rejectNamedData);
  if (typeof value !== 'object' || value === null) return;
  const entity = (value as Record<string, { type?: unknown } | undefined>)['__entity'];
  if (entity?.type === 'Data')
    throw new PolicyReadError(
      'read data as context.arguments, context.inputs, context.headers or context.properties, not by a name such as Data::"…"',
    );
  Object.values(value).forEach(rejectNamedData);
}
