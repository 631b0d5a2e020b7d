import { createHash } from 'node:crypto';

export type Check = (holds: boolean, message: string) => void;

export function isEqual(a: unknown, b: unknown): boolean {
  return canonicalize(a) === canonicalize(b);
}

/** Returns the SHA-256 digest of the RFC 8785 form. */
export function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalize(value)).digest('hex');
}

/** Returns the RFC 8785 form of a value from JSON.parse. */
export function canonicalize(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined';
  if (Array.isArray(value)) return `[${value.map(canonicalize).join(',')}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalize(member)}`).join(',')}}`;
}
