import type { Change, Client } from '@countersign/contract';

type Listener = (change: Change) => void;

const listenersByClient = new WeakMap<Client, Set<Listener>>();

/**
 * Calls the listener for each comment that the change feed of a session reports, and for each erasure, which may erase
 * comments.
 *
 * @returns a function that ends this
 */
export function onCommentChange(client: Client, listener: Listener): () => void {
  const listeners = listenersByClient.get(client) ?? new Set();
  listenersByClient.set(client, listeners.add(listener));
  return () => void listeners.delete(listener);
}

export function reportCommentChange(client: Client, change: Change): void {
  for (const listener of listenersByClient.get(client) ?? []) listener(change);
}
