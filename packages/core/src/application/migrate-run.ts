import { inject, injectable } from 'inversify';
import { ApiError } from '@countersign/model';
import { EnginePort, type CommandResponse, type MigrateRunRequest } from '../ports/engine.js';
import type { RunRecord, WorkflowVersionRecord } from '../ports/records.js';
import { StoragePort } from '../ports/storage.js';
import { buildRequestContext, type Caller } from './caller.js';
import { requireCapability } from './require-capability.js';
import { RunQueries } from './run-queries.js';
import { withResponseType, toJsonResponse } from './views/to-json-response.js';
import { toMigrationPlanView, type MigrationPlanView } from './views/migration-plan-view.js';
import { toRunViewAfterCommand, type RunView } from './views/run-view.js';

export interface MigrateRunInput {
  readonly runId: string;
  readonly version: number;
  /** Element ids, each with the id of its counterpart; elements with the same id and type map to themselves. */
  readonly mapping?: Readonly<Record<string, string>>;
  readonly comment?: string;
}

/** Migrates a run to another version of its workflow. The response is the run. */
@injectable()
export class MigrateRun {
  constructor(
    @inject(EnginePort) private readonly engine: EnginePort,
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(RunQueries) private readonly runs: RunQueries,
  ) {}

  /** @throws {ApiError} `run_not_found`, `workflow_version_not_found`, `migration_refused` with all reasons, … */
  async execute(input: MigrateRunInput, caller: Caller): Promise<CommandResponse<RunView>> {
    requireCapability(this.engine, 'migration');
    const { run } = await this.runs.find(input.runId);
    await this.findVersion(run, input.version);
    return withResponseType(this.engine.migrateRun(buildRequest(input, caller)));
  }

  /** Returns the plan of the migration, or the reasons why it is not possible, without changing anything. */
  async plan(input: MigrateRunInput, caller: Caller): Promise<MigrationPlanView> {
    requireCapability(this.engine, 'migration');
    const { run } = await this.runs.find(input.runId);
    const version = await this.findVersion(run, input.version);
    const outcome = await this.engine.plan({ kind: 'migrate', command: buildRequest(input, caller) });
    const { refusal } = outcome;
    if (refusal !== null && refusal.code !== 'migration_refused')
      throw new ApiError(refusal.code, refusal.message, refusal.details);
    return toMigrationPlanView(run, version, outcome);
  }

  private async findVersion({ workflowId }: RunRecord, version: number): Promise<WorkflowVersionRecord> {
    const found = await this.storage.findWorkflowVersion(workflowId, version);
    if (found !== undefined) return found;
    const newest = await this.storage.findWorkflowVersion(workflowId);
    const message = `Workflow "${workflowId}" has no version ${version}; the newest is ${newest?.version ?? 'none'}.`;
    throw new ApiError('workflow_version_not_found', message);
  }
}

function buildRequest({ runId, version, mapping = {}, comment }: MigrateRunInput, caller: Caller): MigrateRunRequest {
  const content = { runId, version, mapping: { ...mapping }, comment: comment ?? null };
  return {
    ...content,
    context: buildRequestContext(caller, 'migrateRun', content),
    respond: (outcome) => toJsonResponse(toRunViewAfterCommand(outcome)),
  };
}
