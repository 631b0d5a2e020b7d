import { inject, injectable } from 'inversify';
import { ApiError, toRecordedActor } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { MAX_SERVER_AGE_MS, type EngineCount } from '../ports/engine-register.js';
import { StoragePort } from '../ports/storage.js';
import type { Caller } from './caller.js';

/** The engine of the new runs of a workflow. */
export type WorkflowEngineView = {
  workflowId: string;
  /** The engine to which the workflow was moved; `null` if it was not. */
  engine: string | null;
  activeRuns: EngineCountView[];
  servers: EngineCountView[];
};

export type WorkflowMovePlanView = Omit<WorkflowEngineView, 'engine'> & {
  dryRun: true;
  from: string | null;
  to: string | null;
};

export type EngineCountView = { engine: string; count: number };

export interface MoveWorkflowInput {
  readonly workflowId: string;
  /** `null` undoes the move. */
  readonly engine: string | null;
}

/** Moves workflows to other engines. New runs start there; existing runs end on the engine that they belong to. */
@injectable()
export class MoveWorkflow {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /** @throws {ApiError} `workflow_not_found` */
  async get(workflowId: string): Promise<WorkflowEngineView> {
    if ((await this.storage.listWorkflowVersions(workflowId)).length === 0)
      throw new ApiError('workflow_not_found', `There is no workflow "${workflowId}".`);
    const [engine, activeRuns, servers] = await Promise.all([
      this.storage.findEngineOfWorkflow(workflowId),
      this.storage.countActiveRuns(workflowId),
      this.storage.countServers(MAX_SERVER_AGE_MS),
    ]);
    return { workflowId, engine, activeRuns: activeRuns.map(toCountView), servers: servers.map(toCountView) };
  }

  /**
   * Returns the plan of a move. Changes nothing.
   *
   * @throws {ApiError} `workflow_not_found`, `engine_not_available`
   */
  async plan({ workflowId, engine: to }: MoveWorkflowInput): Promise<WorkflowMovePlanView> {
    const { engine: from, ...view } = await this.get(workflowId);
    requireServer(to, view.servers);
    return { dryRun: true, from, to, ...view };
  }

  /** @throws {ApiError} `workflow_not_found`, `engine_not_available` */
  async execute({ workflowId, engine }: MoveWorkflowInput, caller: Caller): Promise<WorkflowEngineView> {
    const view = await this.get(workflowId);
    requireServer(engine, view.servers);
    await this.storage.moveWorkflow({
      workflowId,
      engine,
      audit: {
        at: this.clock.now(),
        actor: toRecordedActor(caller.actor),
        action: 'workflow.move',
        target: { type: 'workflow', id: workflowId },
        result: 'ok',
        from: caller.from,
        data: { traceId: caller.traceId },
      },
    });
    return { ...view, engine };
  }
}

/** @throws {ApiError} `engine_not_available` if no running server has the engine */
function requireServer(engine: string | null, servers: readonly EngineCountView[]): void {
  if (engine === null || servers.some((each) => each.engine === engine)) return;
  const available = servers.map((each) => each.engine);
  throw new ApiError(
    'engine_not_available',
    `No running server has the engine "${engine}". Running servers have: ${available.join(', ') || 'none'}. Start a server with Engine:Adapter=${engine} on this database first.`,
    { engine, available },
  );
}

const toCountView = ({ engine, count }: EngineCount): EngineCountView => ({ engine, count });
