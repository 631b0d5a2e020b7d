import { foldCase, type NamedActor } from '@countersign/model';
import type { PeopleStore } from '../../ports/people.js';

type PeopleLookup = Pick<PeopleStore, 'findUserNames' | 'findPeopleByName'>;

/** Returns a person with the user names that refer only to that person, in lower case. */
export async function findPersonNames(people: PeopleLookup, id: string): Promise<Required<NamedActor>> {
  return { id, userNames: await filterExclusiveNames(people, id, await people.findUserNames(id)) };
}

/**
 * Returns the names, in lower case, that are neither a user name nor the id of another person: data with such a name
 * may be about the other person.
 */
export async function filterExclusiveNames(
  people: PeopleLookup,
  id: string,
  names: readonly string[],
): Promise<string[]> {
  const exclusiveNames: string[] = [];
  for (const name of new Set(names.map(foldCase))) {
    const personIds = await people.findPeopleByName(name);
    if (personIds.every((each) => each === id)) exclusiveNames.push(name);
  }
  return exclusiveNames;
}
