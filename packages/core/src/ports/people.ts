/**
 * Stores the user names of people by id, as their tokens state them. They are needed for people who are not signed in
 * themselves: absent approvers, and people whose personal data is erased. Names are compared without regard to case.
 */
export interface PeopleStore {
  /**
   * Replaces the known user names of a person, unless they come from a token that was issued later. An absence that
   * waits for a sign-in with one of the names is assigned to the person, unless several people have the name.
   */
  recordUserNames(token: TokenUserNames): Promise<void>;
  /** Returns the user names in lower case; none if the person is unknown. */
  findUserNames(id: string): Promise<readonly string[]>;
  /**
   * Returns the ids of the people that a name may refer to: those with this user name, and the person with this id if
   * they have signed in or acted.
   */
  findPeopleByName(name: string): Promise<readonly string[]>;
}

/** The user names that a token states. */
export interface TokenUserNames {
  readonly id: string;
  /** `null` if the token states none; in this case, the known names are kept. */
  readonly names: readonly string[] | null;
  /** When the token was issued, in ms since the epoch. */
  readonly issuedAt: number;
  /** The current time, in ms since the epoch. */
  readonly at: number;
}
