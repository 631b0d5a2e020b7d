import { inject, injectable } from 'inversify';
import {
  type AuditEntry,
  ApiError,
  matchesName,
  type NamedActor,
  createRandomId,
  toRecordedActor,
} from '@countersign/model';
import type { AbsenceRecord } from '../ports/absences.js';
import { ClockPort } from '../ports/clock.js';
import type { PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import type { Caller } from './caller.js';
import { inputError, type FieldError } from './errors.js';
import { People } from './people.js';
import type { PageView } from './run-queries.js';
import { toAbsenceView, type AbsenceView } from './views/absence-view.js';

/**
 * Maximum time until the end of an absence, in ms: 366 days. A user who is absent for longer should be replaced as a
 * candidate.
 */
const MAX_ABSENCE_MS = 366 * 86_400_000;

export interface SetAbsenceInput {
  readonly subject: string;
  /** Milliseconds since the epoch; defaults to now. */
  readonly from?: number;
  readonly until: number;
  readonly substitute?: string;
  /** Whether the substitute may be a user who has never signed in. */
  readonly allowUnknown?: boolean;
}

/**
 * Manages absences: who is out of office, and who votes in their place. A substitute who lacks the role cannot vote.
 */
@injectable()
export class Absences {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(People) private readonly people: People,
  ) {}

  /** Returns the current or upcoming absence of a user, or `null`. */
  async findForPerson(subject: string): Promise<AbsenceView | null> {
    const found = await this.storage.findAbsence(subject);
    return found === undefined ? null : toAbsenceView(found);
  }

  /** @throws {ApiError} `invalid_cursor` */
  async list(page: PageRequest): Promise<PageView<AbsenceView>> {
    const { items, nextCursor } = await this.storage.listAbsences(page);
    return { items: items.map(toAbsenceView), nextCursor };
  }

  /**
   * Sets an absence and replaces the previous one. Permissions are not checked here: the calling code must ensure
   * that only administrators set absences of other people.
   *
   * @throws {ApiError} `validation_failed`, `service_cannot_decide`, `own_substitute`
   */
  async set(input: SetAbsenceInput, caller: Caller): Promise<AbsenceView> {
    for (;;) {
      const stored = await this.trySet(input, caller);
      if (stored !== undefined) return toAbsenceView(stored);
    }
  }

  /** @returns `undefined` if a user with the name of the absent user has signed in meanwhile */
  private async trySet(input: SetAbsenceInput, caller: Caller): Promise<AbsenceRecord | undefined> {
    const { actor } = caller;
    const { substitute = null, until } = input;
    const isForSelf = matchesName(actor, input.subject);
    const absentPerson = isForSelf ? await this.withUserNames(actor) : await this.findPerson(input.subject);
    const subject = absentPerson.id;
    const now = this.clock.now();
    const from = input.from ?? now;
    const auditEntry = this.buildAuditEntry(caller, 'absence.set', {
      subject,
      substitute,
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
    });
    if (actor.type !== 'user' && isForSelf) {
      await this.storage.appendAudit([
        { ...auditEntry, result: 'refused', data: { ...auditEntry.data, code: 'service_cannot_decide' } },
      ]);
      throw new ApiError('service_cannot_decide', 'Only people can decide approvals, so only people can be absent.');
    }
    if (substitute !== null && matchesName(actor, substitute) && !isForSelf) {
      await this.storage.appendAudit([
        { ...auditEntry, result: 'refused', data: { ...auditEntry.data, code: 'own_substitute' } },
      ]);
      throw new ApiError(
        'own_substitute',
        'You cannot make yourself the substitute of another person. Name someone else, or ask someone else to set this absence.',
      );
    }
    const isOwnSubstitute = substitute !== null && matchesName(absentPerson, substitute);
    const fieldErrors = findAbsenceErrors({ isOwnSubstitute, from, until }, now);
    if (fieldErrors.length > 0) throw inputError('validation_failed', 'The absence is invalid.', fieldErrors);
    // A substitute who is already set was accepted before.
    if (substitute !== null && input.allowUnknown !== true && !(await this.isSubstitute(substitute, subject)))
      await this.people.requireKnown({ users: [{ name: substitute, pointer: '/substitute' }] });
    const absence = { absenceId: createRandomId(now), subject, substitute, from, until, setAt: now, setBy: actor.id };
    return this.storage.setAbsence(absence, auditEntry);
  }

  /**
   * Ends an absence. Does nothing if no absence is set.
   *
   * @throws {ApiError} `validation_failed` if the name is ambiguous and no absence is set under the name itself
   */
  async end(name: string, caller: Caller): Promise<void> {
    const personIds = matchesName(caller.actor, name) ? [caller.actor.id] : await this.storage.findPeopleByName(name);
    let isEnded = false;
    // An absence that waits for the user's first sign-in is stored under the name itself.
    for (const subject of new Set(personIds.length === 1 ? [...personIds, name] : [name])) {
      const hasEnded = await this.storage.endAbsence(subject, this.buildAuditEntry(caller, 'absence.end', { subject }));
      isEnded ||= hasEnded;
    }
    if (!isEnded && personIds.length > 1) throw ambiguousNameError();
  }

  /**
   * Returns the user that a name refers to. An unknown name may be the id or a user name of a user who has not signed
   * in yet.
   *
   * @throws {ApiError} `validation_failed` if the name is ambiguous
   */
  private async findPerson(name: string): Promise<NamedActor> {
    const [id, ...otherIds] = await this.storage.findPeopleByName(name);
    if (otherIds.length > 0) throw ambiguousNameError();
    return id === undefined ? { id: name, userNames: [name] } : this.withUserNames({ id });
  }

  private async isSubstitute(name: string, subject: string): Promise<boolean> {
    return (await this.storage.findAbsence(subject))?.substitute === name;
  }

  /** Adds the stored user names, because the names in the token may differ from those that the server has recorded. */
  private async withUserNames({ id, userNames = [] }: NamedActor): Promise<NamedActor> {
    return { id, userNames: [...userNames, ...(await this.storage.findUserNames(id))] };
  }

  /**
   * Creates an audit entry. User ids are in `data`, which an erasure removes; the storage adds the absence id to the
   * target.
   */
  private buildAuditEntry({ actor, from, traceId }: Caller, action: string, data: AuditEntry['data']): AuditEntry {
    return {
      at: this.clock.now(),
      actor: toRecordedActor(actor),
      action,
      target: { type: 'absence' },
      result: 'ok',
      from,
      data: { traceId, ...data },
    };
  }
}

function ambiguousNameError(): ApiError {
  return inputError(
    'validation_failed',
    'Several people have this user name, or it is the subject of one person and the user name of another. Use the subject of the absent person.',
    [{ pointer: '/subject', code: 'ambiguous', message: 'Must identify one person.' }],
  );
}

function findAbsenceErrors(
  { isOwnSubstitute, from, until }: { isOwnSubstitute: boolean; from: number; until: number },
  now: number,
): FieldError[] {
  const fieldErrors: FieldError[] = [];
  const addError = (pointer: string, message: string): void =>
    void fieldErrors.push({ pointer, code: 'invalid', message });
  if (isOwnSubstitute) addError('/substitute', 'You cannot be your own substitute. Name another person.');
  if (from < now) addError('/from', 'Must not be in the past. Omit it to start now.');
  if (until <= Math.max(from, now)) addError('/until', 'Must be in the future and after "from".');
  if (until > now + MAX_ABSENCE_MS) addError('/until', 'Must not be more than 366 days from now.');
  return fieldErrors;
}
