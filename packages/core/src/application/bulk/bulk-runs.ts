import { inject, injectable } from 'inversify';
import { CancelRun } from '../cancel-run.js';
import type { Caller } from '../caller.js';
import { RecoverRun } from '../recover-run.js';
import { inputError } from '../errors.js';
import type { BulkOperation, BulkRunPlanView } from '../views/bulk-plan-view.js';
import type { RunView } from '../views/run-view.js';
import { mapConcurrently } from './map-concurrently.js';
import { buildItemCaller, toItemResult, type ItemResult } from './bulk-item.js';
import { PlanBulkRuns, type BulkRunSelection as PlannedSelection } from './plan-bulk-runs.js';

/**
 * Maximum number of runs that are processed concurrently: enough to share transactions, but few compared with the
 * server's other work.
 */
const MAX_CONCURRENCY = 16;

export type BulkRunsInput =
  | { readonly operation: 'cancel'; readonly reason?: string | undefined }
  | { readonly operation: 'recover'; readonly comment?: string | undefined };

/** Selection of runs in a request. Exactly one of the properties must be set. */
export interface RunSelection {
  readonly runIds?: readonly string[] | undefined;
  readonly filter?: Extract<PlannedSelection, { filter: unknown }> | undefined;
}

export type BulkRunResult = ItemResult<RunView> & { readonly runId: string };

/**
 * Cancels or recovers several runs, each with its own command, like single requests. A started request is finished even
 * if the caller disconnects. If the server crashes, only some of the runs may be processed; the same request with the
 * same idempotency key processes the others.
 */
@injectable()
export class BulkRuns {
  constructor(
    @inject(CancelRun) private readonly cancelRun: CancelRun,
    @inject(RecoverRun) private readonly recoverRun: RecoverRun,
    @inject(PlanBulkRuns) private readonly planner: PlanBulkRuns,
  ) {}

  /**
   * Returns the plan of the request without changing anything.
   *
   * @throws {ApiError} `validation_failed`
   */
  plan(operation: BulkOperation, { runIds, filter }: RunSelection): Promise<BulkRunPlanView> {
    if ((runIds === undefined) === (filter === undefined)) {
      throw inputError('validation_failed', 'The request must name the runs in exactly one way.', [
        { pointer: '', code: 'invalid', message: 'Give either runIds or filter.' },
      ]);
    }
    return this.planner.plan(operation, runIds === undefined ? (filter ?? { filter: {} }) : { runIds });
  }

  /**
   * Returns one result per run, in request order. A run whose id is repeated is processed once.
   *
   * @throws {ApiError} `validation_failed`
   */
  async execute(input: BulkRunsInput, { runIds, filter }: RunSelection, caller: Caller): Promise<BulkRunResult[]> {
    const fieldErrors = [
      ...(filter === undefined
        ? []
        : [
            {
              pointer: '/filter',
              code: 'unknown',
              message: 'A filter is accepted only with dryRun=true. Request the plan, then send its runIds.',
            },
          ]),
      ...(runIds === undefined
        ? [
            {
              pointer: '/runIds',
              code: 'missing',
              message: 'Name the runs: request the plan with dryRun=true, then send its runIds.',
            },
          ]
        : []),
      ...(input.operation === 'cancel' && input.reason === undefined
        ? [{ pointer: '/reason', code: 'missing', message: 'Give a reason for the history of the runs.' }]
        : []),
    ];
    if (fieldErrors.length > 0 || runIds === undefined)
      throw inputError('validation_failed', 'The runs or the reason are missing or invalid.', fieldErrors);
    return mapConcurrently(
      [...new Set(runIds.map((runId) => runId.toLowerCase()))],
      MAX_CONCURRENCY,
      async (runId) => ({
        runId,
        ...(await toItemResult(this.#executeForRun(input, runId, buildItemCaller(caller, runId)))),
      }),
    );
  }

  #executeForRun(input: BulkRunsInput, runId: string, caller: Caller): ReturnType<CancelRun['execute']> {
    if (input.operation === 'recover')
      return this.recoverRun.execute(
        { runId, ...(input.comment === undefined ? {} : { comment: input.comment }) },
        caller,
      );
    return this.cancelRun.execute({ runId, ...(input.reason === undefined ? {} : { reason: input.reason }) }, caller);
  }
}
