import type { Actor } from '@countersign/model';

/**
 * Who had a hand in data that is delivered, for separation of duties: those it names, or else the person who sent it.
 *
 * @param sender `null` or `undefined` where nobody answers for the data by sending it
 */
export function contributorsTo(
  named: readonly string[] | undefined,
  sender: Pick<Actor, 'type' | 'id'> | null | undefined,
): { readonly contributors?: readonly string[] } {
  const contributors = named ?? (sender?.type === 'user' ? [sender.id] : undefined);
  return contributors === undefined ? {} : { contributors };
}
