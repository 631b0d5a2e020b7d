/**
 * The user names of people beside their ids, as far as their tokens have told them. What needs them does so about people who
 * are not there themselves: who is absent, and whose personal data is erased. Case does not count.
 */
export interface PeopleStore {
  /**
   * Takes the place of the names that are known of a person, unless those are from a token that was issued later.
   *
   * @param issuedAt when the token was issued that has the names, in ms since the epoch
   */
  noteUserNames(id: string, names: readonly string[], issuedAt: number): Promise<void>;
  /** In lower case; none where nothing is known. */
  userNamesOf(id: string): Promise<readonly string[]>;
  /** The ids of the people who have a user name. */
  peopleCalled(name: string): Promise<readonly string[]>;
}
