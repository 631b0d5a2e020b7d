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

/** Maximum number of tries of one start if new versions are deployed in between. */
const MAX_TRIES = 5;

export interface StartRunInput {
  readonly workflowId: string;
  /** Workflow version; the newest by default. */
  readonly version?: number;
  readonly inputs?: JsonObject;
  readonly businessKey?: string;
}

/** Starts a run after its inputs are validated. The response is the run. */
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
        // The cached version may be outdated: a newer version may accept these inputs.
        if (!looked && this.forget(workflowId, version)) {
          looked = true;
          continue;
        }
        // A repeat gets the stored response even if the newest version no longer accepts its inputs.
        if (!(await this.isRepeat(context.idempotency))) throw inputsInvalid(faults);
      }
      try {
        return await answerWith(
          this.engine.startRun({
            context,
            workflowId,
            // The version that the inputs were validated against; a newer one may have another schema.
            version: workflow.version,
            onlyNewest: version === undefined,
            inputs,
            businessKey,
            respond: (outcome) => asResponse(commandedRunView(outcome)),
          }),
        );
      } catch (error) {
        // A newer version than the cached one may have another start event.
        if (isApiError(error) && error.code === 'no_start_event' && !looked && this.forget(workflowId, version)) {
          looked = true;
          continue;
        }
        if (!isEngineConflict(error) || error.code !== 'workflow_version_superseded') throw error;
        if (tries === MAX_TRIES)
          throw new ApiError(
            'conflict',
            `New versions of the workflow "${workflowId}" are being deployed continuously; nothing was started. Try again later.`,
          );
        this.forget(workflowId, version);
      }
    }
  }

  /** @returns whether the newest version came from the cache */
  private forget(workflowId: string, version: number | undefined): boolean {
    return version === undefined && this.newest.delete(workflowId);
  }

  /** Returns the requested version. The newest version is cached; the commit checks it. */
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
