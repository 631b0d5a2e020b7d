import type { CommentedLine } from '@countersign/contract';
import type { LinePlace } from '../ui/line-notes.js';
import type { Thread } from './group-threads.js';

/** A text of an approval: part of its subject, by JSON Pointer, or evidence, by name. */
export type CommentedText =
  { readonly pointer: string; readonly evidence?: never } | { readonly evidence: string; readonly pointer?: never };

export function isSameText(line: CommentedLine, { pointer, evidence }: CommentedText): boolean {
  return line.pointer === pointer && line.evidence === evidence;
}

/** Returns a key that is the same for the same line of a text. */
export function getLineKey({ file, side, number }: Pick<LinePlace, 'file' | 'side' | 'number'>): string {
  return `${side} ${number} ${file ?? ''}`;
}

/** Groups threads by the key of the line that they are about. Threads about the whole approval are left out. */
export function findThreadsByLine(threads: readonly Thread[]): ReadonlyMap<string, readonly Thread[]> {
  const found = new Map<string, Thread[]>();
  for (const thread of threads) {
    const { line } = thread.first;
    if (line === null) continue;
    const key = getLineKey({ file: line.file, side: line.side, number: line.number });
    found.set(key, [...(found.get(key) ?? []), thread]);
  }
  return found;
}
