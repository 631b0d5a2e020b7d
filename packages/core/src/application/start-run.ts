import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { ApiError, isApiError, isEngineConflict, type JsonObject } from '@countersign/model';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import type { WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { contextOf, type Caller } from './caller.js';
import { findInputErrors, inputsInvalid } from './check-inputs.js';
import { CoalescingLoader } from './coalescing-loader.js';
import { answerWith, asResponse } from './views/as-response.js';
import { commandedRunView, type RunView } from './views/run-view.js';

/** Deployments that one start may meet before it gives up. */
const MAX_TRIES = 5;

export interface StartRunInput {
  readonly workflowId: string;
  /** The newest one by default. */
  readonly version?: number;
  readonly inputs?: JsonObject;
  readonly businessKey?: string;
}

/** Starts a run, once its inputs are known to fit. The answer is the run. */
@injectable()
export class StartRun {
  private readonly versions = new CoalescingLoader<WorkflowVersionRecord | undefined>();
  private readonly newest = new LRUCache<string, WorkflowVersionRecord>({ max: 200 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /** @throws {ApiError} `workflow_not_found`, `workflow_version_not_found`, `no_start_event`, `inputs_invalid`, … */
  async execute(input: StartRunInput, caller: Caller): Promise<CommandResponse<RunView>> {
    const { workflowId, version, businessKey = null, inputs = {} } = input;
    const context = contextOf(caller, 'startRun', { workflowId, version: version ?? null, businessKey, inputs });
    let looked = false;
    for (let tries = 1; ; tries += 1) {
      const workflow = await this.findVersion(workflowId, version);
      const faults = await findInputErrors(workflow, inputs);
      if (faults !== undefined) {
        // What is remembered may be old: a newer version may take these inputs.
        if (!looked && this.forget(workflowId, version)) {
          looked = true;
          continue;
        }
        // A repeat gets the stored answer even if the newest version would not take its inputs any more.
        if (!(await this.isRepeat(context.idempotency))) throw inputsInvalid(faults);
      }
      try {
        return await answerWith(
          this.engine.startRun({
            context,
            workflowId,
            // The one that the inputs were held against: a newer one may take others.
            version: workflow.version,
            onlyNewest: version === undefined,
            inputs,
            businessKey,
            respond: (outcome) => asResponse(commandedRunView(outcome)),
          }),
        );
      } catch (error) {
        // A newer version than the one that is remembered may have another start event.
        if (isApiError(error) && error.code === 'no_start_event' && !looked && this.forget(workflowId, version)) {
          looked = true;
          continue;
        }
        if (!isEngineConflict(error) || error.code !== 'workflow_version_superseded') throw error;
        if (tries === MAX_TRIES)
          throw new ApiError(
            'conflict',
            `Versions of the workflow "${workflowId}" are deployed one after the other; nothing was started.`,
          );
        this.forget(workflowId, version);
      }
    }
  }

  /** @returns whether the newest version was only remembered. */
  private forget(workflowId: string, version: number | undefined): boolean {
    return version === undefined && this.newest.delete(workflowId);
  }

  /** The version asked for. Which one is the newest is remembered; the commit checks it. */
  private async findVersion(workflowId: string, version: number | undefined): Promise<WorkflowVersionRecord> {
    const remembered = version === undefined ? this.newest.get(workflowId) : undefined;
    if (remembered !== undefined) return remembered;
    const found = await this.versions.load(`${version ?? ''}@${workflowId}`, () =>
      this.storage.findWorkflowVersion(workflowId, version),
    );
    if (found !== undefined) {
      if (version === undefined) this.newest.set(workflowId, found);
      return found;
    }
    const newest = version === undefined ? undefined : await this.storage.findWorkflowVersion(workflowId);
    if (newest === undefined) throw new ApiError('workflow_not_found', `There is no workflow "${workflowId}".`);
    throw new ApiError(
      'workflow_version_not_found',
      `Workflow "${workflowId}" has no version ${version}; the newest is ${newest.version}.`,
    );
  }

  private async isRepeat(key: { readonly scope: string; readonly key: string } | undefined): Promise<boolean> {
    if (key === undefined) return false;
    const [stored] = await this.storage.findStoredResponses([{ scope: key.scope, key: key.key }]);
    return stored !== undefined;
  }
}
