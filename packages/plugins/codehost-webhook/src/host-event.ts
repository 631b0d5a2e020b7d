import { ApiError, type JsonObject, type WebhookDelivery } from '@countersign/core/plugin';

/** Content of a delivery in GitHub's terms, for every host. */
export interface HostEvent {
  /** For example `issues`, `pull_request`, `push`. */
  readonly event: string;
  /** For example `opened`; `null` for events that have none. */
  readonly action: string | null;
  /** Repository and objects that the event concerns; `null` if it concerns no repository. */
  readonly about: CodeHostTarget | null;
}

export interface CodeHostTarget {
  /** `owner/repo`; on GitLab, subgroups may come in between. */
  readonly repository: string;
  /** Number of the issue, pull request or discussion; `null` if there is none. */
  readonly number: number | null;
  /** Details for the run, limited in size. */
  readonly details: JsonObject;
}

/**
 * Reads the body of an accepted delivery. Its signature has been verified, unless unsigned deliveries are accepted.
 *
 * @throws {ApiError} `invalid_event`
 */
export type ReadEvent = (header: WebhookDelivery['header'], body: JsonObject) => HostEvent;

const EVENT_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const ACTION_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/;
const REPOSITORY_NAME = /^[^\s#/\0]+(?:\/[^\s#/\0]+)+$/u;

export function invalidEvent(message: string): ApiError {
  return new ApiError('invalid_event', message);
}

/** @throws {ApiError} `invalid_event` */
export function requireEventName(name: string | undefined, header: string): string {
  if (name === undefined) throw invalidEvent(`The header ${header} is missing or repeated.`);
  if (!EVENT_NAME.test(name)) throw invalidEvent(`${header} is not a valid event name.`);
  return name;
}

/** @throws {ApiError} `invalid_event` */
export function readActionName(action: unknown): string | null {
  if (action === undefined || action === null || action === '') return null;
  if (typeof action !== 'string' || !ACTION_NAME.test(action))
    throw invalidEvent('The "action" of the body is not a valid action name.');
  return action;
}

/** Returns whether a value can be a repository name, and so the first part of a correlation key. */
export function isRepositoryName(name: string | null): name is string {
  return name !== null && name.length <= 200 && name.isWellFormed() && REPOSITORY_NAME.test(name);
}
