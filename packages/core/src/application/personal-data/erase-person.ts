import { inject, injectable } from 'inversify';
import { ERASURE_ACTION } from '@countersign/model/evidence';
import { isApiError, isUuid, type NamedActor, PersonScope, createRandomId, toRecordedActor } from '@countersign/model';
import { ClockPort } from '../../ports/clock.js';
import { StoragePort } from '../../ports/storage.js';
import type { Caller } from '../caller.js';
import { invalidCursorError, encodeCursor, decodeCursor } from '../paginate.js';
import { findPersonNames } from './find-person-names.js';
import { ErasePersonalData, rejectOwnErasure } from './erase-personal-data.js';

/** Maximum number of runs whose history one request searches. */
const MAX_RUNS_PER_REQUEST = 1_000;
/** Maximum number of runs that one request erases from. */
const MAX_ERASED_RUNS = 50;
const CURSOR_LIST_NAME = 'personal-data';
/** Cursor suffix if one of the runs found so far has not ended. */
const RUN_NOT_ENDED_SUFFIX = '+';

export interface ErasePersonInput {
  readonly person: string;
  readonly reason: string;
  /** `nextCursor` of the previous response. */
  readonly cursor?: string;
}

/** Result for a run that names the person. `not_ended` runs are not changed. */
export type ErasedRunView = { runId: string; status: 'planned' | 'erased' | 'not_ended' };

export type PersonErasureView = {
  dryRun: boolean;
  runs: ErasedRunView[];
  /** Positions in the server's audit chain; `null` while runs remain. */
  serverAuditEvents: number[] | null;
  nextCursor: string | null;
};

/**
 * Erases a person from all ended runs, in batches, and then from data outside of runs. Each run is erased with its own
 * command, so after a crash the same request continues.
 */
@injectable()
export class ErasePerson {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ErasePersonalData) private readonly runs: ErasePersonalData,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Returns the plan of the erasure without changing anything.
   *
   * @throws {ApiError} `validation_failed`, `invalid_cursor`
   */
  plan(input: ErasePersonInput, caller: Caller): Promise<PersonErasureView> {
    return this.planOrExecute(input, caller, true);
  }

  /** @throws {ApiError} `validation_failed`, `invalid_cursor`, `conflict` */
  execute(input: ErasePersonInput, caller: Caller): Promise<PersonErasureView> {
    return this.planOrExecute(input, caller, false);
  }

  private async planOrExecute(
    { person, reason, cursor }: ErasePersonInput,
    caller: Caller,
    dryRun: boolean,
  ): Promise<PersonErasureView> {
    rejectOwnErasure({ person }, caller);
    const { after, hadRunsNotEnded } = parseCursor(cursor);
    const names = await findPersonNames(this.storage, person);
    const { runIds, searchedUpTo } = await this.storage.findRunsMentioning(names, {
      after,
      maxRuns: MAX_RUNS_PER_REQUEST,
      maxFound: MAX_ERASED_RUNS,
    });
    const runs: ErasedRunView[] = [];
    for (const runId of runIds) {
      const status = await this.eraseRun({ runId, person, reason }, caller, dryRun);
      if (status !== undefined) runs.push({ runId, status });
    }
    const hasRunsNotEnded = hadRunsNotEnded || runs.some(({ status }) => status === 'not_ended');
    if (searchedUpTo !== null) {
      const nextCursor = encodeCursor(
        CURSOR_LIST_NAME,
        hasRunsNotEnded ? `${searchedUpTo}${RUN_NOT_ENDED_SUFFIX}` : searchedUpTo,
      );
      return { dryRun, runs, serverAuditEvents: null, nextCursor };
    }
    return {
      dryRun,
      runs,
      serverAuditEvents: await this.eraseOutsideRuns({ names, keepUserNames: hasRunsNotEnded }, reason, caller, dryRun),
      nextCursor: null,
    };
  }

  /**
   * Erases a person from one run. Returns `undefined` if the run does not name the person, for example because the
   * search matched part of another word.
   */
  private async eraseRun(
    input: { readonly runId: string; readonly person: string; readonly reason: string },
    caller: Caller,
    dryRun: boolean,
  ): Promise<ErasedRunView['status'] | undefined> {
    try {
      const erasure = await (dryRun
        ? this.runs.planIfPersonIsNamed(input, caller)
        : this.runs.executeIfPersonIsNamed(input, caller));
      if (erasure === undefined) return undefined;
      return dryRun ? 'planned' : 'erased';
    } catch (error) {
      if (isApiError(error) && error.code === 'run_not_ended') return 'not_ended';
      throw error;
    }
  }

  private async eraseOutsideRuns(
    { names, keepUserNames }: { readonly names: Required<NamedActor>; readonly keepUserNames: boolean },
    reason: string,
    { actor, from, traceId }: Caller,
    dryRun: boolean,
  ): Promise<number[]> {
    const scope = new PersonScope([names.id], names.userNames);
    const candidates = await this.storage.findServerAuditMentioning(names);
    // The match may be part of another word, or of a salt.
    const positions = candidates
      .filter(({ actor: auditActor, from: origin, data }) =>
        scope.containsPersonalData([auditActor === null ? null : { ...auditActor }, origin, data]),
      )
      .map(({ seq }) => seq);
    if (dryRun) return [...positions];
    const at = this.clock.now();
    const erasure = { person: names, positions, keepUserNames };
    await this.storage.erasePersonOutsideRuns(erasure, {
      at,
      actor: toRecordedActor(actor),
      action: ERASURE_ACTION,
      target: { type: 'personal_data', id: createRandomId(at), auditEvents: [...positions] },
      result: 'ok',
      from,
      data: { traceId, scope: 'person', reason },
    });
    return [...positions];
  }
}

/**
 * Returns the run after which to search, and whether an earlier run still needs the person's user names until the run
 * ends.
 */
function parseCursor(cursor: string | undefined): { readonly after: string | null; readonly hadRunsNotEnded: boolean } {
  if (cursor === undefined) return { after: null, hadRunsNotEnded: false };
  const position = decodeCursor(CURSOR_LIST_NAME, cursor);
  const hadRunsNotEnded = position.endsWith(RUN_NOT_ENDED_SUFFIX);
  const after = hadRunsNotEnded ? position.slice(0, -RUN_NOT_ENDED_SUFFIX.length) : position;
  if (!isUuid(after)) throw invalidCursorError();
  return { after, hadRunsNotEnded };
}
