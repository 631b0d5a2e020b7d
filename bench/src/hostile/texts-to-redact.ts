import { createHash } from 'node:crypto';
import type { Json } from '@countersign/core';

/** Length of each text, in characters: the maximum length of a text in an MCP tool result. */
const TEXT_LENGTH = 1_048_576;

/** Returns pseudo-random bytes, always the same for a seed. */
function pseudoRandomBytes(seed: string, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 32) }, (_, index) =>
    createHash('sha256').update(`${seed}${index}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

/** Tokens, and a connection string. */
export const SECRETS: readonly string[] = [
  ...Array.from({ length: 20 }, (_, index) => pseudoRandomBytes(`secret ${index}`, 30).toString('base64url')),
  `postgresql://countersign:${pseudoRandomBytes('password', 18).toString('base64url')}@db.example:5432/countersign`,
];

const fillToLength = (text: string): string => text.repeat(Math.ceil(TEXT_LENGTH / text.length)).slice(0, TEXT_LENGTH);
const firstSecret = SECRETS[0] ?? '';
const logLine = (index: number): object => ({
  time: `2026-11-23T12:00:${String(index % 60).padStart(2, '0')}.000Z`,
  level: 'info',
  id: pseudoRandomBytes(`id ${index}`, 16).toString('hex'),
  message: `Request ${index} was answered with 200 in ${index % 40} ms.`,
});

/** Results of tools, including some designed to be slow. */
export const TEXTS_TO_REDACT: Readonly<Record<string, Json>> = {
  'prose': fillToLength(
    'An approval holds for one digest: the inputs, the evidence and the definition. Where one of them changes, it is asked for again. ',
  ),
  'source code': fillToLength(
    'export function find(text: string): Found[] {\n  const { first, next } = this;\n  if (state !== 0 && next.get(state * 65_536 + code) === undefined) return [];\n}\n',
  ),
  'log lines of JSON': fillToLength(
    Array.from({ length: 1_000 }, (_, index) => JSON.stringify(logLine(index))).join('\n'),
  ),
  'Base64': pseudoRandomBytes('base64', TEXT_LENGTH * 0.75).toString('base64'),
  'hexadecimal': pseudoRandomBytes('hex', TEXT_LENGTH / 2).toString('hex'),
  'escapes in URLs and JSON': fillToLength('%7B%22name%22%3A%20%22a%C3%B6%22%7D \\u0061\\n\\"b\\" &amp;#112; '),
  'rows: 7,000 objects': Array.from({ length: 7_000 }, (_, index) => logLine(index)) as Json,
  'numbers: 200,000': [...pseudoRandomBytes('numbers', 200_000)],
  'hostile: beginnings of a secret': fillToLength(firstSecret.slice(0, -1)),
  'hostile: beginnings in Base64': fillToLength(Buffer.from(`x${firstSecret}`).toString('base64').slice(0, -8)),
  'hostile: percent signs': fillToLength('%25'),
  'hostile: backslashes': fillToLength('\\'),
};
