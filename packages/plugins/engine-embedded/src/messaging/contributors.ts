import { type Actor, personBehind } from '@countersign/model';

/**
 * Returns the contributors to delivered data, for separation of duties: the named ones, or else the person who sent
 * the data.
 *
 * @param sender `null` or `undefined` if no sender is responsible for the data
 */
export function contributorsTo(
  named: readonly string[] | undefined,
  sender: Actor | null | undefined,
): { readonly contributors?: readonly string[] } {
  const person = sender === null || sender === undefined ? undefined : personBehind(sender);
  const contributors = named ?? (person === undefined ? undefined : [person]);
  return contributors === undefined ? {} : { contributors };
}
