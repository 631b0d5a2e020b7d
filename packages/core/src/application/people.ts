import { inject, injectable } from 'inversify';
import type { PageRequest } from '../ports/records.js';
import type { KnownGroup, KnownPerson, UsersAndGroups } from '../ports/people.js';
import { StoragePort } from '../ports/storage.js';
import { inputError, type FieldError } from './errors.js';
import type { PageView } from './run-queries.js';

export interface PeopleListRequest extends PageRequest {
  readonly search?: string;
}

export type UserView = { id: string; name: string | null; userName: string | null; mayDecide: boolean };
export type GroupView = { name: string; deciders: number };

/** Names in a request, with the position of each in the request body. */
export interface RequestedNames {
  readonly users?: readonly RequestedName[];
  readonly groups?: readonly RequestedName[];
}

interface RequestedName {
  readonly name: string;
  /** JSON pointer (RFC 6901). */
  readonly pointer: string;
}

/**
 * Users and groups that have been seen here: the people who have signed in, and the groups that their tokens state. The
 * server has no other list of users.
 */
@injectable()
export class People {
  constructor(@inject(StoragePort) private readonly storage: StoragePort) {}

  /** @throws {ApiError} `invalid_cursor` */
  async listUsers({ search, ...page }: PeopleListRequest): Promise<PageView<UserView>> {
    const { items, nextCursor } = await this.storage.listPeople(search === undefined ? {} : { search }, page);
    return { items: items.map(toUserView), nextCursor };
  }

  /** @throws {ApiError} `invalid_cursor` */
  async listGroups({ search, ...page }: PeopleListRequest): Promise<PageView<GroupView>> {
    const { items, nextCursor } = await this.storage.listGroups(search === undefined ? {} : { search }, page);
    return { items: items.map(toGroupView), nextCursor };
  }

  /**
   * Refuses names that nobody has who has signed in: a misspelt name would hand an approval to nobody, or to whoever
   * gets that name later.
   *
   * @throws {ApiError} `validation_failed` with an error per unknown name
   */
  async requireKnown({ users = [], groups = [] }: RequestedNames): Promise<void> {
    const unknown = await this.storage.findUnknownNames({ users: users.map(toName), groups: groups.map(toName) });
    const fieldErrors = [
      ...findUnknown(users, unknown.users, 'unknown_user', 'Nobody with this subject or user name has signed in.'),
      ...findUnknown(groups, unknown.groups, 'unknown_group', 'Nobody in this group has signed in.'),
    ];
    if (fieldErrors.length > 0)
      throw inputError(
        'validation_failed',
        'Some users or groups are not known here. Check the spelling, or set "allowUnknown" to name somebody who has not signed in yet.',
        fieldErrors,
      );
  }
}

const toName = ({ name }: RequestedName): string => name;

function findUnknown(
  requested: readonly RequestedName[],
  unknownNames: UsersAndGroups['users'],
  code: string,
  message: string,
): FieldError[] {
  return requested.filter(({ name }) => unknownNames.includes(name)).map(({ pointer }) => ({ pointer, code, message }));
}

function toUserView({ id, displayName, userName, mayDecide }: KnownPerson): UserView {
  return { id, name: displayName, userName, mayDecide };
}

function toGroupView({ name, deciders }: KnownGroup): GroupView {
  return { name, deciders };
}
