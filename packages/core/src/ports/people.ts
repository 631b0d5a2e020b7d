import type { Page, PageRequest } from './records.js';

/**
 * Stores what tokens state about people, because people are named who are not signed in themselves: candidates,
 * delegates, absent approvers, and people whose personal data is erased. User names are compared without regard to
 * case; ids and groups are not.
 */
export interface PeopleStore {
  /**
   * Replaces what is known about a person, unless it comes from a token that was issued later. An absence that waits for
   * a sign-in with one of the names is assigned to the person, unless several people have the name.
   */
  recordPerson(token: PersonToken): Promise<void>;
  /** Returns the user names in lower case; none if the person is unknown. */
  findUserNames(id: string): Promise<readonly string[]>;
  /**
   * Returns the ids of the people that a name may refer to: those with this user name, and the person with this id if
   * they have signed in or acted.
   */
  findPeopleByName(name: string): Promise<readonly string[]>;
  /** Lists the people who have signed in, by name. @throws {ApiError} `invalid_cursor` */
  listPeople(filter: PeopleFilter, page: PageRequest): Promise<Page<KnownPerson>>;
  /** Lists the groups of these people, by name. @throws {ApiError} `invalid_cursor` */
  listGroups(filter: PeopleFilter, page: PageRequest): Promise<Page<KnownGroup>>;
  /** Returns the names that refer to no person who has signed in or acted, and the groups that no such person has. */
  findUnknownNames(names: UsersAndGroups): Promise<UsersAndGroups>;
}

/** What a token states about a person. */
export interface PersonToken {
  readonly id: string;
  /** User names, the usual one first; `null` if the token states none, in which case the known names are kept. */
  readonly names: readonly string[] | null;
  readonly displayName: string | null;
  readonly groups: readonly string[];
  /** Whether the role permits votes on approvals. */
  readonly mayDecide: boolean;
  /** When the token was issued, in ms since the epoch. */
  readonly issuedAt: number;
  /** The current time, in ms since the epoch. */
  readonly at: number;
}

export interface PeopleFilter {
  /** Words that must all occur in an id or a name, in any case. */
  readonly search?: string;
}

/** A person as their last token describes them. */
export interface KnownPerson {
  readonly id: string;
  readonly displayName: string | null;
  /** The usual user name; `null` if there is none, or if it may also refer to another person. */
  readonly userName: string | null;
  readonly mayDecide: boolean;
}

export interface KnownGroup {
  readonly name: string;
  /** Number of the people in the group who may decide. */
  readonly deciders: number;
}

/** Names by which users and groups are referred to. */
export interface UsersAndGroups {
  readonly users: readonly string[];
  readonly groups: readonly string[];
}
