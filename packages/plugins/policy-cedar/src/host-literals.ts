import { readNetworkHost } from '@countersign/model';
import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';

/** The message is for the author of the policy. */
export class HostLiteralFault extends Error {}

const COMPARISONS: ReadonlySet<string> = new Set(['contains', 'containsAll', 'containsAny', '==', '!=']);
const HOST_SETS: ReadonlySet<unknown> = new Set(['hosts', 'domains']);

type Node = Readonly<Record<string, unknown>>;

/**
 * Checks the texts that a policy compares `context.hosts` and `context.domains` with. One that is not written as hosts are
 * in the context never matches, and a `forbid` of it would guard nothing.
 *
 * @throws {HostLiteralFault}
 */
export function checkHostLiterals({ conditions }: PolicyJson): void {
  for (const { body } of conditions) visit(body);
}

function visit(node: unknown): void {
  if (Array.isArray(node)) return node.forEach(visit);
  if (!isNode(node)) return;
  for (const [operator, operand] of Object.entries(node)) {
    if (COMPARISONS.has(operator) && isNode(operand)) {
      const { left, right } = operand;
      if (isHostSet(left)) textsOf(right).forEach(check);
      if (isHostSet(right)) textsOf(left).forEach(check);
    }
    visit(operand);
  }
}

function check(text: string): void {
  const host = readNetworkHost(text);
  if (host?.name === text) return;
  const port = host?.port === undefined ? '' : ` and ask for the port by context.ports.contains(${host.port})`;
  throw new HostLiteralFault(
    `"${text}" never matches a host: ${host === undefined ? 'it is not a host name or address' : `write "${host.name}"${port}`}`,
  );
}

function isHostSet(node: unknown): boolean {
  const dot = isNode(node) ? node['.'] : undefined;
  return isNode(dot) && HOST_SETS.has(dot['attr']) && isNode(dot['left']) && dot['left']['Var'] === 'context';
}

/** A literal, or the literals of a set. */
function textsOf(node: unknown): readonly string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  if (!isNode(node)) return [];
  if (typeof node['Value'] === 'string') return [node['Value']];
  return textsOf(node['Set'] ?? node['Value']);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
