import { inject, injectable } from 'inversify';
import { LRUCache } from 'lru-cache';
import { ApiError, isApiError, isEngineConflict, type JsonObject } from '@countersign/model';
import { EnginePort, type CommandResponse } from '../ports/engine.js';
import type { WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { findInputErrors, inputsInvalidError } from './find-input-errors.js';
import { CoalescingLoader } from './coalescing-loader.js';
import { withResponseType, toJsonResponse } from './views/to-json-response.js';
import { findStoredResponse } from './repeated-request.js';
import { toRunViewAfterCommand, type RunView } from './views/run-view.js';

/** Maximum number of attempts to start a run while new versions are being deployed. */
const MAX_ATTEMPTS = 5;

export interface StartRunInput {
  readonly workflowId: string;
  /** Workflow version; the newest by default. */
  readonly version?: number;
  readonly inputs?: JsonObject;
  readonly businessKey?: string;
}

/** Validates the inputs of a run and starts it. The response is the run. */
@injectable()
export class StartRun {
  private readonly versionLoader = new CoalescingLoader<WorkflowVersionRecord | undefined>();
  private readonly newestVersions = new LRUCache<string, WorkflowVersionRecord>({ max: 200 });

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /** @throws {ApiError} `workflow_not_found`, `workflow_version_not_found`, `no_start_event`, `inputs_invalid`, … */
  async execute(input: StartRunInput, caller: Caller): Promise<CommandResponse<RunView>> {
    const { workflowId, version, businessKey = null, inputs = {} } = input;
    const context = buildRequestContext(caller, 'startRun', {
      workflowId,
      version: version ?? null,
      businessKey,
      inputs,
    });
    let hasReloaded = false;
    for (let attempt = 1; ; attempt += 1) {
      const workflowVersion = await this.findVersion(workflowId, version);
      const fieldErrors = await findInputErrors(workflowVersion, inputs);
      if (fieldErrors !== undefined) {
        // The cached version may be outdated: a newer version may accept these inputs.
        if (!hasReloaded && this.forgetNewest(workflowId, version)) {
          hasReloaded = true;
          continue;
        }
        // A repeated request gets the stored response even if the newest version no longer accepts its inputs.
        const { idempotency } = context;
        if (idempotency === undefined || (await findStoredResponse(this.storage, idempotency)) === undefined)
          throw inputsInvalidError(fieldErrors);
      }
      try {
        return await withResponseType(
          this.engine.startRun({
            context,
            workflowId,
            // The version that the inputs were validated against; a newer one may have a different schema.
            version: workflowVersion.version,
            onlyNewest: version === undefined,
            inputs,
            businessKey,
            respond: (outcome) => toJsonResponse(toRunViewAfterCommand(outcome)),
          }),
        );
      } catch (error) {
        // A newer version than the cached one may have a different start event.
        if (
          isApiError(error) &&
          error.code === 'no_start_event' &&
          !hasReloaded &&
          this.forgetNewest(workflowId, version)
        ) {
          hasReloaded = true;
          continue;
        }
        if (!isEngineConflict(error) || error.code !== 'workflow_version_superseded') throw error;
        if (attempt >= MAX_ATTEMPTS)
          throw new ApiError(
            'conflict',
            `New versions of the workflow "${workflowId}" are being deployed continuously; nothing was started. Try again later.`,
          );
        this.forgetNewest(workflowId, version);
      }
    }
  }

  /** Removes the newest version from the cache, unless a version was requested. Returns whether it was cached. */
  private forgetNewest(workflowId: string, version: number | undefined): boolean {
    return version === undefined && this.newestVersions.delete(workflowId);
  }

  /** Returns the requested version. The newest version is cached; the commit checks that it is still the newest. */
  private async findVersion(workflowId: string, version: number | undefined): Promise<WorkflowVersionRecord> {
    const cached = version === undefined ? this.newestVersions.get(workflowId) : undefined;
    if (cached !== undefined) return cached;
    const found = await this.versionLoader.load(`${version ?? ''}@${workflowId}`, () =>
      this.storage.findWorkflowVersion(workflowId, version),
    );
    if (found !== undefined) {
      if (version === undefined) this.newestVersions.set(workflowId, found);
      return found;
    }
    const newest = version === undefined ? undefined : await this.storage.findWorkflowVersion(workflowId);
    if (newest === undefined) throw new ApiError('workflow_not_found', `There is no workflow "${workflowId}".`);
    throw new ApiError(
      'workflow_version_not_found',
      `Workflow "${workflowId}" has no version ${version}; the newest is ${newest.version}.`,
    );
  }
}
