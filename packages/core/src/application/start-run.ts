import { inject, injectable } from 'inversify';
import { CountersignError } from '../errors/countersign-error.js';
import type { JsonObject } from '../domain/json.js';
import { EnginePort, type Answer } from '../ports/engine.js';
import type { WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { contextOf, type Caller } from './caller.js';
import { findInputFaults, inputsInvalid } from './check-inputs.js';
import { Freshest } from './freshest.js';
import { asResponse } from './views/as-response.js';
import { runView } from './views/run-view.js';

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
  private readonly versions = new Freshest<WorkflowVersionRecord | undefined>();

  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
  ) {}

  /** @throws {CountersignError} `workflow_not_found`, `workflow_version_not_found`, `inputs_invalid`, … */
  async execute(input: StartRunInput, caller: Caller): Promise<Answer> {
    const { workflowId, version, businessKey = null, inputs = {} } = input;
    const context = contextOf(caller, 'startRun', { workflowId, version: version ?? null, businessKey, inputs });
    const workflow = await this.findVersion(workflowId, version);
    const faults = await findInputFaults(workflow, inputs);
    // A repeat gets the stored answer even if the newest version would not take its inputs any more.
    if (faults !== undefined && !(await this.isRepeat(context.idempotency))) throw inputsInvalid(faults);
    return this.engine.startRun({
      context,
      workflowId,
      // The one that the inputs were held against: a newer one may take others.
      version: workflow.version,
      inputs,
      businessKey,
      respond: ({ run }) => asResponse(runView(run)),
    });
  }

  private async findVersion(workflowId: string, version: number | undefined): Promise<WorkflowVersionRecord> {
    const found = await this.versions.load(`${version ?? ''}@${workflowId}`, () =>
      this.storage.findWorkflowVersion(workflowId, version),
    );
    if (found !== undefined) return found;
    const newest = version === undefined ? undefined : await this.storage.findWorkflowVersion(workflowId);
    if (newest === undefined) throw new CountersignError('workflow_not_found', `There is no workflow "${workflowId}".`);
    throw new CountersignError(
      'workflow_version_not_found',
      `Workflow "${workflowId}" has no version ${version}; the newest is ${newest.version}.`,
    );
  }

  private async isRepeat(key: { readonly scope: string; readonly key: string } | undefined): Promise<boolean> {
    if (key === undefined) return false;
    const [stored] = await this.storage.findAnswers([{ scope: key.scope, key: key.key }]);
    return stored !== undefined;
  }
}
