import { foldCase, type Named } from '@countersign/model';
import type { PeopleStore } from '../../ports/people.js';

type People = Pick<PeopleStore, 'userNamesOf' | 'peopleCalled'>;

/** A person with the user names that mean nobody else, in lower case. */
export async function namesOfPerson(people: People, id: string): Promise<Required<Named>> {
  return { id, userNames: await withoutShared(people, id, await people.userNamesOf(id)) };
}

/** Those of the names, in lower case, that neither are a user name of somebody else nor their id: what holds those may be about the other. */
export async function withoutShared(people: People, id: string, names: readonly string[]): Promise<string[]> {
  const own: string[] = [];
  for (const name of new Set(names.map(foldCase))) {
    const called = await people.peopleCalled(name);
    if (called.every((each) => each === id)) own.push(name);
  }
  return own;
}
