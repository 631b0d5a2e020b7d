import { type Actor, getResponsiblePersonId } from '@countersign/model';

/**
 * Returns the contributors to delivered data, for separation of duties: the recorded contributors, or otherwise the
 * person who sent the data.
 *
 * @param sender `null` or `undefined` if no sender is responsible for the data
 */
export function resolveContributors(
  recordedContributors: readonly string[] | undefined,
  sender: Actor | null | undefined,
): { readonly contributors?: readonly string[] } {
  const person = sender === null || sender === undefined ? undefined : getResponsiblePersonId(sender);
  const contributors = recordedContributors ?? (person === undefined ? undefined : [person]);
  return contributors === undefined ? {} : { contributors };
}
