import { foldCase, type Named } from '@countersign/model';
import type { PeopleStore } from '../../ports/people.js';

type People = Pick<PeopleStore, 'userNamesOf' | 'peopleCalled'>;

/** Returns a person with the user names that refer only to that person, in lower case. */
export async function namesOfPerson(people: People, id: string): Promise<Required<Named>> {
  return { id, userNames: await withoutShared(people, id, await people.userNamesOf(id)) };
}

/**
 * Returns the names, in lower case, that are neither a user name nor the id of another person: data with such a name
 * may be about the other person.
 */
export async function withoutShared(people: People, id: string, names: readonly string[]): Promise<string[]> {
  const own: string[] = [];
  for (const name of new Set(names.map(foldCase))) {
    const called = await people.peopleCalled(name);
    if (called.every((each) => each === id)) own.push(name);
  }
  return own;
}
