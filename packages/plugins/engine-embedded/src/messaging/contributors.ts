import { type Actor, personBehind } from '@countersign/model';

/**
 * Who had a hand in data that is delivered, for separation of duties: those it names, or else the person who sent it.
 *
 * @param sender `null` or `undefined` where nobody answers for the data by sending it
 */
export function contributorsTo(
  named: readonly string[] | undefined,
  sender: Actor | null | undefined,
): { readonly contributors?: readonly string[] } {
  const person = sender === null || sender === undefined ? undefined : personBehind(sender);
  const contributors = named ?? (person === undefined ? undefined : [person]);
  return contributors === undefined ? {} : { contributors };
}
