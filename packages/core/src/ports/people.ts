/**
 * The user names of people beside their ids, as far as their tokens have told them. What needs them does so about people who
 * are not there themselves: who is absent, and whose personal data is erased. Case does not count.
 */
export interface PeopleStore {
  /**
   * Takes the place of the names that are known of a person, unless those are from a token that was issued later. An absence
   * that waits for the sign-in of somebody with one of the names becomes theirs, unless several people have the name.
   */
  noteUserNames(token: UserNamesOfToken): Promise<void>;
  /** In lower case; none where nothing is known. */
  userNamesOf(id: string): Promise<readonly string[]>;
  /** The ids of the people whom a name may mean: who have it as a user name, or as their id if they have signed in or acted. */
  peopleCalled(name: string): Promise<readonly string[]>;
}

/** What a token says of the names of a person. */
export interface UserNamesOfToken {
  readonly id: string;
  /** `null`: it says nothing of them, so those that are known stay. */
  readonly names: readonly string[] | null;
  /** When the token was issued, in ms since the epoch. */
  readonly issuedAt: number;
  /** Now, in ms since the epoch. */
  readonly at: number;
}
