import { readNetworkHost } from '@countersign/model';
import type { PolicyJson } from '@cedar-policy/cedar-wasm/nodejs';

/** Thrown when a host literal is invalid. The message is for the author of the policy. */
export class HostLiteralError extends Error {}

const COMPARISONS: ReadonlySet<string> = new Set(['contains', 'containsAll', 'containsAny', '==', '!=']);
const MAX_PORT = 65_535;

type Node = Readonly<Record<string, unknown>>;
type LiteralReader = (literal: unknown) => unknown;

/** Readers for the literals that a policy compares with a set of the context. */
const READERS: ReadonlyMap<unknown, LiteralReader> = new Map<unknown, LiteralReader>([
  ['hosts', readHost],
  ['domains', readHost],
  ['ports', checkPort],
]);

/**
 * Rewrites host literals into the form of `context.hosts` and `context.domains`: `"bücher.example"` becomes
 * `"xn--bcher-kva.example"`, `"[::1]"` becomes `"::1"`. Returns the same policy if nothing changes.
 *
 * @throws {HostLiteralError} if a literal can never match, because a `forbid` with it would protect nothing
 */
export function normalizeHosts(policy: PolicyJson): PolicyJson {
  const conditions = mapEntries(policy.conditions, normalizeComparisons);
  if (conditions === policy.conditions) return policy;
  // The JSON form cannot represent large numbers exactly, so Cedar would evaluate a different number.
  if (/[:[,]-?\d{16,}/.test(JSON.stringify(policy.conditions)))
    throw new HostLiteralError(
      'this policy has a very large number, so write its hosts in the form in which they are compared: in lower case, as A-labels, addresses in their shortest form',
    );
  return { ...policy, conditions: conditions as PolicyJson['conditions'] };
}

function normalizeComparisons(node: unknown): unknown {
  if (!isNode(node)) return Array.isArray(node) ? mapEntries(node, normalizeComparisons) : node;
  return mapEntries(node, (operand, operator) => {
    const inner = normalizeComparisons(operand);
    if (operator === 'isEmpty' && isNode(inner) && findReader(inner['arg']) === checkPort) throw emptyPortsError();
    if (!COMPARISONS.has(operator) || !isNode(inner)) return inner;
    const leftReader = findReader(inner['left']);
    const rightReader = findReader(inner['right']);
    return mapEntries(inner, (side, name) => {
      const read = name === 'right' ? leftReader : name === 'left' ? rightReader : undefined;
      return read === undefined ? side : readLiterals(side, read);
    });
  });
}

/**
 * Returns the reader for literals that are compared with an operand; `undefined` if the operand is not one of the sets
 * in `READERS`.
 */
function findReader(node: unknown): LiteralReader | undefined {
  const choice = isNode(node) ? node['if-then-else'] : undefined;
  if (isNode(choice)) return findReader(choice['then']) ?? findReader(choice['else']);
  const dot = isNode(node) ? node['.'] : undefined;
  return isNode(dot) && isNode(dot['left']) && dot['left']['Var'] === 'context' ? READERS.get(dot['attr']) : undefined;
}

/** Reads a literal, the literals of a set, or those in the branches of an `if` expression. */
function readLiterals(node: unknown, read: LiteralReader): unknown {
  if (Array.isArray(node)) return mapEntries(node, (each) => readLiterals(each, read));
  if (!isNode(node)) return node;
  return mapEntries(node, (member, name) => {
    if (name === 'Value') return Array.isArray(member) ? mapEntries(member, read) : read(member);
    if (name === 'Set') return readLiterals(member, read);
    if (name !== 'if-then-else' || !isNode(member)) return member;
    return mapEntries(member, (branch, branchName) => (branchName === 'if' ? branch : readLiterals(branch, read)));
  });
}

function readHost(literal: unknown): unknown {
  if (typeof literal !== 'string') return literal;
  const host = readNetworkHost(literal);
  if (host === undefined || literal.includes('@') || /[^:]:$/.test(literal))
    throw unmatchableHostError(literal, 'it is not a host name or address');
  if (host.port !== undefined) {
    const advice = `write "${host.name}", and check the port with context.ports.contains(${host.port})`;
    throw unmatchableHostError(literal, advice);
  }
  const labels = host.name.split('.');
  // "*.example" and ".example" are meant as patterns.
  while (labels[0] === '*' || labels[0] === '') labels.shift();
  const isPattern = labels.length < host.name.split('.').length;
  if (labels.some((label) => label === '' || label.includes('*')))
    throw unmatchableHostError(literal, 'it is not a host name or address');
  if (isPattern) {
    const domain = labels.join('.');
    throw unmatchableHostError(
      literal,
      domain === ''
        ? 'it is not a host name or address'
        : `write context.domains.contains("${domain}"), which matches ${domain} and all of its subdomains`,
    );
  }
  return host.name;
}

function checkPort(literal: unknown): unknown {
  if (typeof literal !== 'number' || (literal >= 1 && literal <= MAX_PORT)) return literal;
  throw new HostLiteralError(`${literal} never matches a port: write a port from 1 to ${MAX_PORT}`);
}

/** Before ADR 140, `ports` omitted default ports, so an empty set meant that only default ports were used. */
function emptyPortsError(): HostLiteralError {
  return new HostLiteralError(
    'context.ports includes default ports, so it is empty only if the destination of a step is unknown: write [443].containsAll(context.ports) for steps that use only port 443, or context.hosts.isEmpty() for unknown destinations',
  );
}

function unmatchableHostError(literal: string, reason: string): HostLiteralError {
  return new HostLiteralError(`"${literal}" never matches a host: ${reason}`);
}

function mapEntries(list: readonly unknown[], change: (item: unknown) => unknown): readonly unknown[];
function mapEntries(node: Node, change: (member: unknown, name: string) => unknown): Node;
/** Returns the same value if nothing changes. */
function mapEntries(
  value: readonly unknown[] | Node,
  change: (member: unknown, name: string) => unknown,
): readonly unknown[] | Node {
  let isChanged = false;
  const entries = Object.entries(value).map(([name, member]: [string, unknown]): [string, unknown] => {
    const result = change(member, name);
    if (result !== member) isChanged = true;
    return [name, result];
  });
  if (!isChanged) return value;
  return Array.isArray(value) ? entries.map(([, member]) => member) : Object.fromEntries(entries);
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
