import { inject, injectable } from 'inversify';
import { type AuditEntry, ApiError, isCalled, type Named, randomId, recordedActor } from '@countersign/model';
import type { AbsenceRecord } from '../ports/absences.js';
import { ClockPort } from '../ports/clock.js';
import type { PageRequest } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import type { Caller } from './caller.js';
import { badInput, type FieldError } from './refuse.js';
import type { PageView } from './run-queries.js';
import { absenceView, type AbsenceView } from './views/absence-view.js';

/** Maximum time until the end of an absence, in ms: 366 days. Replace a user who is absent for longer. */
const LONGEST_MS = 366 * 86_400_000;

export interface AbsenceInput {
  readonly subject: string;
  /** Milliseconds since the epoch; defaults to now. */
  readonly from?: number;
  readonly until: number;
  readonly substitute?: string;
}

/**
 * Manages absences: who is out of office, and who votes in their place. Substitutes are not validated, because the
 * server does not know all users: a substitute who does not exist or lacks the role cannot vote.
 */
@injectable()
export class Absences {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** Returns the current or upcoming absence of a user, or `null`. */
  async of(subject: string): Promise<AbsenceView | null> {
    const found = await this.storage.findAbsence(subject);
    return found === undefined ? null : absenceView(found);
  }

  /** @throws {ApiError} `invalid_cursor` */
  async list(page: PageRequest): Promise<PageView<AbsenceView>> {
    const { items, nextCursor } = await this.storage.listAbsences(page);
    return { items: items.map(absenceView), nextCursor };
  }

  /**
   * Sets an absence and replaces the previous one. The caller must check that only administrators set absences of
   * others.
   *
   * @throws {ApiError} `validation_failed`, `service_cannot_decide`, `own_substitute`
   */
  async set(input: AbsenceInput, caller: Caller): Promise<AbsenceView> {
    for (;;) {
      const absence = await this.tryToSet(input, caller);
      if (absence !== undefined) return absenceView(absence);
    }
  }

  /** @returns `undefined` if a user signed in under the absent user's name concurrently */
  private async tryToSet(input: AbsenceInput, caller: Caller): Promise<AbsenceRecord | undefined> {
    const { actor } = caller;
    const { substitute = null, until } = input;
    const isOwn = isCalled(actor, input.subject);
    const absent = isOwn ? await this.withNames(actor) : await this.personCalled(input.subject);
    const subject = absent.id;
    const now = this.clock.now();
    const from = input.from ?? now;
    const audit = this.entry(caller, 'absence.set', {
      subject,
      substitute,
      from: new Date(from).toISOString(),
      until: new Date(until).toISOString(),
    });
    if (actor.type !== 'user' && isOwn) {
      await this.storage.appendAudit([
        { ...audit, result: 'refused', data: { ...audit.data, code: 'service_cannot_decide' } },
      ]);
      throw new ApiError('service_cannot_decide', 'Only people decide approvals, so only people can be absent.');
    }
    if (substitute !== null && isCalled(actor, substitute) && !isOwn) {
      await this.storage.appendAudit([
        { ...audit, result: 'refused', data: { ...audit.data, code: 'own_substitute' } },
      ]);
      throw new ApiError(
        'own_substitute',
        'You cannot make yourself the substitute of another person. Name someone else, or ask someone else to set this absence.',
      );
    }
    const isOwnSubstitute = substitute !== null && isCalled(absent, substitute);
    const faults = faultsOf({ isOwnSubstitute, from, until }, now);
    if (faults.length > 0) throw badInput('validation_failed', 'The absence is invalid.', faults);
    const absence = { absenceId: randomId(now), subject, substitute, from, until, setAt: now, setBy: actor.id };
    return this.storage.setAbsence(absence, audit);
  }

  /**
   * Ends an absence. Does nothing if no absence is set.
   *
   * @throws {ApiError} `validation_failed` if the name is ambiguous and no absence is set under the name itself
   */
  async end(name: string, caller: Caller): Promise<void> {
    const people = isCalled(caller.actor, name) ? [caller.actor.id] : await this.storage.peopleCalled(name);
    let isEnded = false;
    // An absence that waits for the user's first sign-in is stored under the name itself.
    for (const subject of new Set(people.length === 1 ? [...people, name] : [name])) {
      const wasSet = await this.storage.endAbsence(subject, this.entry(caller, 'absence.end', { subject }));
      isEnded ||= wasSet;
    }
    if (!isEnded && people.length > 1) throw ambiguous();
  }

  /**
   * Returns the user that a name refers to. An unknown name may be the id of a user who has done nothing yet, or a user
   * name.
   *
   * @throws {ApiError} `validation_failed` if the name is ambiguous
   */
  private async personCalled(name: string): Promise<Named> {
    const [id, ...others] = await this.storage.peopleCalled(name);
    if (others.length > 0) throw ambiguous();
    return id === undefined ? { id: name, userNames: [name] } : this.withNames({ id });
  }

  /** Adds the stored user names, because the token may contain other names than the server has recorded. */
  private async withNames({ id, userNames = [] }: Named): Promise<Named> {
    return { id, userNames: [...userNames, ...(await this.storage.userNamesOf(id))] };
  }

  /**
   * Creates an audit entry. User ids are in `data`, which an erasure removes; the storage adds the absence id to the
   * target.
   */
  private entry({ actor, from, traceId }: Caller, action: string, data: AuditEntry['data']): AuditEntry {
    return {
      at: this.clock.now(),
      actor: recordedActor(actor),
      action,
      target: { type: 'absence' },
      result: 'ok',
      from,
      data: { traceId, ...data },
    };
  }
}

function ambiguous(): ApiError {
  return badInput(
    'validation_failed',
    'Several people have this user name, or it is the subject of one person and the user name of another. Use the subject of the absent person.',
    [{ pointer: '/subject', code: 'ambiguous', message: 'Must identify one person.' }],
  );
}

function faultsOf(
  { isOwnSubstitute, from, until }: { isOwnSubstitute: boolean; from: number; until: number },
  now: number,
): FieldError[] {
  const faults: FieldError[] = [];
  const fault = (pointer: string, message: string): void => void faults.push({ pointer, code: 'invalid', message });
  if (isOwnSubstitute) fault('/substitute', 'You cannot be your own substitute. Name another person.');
  if (from < now) fault('/from', 'Must not be in the past. Omit it to start now.');
  if (until <= Math.max(from, now)) fault('/until', 'Must be in the future and after "from".');
  if (until > now + LONGEST_MS) fault('/until', 'Must not be more than 366 days from now.');
  return faults;
}
